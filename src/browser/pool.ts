// Browser pool: started lazily, one process at a time, a fresh context per job. Replaced when it
// gets old or large, and immediately when it dies.
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Deadline } from "../deadline.ts";
import type { Lane, LaneOptions } from "../egress/browser-proxy.ts";
import { LimitError, TargetError } from "../errors.ts";
import {
  BrowserGoneSignal,
  findCause,
  isGone,
  readMessage,
  PageTries,
} from "./chromium/browser-end.ts";
import type { BrowserProcess } from "./chromium/browser-process.ts";
import {
  buildContextOptions,
  buildClientHints,
  chooseLocale,
  findAppearance,
  type Emulation,
} from "./context/context-options.ts";
import { enhance } from "./context/enhance.ts";
import { MemoryWatch } from "./chromium/memory-watch.ts";
import type { PageWorld } from "./page/page-world.ts";
import { RunningBrowsers, type BrowserParts } from "./running-browsers.ts";
import { SharedPage, SharedPages, type OpenPage, type Sharing } from "./shared-pages.ts";

/** Grace period in which expired work can report its own error. */
const GRACE_MS = 500;

export type ContextRequest = Emulation &
  LaneOptions & {
    /** Nobody sees the page, so it is not drawn. Its scripts see an ordinary window. */
    readonly isTextOnly?: boolean | undefined;
    /** Initial cookies and storage. */
    readonly storageState?: BrowserContextOptions["storageState"];
  };

/** The caller closes it. */
export type Lease = OpenPage & {
  /** Number of URLs that the page served before, for the same job and site. */
  readonly visitsBefore: number;
  /** Returns the world that a page keeps for its next URL; only of a page that may serve another one. */
  readonly openWorld?: ((deadline: Deadline) => Promise<PageWorld>) | undefined;
};

export type BrowserPool = AsyncDisposable & {
  /**
   * Runs `work` on a page, and again if the browser or renderer died during it. The page is fresh,
   * or one that served other URLs with the same `sharing` and was cleared since. Rejects with
   * the work's error, the deadline's reason, SCRAPE_SITE_ERROR for a page that crashed its process
   * twice, UNAVAILABLE if the browser was repeatedly killed from outside, or
   * SCRAPE_ALL_ENGINES_FAILED if no browser starts.
   */
  use<T>(
    request: ContextRequest,
    deadline: Deadline,
    work: (lease: Lease) => Promise<T>,
    sharing?: Sharing,
  ): Promise<T>;
  /** Opens a page that stays open until its lease is closed. */
  open(request: ContextRequest, deadline: Deadline): Promise<Lease>;
  /** Number of open pages, whether a browser runs, and why the last one did not start. */
  state(): {
    readonly active: number;
    /** Pages that wait for the next URL of their job. */
    readonly idle: number;
    /** Visits on pages that had served another URL, and shared pages closed so far by reason. */
    readonly shared: ReturnType<SharedPages["counts"]>;
    readonly running: boolean;
    readonly pids: readonly number[];
    readonly failure?: string | undefined;
  };
  close(): Promise<void>;
};

export type PoolParts = BrowserParts & {
  readonly openLane: (options: LaneOptions) => Promise<Lane>;
};

/** Size in pixels of the surface of a page that nobody sees. Layout and scripts have the viewport. */
const UNSEEN_SURFACE = { width: 1, height: 1 };

/** Sets the browser identity for requests and scripts of a page; Playwright covers only a part. */
async function setIdentity(
  page: Page,
  { isTextOnly = false, ...emulation }: Emulation & Pick<ContextRequest, "isTextOnly">,
  version: string,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  // Experimental: a Chromium without it draws the page.
  if (isTextOnly)
    await session.send("Emulation.setVisibleSize", UNSEEN_SURFACE).catch(() => undefined);
  const identity = buildClientHints(emulation, version);
  await session.send("Emulation.setUserAgentOverride", identity);
  if (emulation.enhanced !== true) return;
  await session.send("Emulation.setLocaleOverride", { locale: chooseLocale(emulation) });
  await enhance(session, (!emulation.mobile && page.viewportSize()) || undefined);
}

