// Determines why a page lost its browser and whether the page caused it. A page that crashes its
// process fails after the second time; a page that was only present when a process was killed from
// outside is retried.
import { LimitError, QuarryError, TargetError } from "../../errors.ts";
import { describeExit, type ChromiumExit } from "./spawn-chromium.ts";

export type EndCause =
  /** The renderer of this page crashed, or the page closed itself. */
  | "page"
  /** All pages together used too much memory, and this page's renderer was the largest. */
  | "memory"
  /** The browser crashed while it showed only this page. */
  | "crash"
  /** The browser crashed while it showed several pages, so the cause is unknown. */
  | "shared-crash"
  /** A signal from outside, or this server, ended the browser. */
  | "outside";

/** The browser or the page's renderer ended before the work did. */
export class BrowserGoneSignal extends Error {
  readonly endCause: EndCause;
  constructor(message: string, endCause: EndCause) {
    super(message);
    this.endCause = endCause;
  }
}

/** Signals that are sent from outside. A crash raises others (signal(7)). */
const OUTSIDE_SIGNALS: ReadonlySet<string> = new Set(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

export const wasKilledFromOutside = ({ code, signal }: ChromiumExit): boolean =>
  signal === null ? code === 0 : OUTSIDE_SIGNALS.has(signal);

/** Returns the cause for a page when its whole browser exits. */
export function createExitSignal(
  exit: ChromiumExit,
  { pages, forMemory }: { readonly pages: number; readonly forMemory: boolean },
): BrowserGoneSignal {
  const text = forMemory ? "The browser used too much memory and was ended" : describeExit(exit);
  if (wasKilledFromOutside(exit) && !forMemory) return new BrowserGoneSignal(text, "outside");
  return new BrowserGoneSignal(text, pages > 1 ? "shared-crash" : "crash");
}

/** A failing call may return before the cause is known. */
const CAUSE_MS = 1_000;
const MAX_STRIKES = 2;
const MAX_TRIES = 6;

/** Decides what to do with a page each time it loses its browser. */
export class PageTries {
  #strikes = 0;
  #tries = 0;
  #alone = false;

  /** True if the next try needs a separate browser, so that a crash reveals its cause. */
  get alone(): boolean {
    return this.#alone;
  }

  /** Returns the error to fail with, or undefined for another try. */
  count(gone: BrowserGoneSignal, maxTotalBytes: number): QuarryError | undefined {
    this.#tries += 1;
    const { endCause } = gone;
    if (endCause === "shared-crash") this.#alone = true;
    else if (endCause !== "outside") this.#strikes += 1;
    if (this.#strikes >= MAX_STRIKES)
      return new TargetError(
        "SCRAPE_SITE_ERROR",
        endCause === "memory"
          ? `The browser exceeded its memory limit of ${Math.round(maxTotalBytes / 2 ** 20)} MiB twice, with this page as the largest.`
          : "The page crashed its browser process twice; it may need more memory than this server has.",
        { cause: gone, isFinal: true },
      );
    if (this.#tries < MAX_TRIES) return undefined;
    return new LimitError(
      "UNAVAILABLE",
      `The browser was killed ${MAX_TRIES} times while it showed the page; try again.`,
      { retryAfterMs: 5_000, cause: gone },
    );
  }
}

/** Playwright's messages for calls interrupted by the end of browser, context or page. */
export const isGone = (error: unknown): boolean =>
  error instanceof BrowserGoneSignal ||
  (error instanceof Error &&
    /has been closed|Target crashed|Page crashed|browser has disconnected|Target closed|Session closed/.test(
      error.message,
    ));

/**
 * Returns why a page lost its browser. Playwright's own errors may arrive slightly before the
 * process exit is known.
 */
export async function findCause(error: unknown, gone: Promise<never>): Promise<BrowserGoneSignal> {
  if (error instanceof BrowserGoneSignal) return error;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, CAUSE_MS, undefined);
  const cause: unknown = await Promise.race([gone, late]).catch((signal: unknown) => signal);
  clearTimeout(timer);
  if (cause instanceof BrowserGoneSignal) return cause;
  if (cause instanceof QuarryError) throw cause;
  // The browser is alive, so the page closed itself.
  return new BrowserGoneSignal(readMessage(error), "page");
}

export const readMessage = (error: unknown): string => {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return /[.!?]$/.test(line) ? line : `${line}.`;
};
