// Browser pool: started lazily, one process at a time, a fresh context per job. Replaced when it
// gets old or large, and immediately when it dies.
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { Deadline } from "../deadline.ts";
import type { Lane, LaneOptions } from "../egress/browser-proxy.ts";
import { LimitError, QuarryError, TargetError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import {
  BrowserGoneSignal,
  findCause,
  isGone,
  readMessage,
  PageTries,
} from "./chromium/browser-end.ts";
import { BrowserProcess } from "./chromium/browser-process.ts";
import {
  buildContextOptions,
  buildClientHints,
  type Emulation,
} from "./context/context-options.ts";
import { enhance } from "./context/enhance.ts";
import { KilledAtStartError, type LaunchedBrowser } from "./chromium/launch.ts";
import { MemoryWatch } from "./chromium/memory-watch.ts";
import type { PoolLimits } from "./pool-limits.ts";
import { SharedPage, SharedPages, type OpenPage, type Sharing } from "./shared-pages.ts";

/** Grace period in which expired work can report its own error. */
const GRACE_MS = 500;

export type ContextRequest = Emulation &
  LaneOptions & {
    /** Initial cookies and storage. */
    readonly storageState?: BrowserContextOptions["storageState"];
  };

/** The caller closes it. */
export type Lease = OpenPage & {
  /** Number of URLs that the page served before, for the same job and site. */
  readonly visitsBefore: number;
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

export type PoolParts = {
  readonly launch: () => Promise<LaunchedBrowser>;
  readonly openLane: (options: LaneOptions) => Promise<Lane>;
  readonly limits: PoolLimits;
  readonly log: Logger;
};

/** Sets the browser identity for requests and scripts of a page; Playwright covers only a part. */
async function setIdentity(
  page: Page,
  identity: ReturnType<typeof buildClientHints>,
  { enhanced = false, mobile }: Emulation,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setUserAgentOverride", identity);
  if (enhanced) await enhance(session, (!mobile && page.viewportSize()) || undefined);
}

const CLOSE_CONTEXT_MS = 5_000;
/** Memory is measured after this many contexts. */
const CONTEXTS_PER_MEASUREMENT = 10;
/** Maximum starts of a browser that is killed from outside while starting. */
const MAX_STARTS = 3;
/** Pause after a failed start. */
const RESTART_MS = 5_000;

export function createBrowserPool(parts: PoolParts): BrowserPool {
  return new Pool(parts);
}

class Pool implements BrowserPool {
  readonly #parts: PoolParts;
  readonly #processes = new Set<BrowserProcess>();
  #current: Promise<BrowserProcess> | undefined;
  #failure: { readonly error: Error; readonly until: number } | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #memory: MemoryWatch;
  readonly #shared: SharedPages;
  readonly #processOf = new WeakMap<Page, BrowserProcess>();
  #active = 0;
  #closed = false;
  #starting = false;

  constructor(parts: PoolParts) {
    this.#parts = parts;
    this.#shared = new SharedPages(
      (page) => this.#closed || this.#processOf.get(page)?.retiring !== false,
    );
    this.#memory = new MemoryWatch({
      processes: () => this.#processes,
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
        const working = work({ ...lease, visitsBefore });
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
      await this.#review(running);
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
        const running = await this.#runningWithin(deadline, tries.alone);
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
      const version = running.browser.version();
      const identity = buildClientHints(emulation, options, version);
      await race(setIdentity(page, identity, emulation));
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
    return { context, page, lane, gone, close, [Symbol.asyncDispose]: close };
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
    await this.#review(running);
  }

  /** Checks whether the browser must be replaced. */
  async #review(running: BrowserProcess): Promise<void> {
    const { limits, log } = this.#parts;
    if (!running.retiring && running.isConnected()) {
      const measured =
        running.opened % CONTEXTS_PER_MEASUREMENT === 0 ? await running.readMemoryBytes() : 0;
      const reason =
        running.opened >= limits.maxContexts
          ? "count"
          : performance.now() - running.startedAt > limits.maxAgeMs
            ? "age"
            : measured > limits.maxMemoryBytes
              ? "memory"
              : undefined;
      if (reason !== undefined) {
        log.debug({ reason, served: running.opened }, "replacing the browser");
        running.retiring = true;
        this.#current = undefined;
      }
    }
    if (running.retiring && running.active === 0) this.#end(running);
  }

  #end(running: BrowserProcess): void {
    running.close().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, "browser did not shut down cleanly");
    });
  }

  /**
   * Starting may take longer than a request's time, because the first start unpacks the browser.
   */
  async #runningWithin(deadline: Deadline, alone: boolean): Promise<BrowserProcess> {
    try {
      return await deadline.race(alone ? this.#startAlone() : this.#running());
    } catch (error) {
      const isLate = error instanceof LimitError && error.code === "SCRAPE_TIMEOUT";
      if (!this.#starting || !isLate) throw error;
      const text = `${deadline.createExpiry().message} The browser was still starting, which takes longest the first time; try again.`;
      throw new LimitError("SCRAPE_TIMEOUT", text, { retryAfterMs: RESTART_MS, cause: error });
    }
  }

  #running(): Promise<BrowserProcess> {
    if (this.#closed) return Promise.reject(new Error("The browser pool is closed."));
    if (this.#failure !== undefined && this.#failure.until > performance.now())
      return Promise.reject(this.#failure.error);
    if (this.#current === undefined) {
      const starting = this.#start(() => {
        if (this.#current === starting) this.#current = undefined;
      });
      this.#current = starting;
    }
    return this.#current;
  }

  /** Starts a browser for a single page; it ends with the page. */
  async #startAlone(): Promise<BrowserProcess> {
    if (this.#closed) throw new Error("The browser pool is closed.");
    const running = await this.#start(() => undefined);
    running.retiring = true;
    return running;
  }

  async #start(onGone: () => void): Promise<BrowserProcess> {
    const from = performance.now();
    this.#starting = true;
    try {
      const { running, sandboxed } = await this.#launch();
      this.#processes.add(running);
      this.#failure = undefined;
      void running.gone.then(() => {
        this.#processes.delete(running);
        onGone();
      });
      const ms = Math.round(performance.now() - from);
      const started = { version: running.browser.version(), sandboxed, ms };
      if (sandboxed) this.#parts.log.info(started, "browser started");
      else this.#parts.log.warn(started, "browser started without its sandbox");
      if (this.#closed) await running.close();
      return running;
    } catch (cause) {
      onGone();
      const error =
        cause instanceof QuarryError
          ? cause
          : new TargetError(
              "SCRAPE_ALL_ENGINES_FAILED",
              `The browser of this server could not be started: ${readMessage(cause)} Run quarry doctor.`,
              { cause },
            );
      this.#failure = { error, until: performance.now() + RESTART_MS };
      this.#parts.log.error({ err: cause }, "browser failed to start");
      throw error;
    } finally {
      this.#starting = false;
    }
  }

  async #launch(): Promise<{ running: BrowserProcess; sandboxed: boolean }> {
    for (let starts = 1; ; starts++) {
      try {
        const launched = await this.#parts.launch();
        const running = await BrowserProcess.attachTo(launched);
        return { running, sandboxed: launched.sandboxed };
      } catch (error) {
        const wasKilled = error instanceof KilledAtStartError || isGone(error);
        if (!wasKilled || starts === MAX_STARTS) throw error;
      }
    }
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active > 0 || this.#closed) return;
    this.#memory.stop();
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#rest(), this.#parts.limits.idleMs);
    this.#idle.unref();
  }

  #rest(): void {
    this.#current = undefined;
    for (const running of this.#processes) if (running.active === 0) this.#end(running);
  }

  state() {
    const pids = [...this.#processes].map((running) => running.getPid());
    const failure = this.#failure?.error.message;
    const idle = this.#shared.size;
    const active = this.#active - idle;
    return { active, idle, running: pids.length > 0, pids, failure, shared: this.#shared.counts() };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    this.#memory.stop();
    await this.#shared.trim(0);
    await this.#current?.catch(() => undefined);
    await Promise.all([...this.#processes].map((running) => running.close()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
