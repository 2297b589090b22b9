// A running Chromium process: its usage, its memory, its end.
import type { Browser, CDPSession } from "playwright-core";
import { createExitSignal, type BrowserGoneSignal } from "./browser-end.ts";
import type { LaunchedBrowser } from "./launch.ts";
import { preferOnShortage } from "./oom-preference.ts";
import { readPrivateBytes } from "./process-memory.ts";
import type { ChromiumProcess } from "./spawn-chromium.ts";

const CLOSE_TIMEOUT_MS = 5_000;
/** If listing processes takes longer than this, the previous list is used. */
const LIST_TIMEOUT_MS = 250;
/** A page that crashes within this time after a renderer was ended is the page of that renderer. */
const ENDED_FOR_MEMORY_MS = 2_000;

type ListedProcess = { readonly id: number; readonly type: string };
/** Private memory in bytes; 0 if unreadable. */
export type MeasuredProcess = ListedProcess & { readonly bytes: number };

export class BrowserProcess {
  readonly browser: Browser;
  readonly startedAt = performance.now();
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  opened = 0;
  active = 0;
  /** Accepts no new page and ends after the last open one. */
  retiring = false;
  readonly #process: ChromiumProcess;
  readonly #session: CDPSession;
  readonly #listeners = new Set<(signal: BrowserGoneSignal) => void>();
  #signal: BrowserGoneSignal | undefined;
  #listed: readonly ListedProcess[] = [];
  readonly #ending = new Set<number>();
  #endedForMemory: { readonly at: number; readonly limit: "page" | "total" } | undefined;
  #isTooLarge = false;

  private constructor(launched: LaunchedBrowser, session: CDPSession) {
    this.browser = launched.browser;
    this.#process = launched.process;
    this.#session = session;
    this.gone = launched.process.exited.then((exit) => {
      const signal = createExitSignal(exit, { pages: this.active, forMemory: this.#isTooLarge });
      this.#signal = signal;
      for (const listener of this.#listeners) listener(signal);
      this.#listeners.clear();
    });
  }

  static async attachTo(launched: LaunchedBrowser): Promise<BrowserProcess> {
    return new BrowserProcess(launched, await launched.browser.newBrowserCDPSession());
  }

  /**
   * Calls `listener` once the process is gone; the returned function unsubscribes. Use it for
   * anything that ends before the browser: a reaction to `gone` would be retained, with everything
   * it refers to, for the browser's lifetime.
   */
  onGone(listener: (signal: BrowserGoneSignal) => void): () => void {
    if (this.#signal === undefined) this.#listeners.add(listener);
    else listener(this.#signal);
    return () => void this.#listeners.delete(listener);
  }

  /** Settles with `work`, or rejects with BrowserGoneSignal as soon as the process is gone. */
  async race<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    const { promise, reject } = Promise.withResolvers<never>();
    const forget = this.onGone(reject);
    try {
      return await Promise.race([promise, work]);
    } finally {
      forget();
    }
  }

  isConnected(): boolean {
    return this.#process.exit() === undefined && this.browser.isConnected();
  }

  /** Process id. */
  getPid(): number {
    return this.#process.pid;
  }

  /** True if the last document of the frame came over a connection with an invalid certificate. */
  hasInvalidCertificate(frameId: string): boolean {
    return this.#process.invalidCertificates.has(frameId);
  }

  /** Private memory of all its processes in bytes; 0 if unreadable. */
  async readMemoryBytes(): Promise<number> {
    return (await this.measure()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Measures all its processes except those being ended. */
  async measure(): Promise<MeasuredProcess[]> {
    const alive = (await this.#list()).filter(({ id }) => !this.#ending.has(id));
    return alive.map((each) => ({ ...each, bytes: readPrivateBytes(each.id) }));
  }

  /** Kills one of its processes: a renderer with its page, or the whole browser. */
  endForMemory(pid: number, limit: "page" | "total"): void {
    const type = this.#listed.find(({ id }) => id === pid)?.type;
    this.#ending.add(pid);
    this.#endedForMemory = { at: performance.now(), limit };
    if (type === "browser") {
      this.#isTooLarge = true;
      return this.kill();
    }
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  }

  /** Returns the exceeded memory limit of the page whose renderer has just been ended. */
  getLastMemoryLimit(): "page" | "total" | undefined {
    const ended = this.#endedForMemory;
    if (ended === undefined || performance.now() - ended.at > ENDED_FOR_MEMORY_MS) return undefined;
    return ended.limit;
  }

  /** Closes the browser, and kills all its processes if it does not respond. */
  async close(): Promise<void> {
    this.retiring = true;
    const timer = setTimeout(() => this.kill(), CLOSE_TIMEOUT_MS);
    await this.race(this.browser.close()).catch(() => undefined);
    await this.gone;
    clearTimeout(timer);
  }

  kill(): void {
    if (this.isConnected()) this.#process.kill();
  }

  #take(listed: readonly ListedProcess[]): void {
    const known = new Set(this.#listed.map(({ id }) => id));
    for (const { id, type } of listed)
      if (type === "renderer" && !known.has(id)) preferOnShortage(id, "renderer");
    this.#listed = listed;
  }

  async #list(): Promise<readonly ListedProcess[]> {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, LIST_TIMEOUT_MS, undefined);
    const listing = this.#session.send("SystemInfo.getProcessInfo").catch(() => undefined);
    const answer = await Promise.race([listing, late]);
    clearTimeout(timer);
    if (answer !== undefined) this.#take(answer.processInfo);
    return this.isConnected() ? this.#listed : [];
  }
}