const CLOSE_CONTEXT_MS = 5_000;
export function createBrowserPool(parts: PoolParts): BrowserPool {
  return new Pool(parts);
}

class Pool implements BrowserPool {
  readonly #parts: PoolParts;
  readonly #browsers: RunningBrowsers;
  #idle: NodeJS.Timeout | undefined;
  readonly #memory: MemoryWatch;
  readonly #shared: SharedPages;
  readonly #processOf = new WeakMap<Page, BrowserProcess>();
  #active = 0;
  #closed = false;

  constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#browsers = new RunningBrowsers(parts);
    this.#shared = new SharedPages(
      (page) => this.#closed || this.#processOf.get(page)?.retiring !== false,
    );
    this.#memory = new MemoryWatch({
      processes: () => this.#browsers.processes,
      limits: parts.limits,
      onEnded: (ended) => parts.log.warn({ ended }, "page exceeded its memory limit"),
    });
  }

  async use<T>(
    request: ContextRequest,
    deadline: Deadline,
    work: (lease: Lease) => Promise<T>,
    sharing?: Sharing,
  ): Promise<T> {
    const tries = new PageTries();
    const { maxVisits } = this.#parts.limits;
    let kept = sharing === undefined ? undefined : await this.#shared.take(sharing.key);
    for (;;) {
      const lease = kept?.open ?? (await this.#open(request, deadline, tries));
      const shared = kept ?? (sharing && new SharedPage(lease, { ...sharing, maxVisits }));
      const visitsBefore = shared?.visits ?? 0;
      let isDone = false;
      try {
        const openWorld = shared && ((within: Deadline) => shared.openWorld(within));
        const working = work({ ...lease, visitsBefore, openWorld });
        const result = await deadline.raceWithGrace(Promise.race([working, lease.gone]), GRACE_MS);
        isDone = true;
        return result;
      } catch (error) {
        // It may carry more information than the timeout.
        if (error instanceof LimitError) throw error;
        deadline.check();
        // An earlier URL may have caused it, so this one is tried on a fresh page first.
        if (kept !== undefined && (isGone(error) || kept.reason === "crash")) continue;
        if (!isGone(error)) throw error;
        this.#countTry(tries, await findCause(error, lease.gone));
      } finally {
        kept = undefined;
        if (shared === undefined) await lease.close();
        else if (isDone) await this.#keep(shared);
        else await this.#shared.close(shared, "failed");
      }
    }
  }

  async #keep(shared: SharedPage): Promise<void> {
    const running = this.#processOf.get(shared.open.page);
    if (running !== undefined) {
      running.opened += 1;
      await this.#browsers.review(running);
    }
    this.#shared.park(shared);
  }

  async open(request: ContextRequest, deadline: Deadline): Promise<Lease> {
    return { ...(await this.#open(request, deadline, new PageTries())), visitsBefore: 0 };
  }

  async #open(request: ContextRequest, deadline: Deadline, tries: PageTries): Promise<OpenPage> {
    deadline.check();
    // Pages that wait for their next URL give way.
    const busy = this.#active - this.#shared.size;
    await this.#shared.trim(this.#parts.limits.pages - busy - 1);
    this.#active += 1;
    clearTimeout(this.#idle);
    this.#memory.start();
    try {
      for (;;) {
        const running = await this.#browsers.getWithin(
          deadline,
          findAppearance(request),
          tries.alone,
        );
        try {
          return await this.#openOn(running, request, deadline);
        } catch (error) {
          deadline.check();
          if (running.isConnected() && !isGone(error)) throw error;
          // The page was not requested yet, so it did not cause this.
          this.#countTry(tries, new BrowserGoneSignal(readMessage(error), "outside"));
        }
      }
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Throws if there must be no other try. */
  #countTry(tries: PageTries, gone: BrowserGoneSignal): void {
    const { log, limits } = this.#parts;
    log.warn(
      { reason: gone.message, cause: gone.endCause },
      "browser or renderer exited unexpectedly",
    );
    const failure = tries.count(gone, limits.maxTotalBytes);
    if (failure !== undefined) throw failure;
  }

  async #openOn(
    running: BrowserProcess,
    request: ContextRequest,
    deadline: Deadline,
  ): Promise<OpenPage> {
    const { proxy, maxBytes, isBlocked, storageState, ...emulation } = request;
    running.opened += 1;
    running.active += 1;
    const lane = await this.#parts.openLane({ proxy, maxBytes, isBlocked });
    let context: BrowserContext | undefined;
    try {
      const options = buildContextOptions(emulation, running.browser.version());
      const race = <T>(work: Promise<T>): Promise<T> => deadline.race(running.race(work));
      context = await race(
        running.browser.newContext({
          ...options,
          proxy: { server: lane.server },
          ...(storageState === undefined ? {} : { storageState }),
        }),
      );
      const page = await race(context.newPage());
      await race(setIdentity(page, emulation, running.browser.version()));
      return this.#toLease(running, context, page, lane);
    } catch (error) {
      await this.#closeContext(running, context, lane);
      throw error;
    }
  }

  /** A page that is too large is not retried. */
  #whyCrashed(running: BrowserProcess): Error {
    const limit = running.getLastMemoryLimit();
    if (limit !== "page")
      return new BrowserGoneSignal(
        "the renderer of the page ended",
        limit === "total" ? "memory" : "page",
      );
    const { maxPageBytes } = this.#parts.limits;
    return new TargetError(
      "SCRAPE_SITE_ERROR",
      `The page exceeds the browser memory limit of ${Math.round(maxPageBytes / 2 ** 20)} MiB per page.`,
      { isFinal: true },
    );
  }

  #toLease(running: BrowserProcess, context: BrowserContext, page: Page, lane: Lane): OpenPage {
    this.#processOf.set(page, running);
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => undefined);
    const onCrash = (): void => reject(this.#whyCrashed(running));
    page.on("crash", onCrash);
    const forget = running.onGone(reject);
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> =>
      (closing ??= this.#closeContext(running, context, lane).then(() => {
        forget();
        this.#leave();
      }));
    const hasInvalidCertificate = (frameId: string): boolean =>
      running.hasInvalidCertificate(frameId);
    const open = { context, page, lane, gone, hasInvalidCertificate };
    return { ...open, close, [Symbol.asyncDispose]: close };
  }

  /** A context that does not close is ended with its browser; otherwise it would leak. */
  async #closeContext(
    running: BrowserProcess,
    context: BrowserContext | undefined,
    lane: Lane,
  ): Promise<void> {
    await lane.close();
    if (context !== undefined && running.isConnected()) {
      const { promise: gone, resolve } = Promise.withResolvers<void>();
      const forget = running.onGone(() => resolve());
      const timer = setTimeout(() => running.kill(), CLOSE_CONTEXT_MS);
      await Promise.race([context.close().catch(() => undefined), gone]);
      clearTimeout(timer);
      forget();
    }
    running.active -= 1;
    await this.#browsers.review(running);
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active > 0 || this.#closed) return;
    this.#memory.stop();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#browsers.rest(), this.#parts.limits.idleMs);
    this.#idle.unref();
  }

  state() {
    const pids = [...this.#browsers.processes].map((running) => running.getPid());
    const { failure } = this.#browsers;
    const idle = this.#shared.size;
    const active = this.#active - idle;
    return { active, idle, running: pids.length > 0, pids, failure, shared: this.#shared.counts() };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#memory.stop();
    await this.#shared.trim(0);
    await this.#browsers.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
