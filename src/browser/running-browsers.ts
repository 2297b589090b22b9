// The browser processes of a pool: started lazily, one per appearance. Replaced when they get old
// or large, and immediately when they die.
import type { Deadline } from "../deadline.ts";
import { LimitError, QuarryError, TargetError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { isGone, readMessage } from "./chromium/browser-end.ts";
import { BrowserProcess } from "./chromium/browser-process.ts";
import type { Appearance } from "./chromium/chromium-arguments.ts";
import { KilledAtStartError, type LaunchedBrowser } from "./chromium/launch.ts";
import type { PoolLimits } from "./pool-limits.ts";

/** Memory is measured after this many contexts. */
const CONTEXTS_PER_MEASUREMENT = 10;
/** Maximum starts of a browser that is killed from outside while starting. */
const MAX_STARTS = 3;
/** Pause after a failed start. */
const RESTART_MS = 5_000;
/** Browsers that accept pages at once, the plain one included. */
const MAX_APPEARANCES = 4;

export type BrowserParts = {
  /** Starts a browser; enhanced pages need one with their appearance. */
  readonly launch: (appearance: Appearance | undefined) => Promise<LaunchedBrowser>;
  readonly limits: PoolLimits;
  readonly log: Logger;
};

/** A browser that accepts pages; `running` is set once it has started. */
type Current = { readonly starting: Promise<BrowserProcess>; running?: BrowserProcess };

export class RunningBrowsers {
  readonly #parts: BrowserParts;
  readonly #processes = new Set<BrowserProcess>();
  /** By appearance, the one that was used last at the end. */
  readonly #current = new Map<string, Current>();
  #failure: { readonly error: Error; readonly until: number } | undefined;
  #starting = 0;
  #closed = false;

  constructor(parts: BrowserParts) {
    this.#parts = parts;
  }

  get processes(): ReadonlySet<BrowserProcess> {
    return this.#processes;
  }

  /** Why the last browser did not start. */
  get failure(): string | undefined {
    return this.#failure?.error.message;
  }

  /**
   * Returns a browser with this appearance; one for a single page if `alone`. Starting may take
   * longer than a request's time, because the first start unpacks the browser.
   */
  async getWithin(
    deadline: Deadline,
    appearance: Appearance | undefined,
    alone: boolean,
  ): Promise<BrowserProcess> {
    try {
      return await deadline.race(alone ? this.#startAlone(appearance) : this.#get(appearance));
    } catch (error) {
      const isLate = error instanceof LimitError && error.code === "SCRAPE_TIMEOUT";
      if (this.#starting === 0 || !isLate) throw error;
      const text = `${deadline.createExpiry().message} The browser was still starting, which takes longest the first time; try again.`;
      throw new LimitError("SCRAPE_TIMEOUT", text, { retryAfterMs: RESTART_MS, cause: error });
    }
  }

  /** Checks whether the browser must be replaced. */
  async review(running: BrowserProcess): Promise<void> {
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
        this.#retire(running);
      }
    }
    if (running.retiring && running.active === 0) this.#end(running);
  }

  /** Ends the browsers without pages. */
  rest(): void {
    this.#current.clear();
    for (const running of this.#processes) if (running.active === 0) this.#end(running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#current.values()].map(({ starting }) => starting));
    await Promise.all([...this.#processes].map((running) => running.close()));
  }

  #retire(running: BrowserProcess): void {
    running.retiring = true;
    for (const [key, current] of this.#current)
      if (current.running === running) this.#current.delete(key);
  }

  #end(running: BrowserProcess): void {
    running.close().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, "browser did not shut down cleanly");
    });
  }

  #get(appearance: Appearance | undefined): Promise<BrowserProcess> {
    if (this.#closed) return Promise.reject(new Error("The browser pool is closed."));
    if (this.#failure !== undefined && this.#failure.until > performance.now())
      return Promise.reject(this.#failure.error);
    const key = appearance?.languages ?? "";
    const current = this.#current.get(key) ?? this.#startCurrent(key, appearance);
    this.#current.delete(key);
    this.#current.set(key, current);
    return current.starting;
  }

  #startCurrent(key: string, appearance: Appearance | undefined): Current {
    const forget = (): void => {
      if (this.#current.get(key) === current) this.#current.delete(key);
    };
    const current: Current = { starting: this.#start(appearance, forget) };
    current.starting.then(
      (running) => {
        current.running = running;
      },
      () => undefined,
    );
    this.#makeRoom();
    return current;
  }

  /** Retires the browser that was not used for the longest time. */
  #makeRoom(): void {
    if (this.#current.size < MAX_APPEARANCES) return;
    for (const { running } of this.#current.values()) {
      if (running === undefined) continue;
      this.#retire(running);
      if (running.active === 0) this.#end(running);
      return;
    }
  }

  /** Starts a browser for a single page; it ends with the page. */
  async #startAlone(appearance: Appearance | undefined): Promise<BrowserProcess> {
    if (this.#closed) throw new Error("The browser pool is closed.");
    const running = await this.#start(appearance, () => undefined);
    running.retiring = true;
    return running;
  }

  async #start(appearance: Appearance | undefined, onGone: () => void): Promise<BrowserProcess> {
    const from = performance.now();
    this.#starting += 1;
    try {
      const { running, sandboxed } = await this.#launch(appearance);
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
      this.#starting -= 1;
    }
  }

  async #launch(
    appearance: Appearance | undefined,
  ): Promise<{ running: BrowserProcess; sandboxed: boolean }> {
    for (let starts = 1; ; starts++) {
      try {
        const launched = await this.#parts.launch(appearance);
        const running = await BrowserProcess.attachTo(launched);
        return { running, sandboxed: launched.sandboxed };
      } catch (error) {
        const wasKilled = error instanceof KilledAtStartError || isGone(error);
        if (!wasKilled || starts === MAX_STARTS) throw error;
      }
    }
  }
}
