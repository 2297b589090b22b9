// Why a page lost its browser, and whether the page is to blame. A page that ends its process is given up after the second
// time; a page that was only there when a process was killed from outside is tried again.
import { LimitError, QuarryError, TargetError } from "../../errors.ts";
import { describeExit, type ChromiumExit } from "./spawn-chromium.ts";

export type EndCause =
  /** The renderer of this page ended, or the page closed itself. */
  | "page"
  /** Together the pages used too much memory, and the renderer of this page was the largest. */
  | "memory"
  /** The browser crashed while it showed this page and no other. */
  | "crash"
  /** The browser crashed while it showed several pages: which of them ended it is not known. */
  | "shared-crash"
  /** A signal from outside, or this server, ended the browser. */
  | "outside";

/** The browser, or the renderer of the page, ended before the work did. */
export class BrowserGoneSignal extends Error {
  readonly endCause: EndCause;
  constructor(message: string, endCause: EndCause) {
    super(message);
    this.endCause = endCause;
  }
}

/** Signals that somebody sends; a crash raises others (signal(7)). */
const SENT_SIGNALS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

export const wasKilledFromOutside = ({ code, signal }: ChromiumExit): boolean =>
  signal === null ? code === 0 : SENT_SIGNALS.has(signal);

/** What the end of a whole browser means for a page in it. */
export function signalOfExit(
  exit: ChromiumExit,
  { pages, forMemory }: { readonly pages: number; readonly forMemory: boolean },
): BrowserGoneSignal {
  const text = forMemory ? "The browser used too much memory and was ended" : describeExit(exit);
  if (wasKilledFromOutside(exit) && !forMemory) return new BrowserGoneSignal(text, "outside");
  return new BrowserGoneSignal(text, pages > 1 ? "shared-crash" : "crash");
}

/** A call that was cut short may fail before it is known what ended. */
const CAUSE_MS = 1_000;
const MAX_STRIKES = 2;
const MAX_TRIES = 6;

/** What to do with a page each time that it loses its browser. */
export class PageTries {
  #strikes = 0;
  #tries = 0;
  #alone = false;

  /** Whether the next try needs a browser of its own, so that a crash tells who caused it. */
  get alone(): boolean {
    return this.#alone;
  }

  /** The error to give up with, or undefined for another try. */
  count(gone: BrowserGoneSignal, maxTotalBytes: number): QuarryError | undefined {
    this.#tries += 1;
    const { endCause } = gone;
    if (endCause === "shared-crash") this.#alone = true;
    else if (endCause !== "outside") this.#strikes += 1;
    if (this.#strikes >= MAX_STRIKES)
      return new TargetError(
        "SCRAPE_SITE_ERROR",
        endCause === "memory"
          ? `The pages in the browser needed more than the ${Math.round(maxTotalBytes / 2 ** 20)} MiB that they may use together, and this page the most, twice.`
          : "The page ended the browser's process that showed it, twice.",
        { cause: gone, isFinal: true },
      );
    if (this.#tries < MAX_TRIES) return undefined;
    return new LimitError(
      "UNAVAILABLE",
      `The browser of this server was ended ${MAX_TRIES} times while it showed the page; try again.`,
      { retryAfterMs: 5_000, cause: gone },
    );
  }
}

/** Playwright's words for calls that the end of browser, context or page cut short. */
export const isGone = (error: unknown): boolean =>
  error instanceof BrowserGoneSignal ||
  (error instanceof Error &&
    /has been closed|Target crashed|Page crashed|browser has disconnected|Target closed|Session closed/.test(
      error.message,
    ));

/** Why a page lost its browser: Playwright's own errors may come a moment before the process is known to be gone. */
export async function causeOf(error: unknown, gone: Promise<never>): Promise<BrowserGoneSignal> {
  if (error instanceof BrowserGoneSignal) return error;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, CAUSE_MS, undefined);
  const cause: unknown = await Promise.race([gone, late]).catch((signal: unknown) => signal);
  clearTimeout(timer);
  if (cause instanceof BrowserGoneSignal) return cause;
  if (cause instanceof QuarryError) throw cause;
  // The browser lives: the page closed itself.
  return new BrowserGoneSignal(messageOf(error), "page");
}

export const messageOf = (error: unknown): string => {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.!?]$/.test(line) ? line : `${line}.`;
};
