// One running Chromium: what it has served, what it uses, and its end.
import { readFile } from "node:fs/promises";
import type { Browser, CDPSession } from "playwright-core";

const CLOSE_MS = 5_000;
/** Unit of /proc/PID/statm. */
const MEMORY_PAGE_BYTES = 4_096;

export class BrowserProcess {
  readonly browser: Browser;
  readonly startedAt = performance.now();
  /** Resolves when the process is gone, whoever ended it. */
  readonly gone: Promise<void>;
  opened = 0;
  active = 0;
  /** Serves no new page; ends with the last of those it has. */
  retiring = false;
  /** When a renderer was ended last for what it used. */
  endedForMemoryAt = -Infinity;
  readonly #session: CDPSession;
  readonly #listeners = new Set<() => void>();
  #pid = 0;

  private constructor(browser: Browser, session: CDPSession) {
    this.browser = browser;
    this.#session = session;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    browser.once("disconnected", () => {
      resolve();
      for (const listener of this.#listeners) listener();
      this.#listeners.clear();
    });
  }

  static async over(browser: Browser): Promise<BrowserProcess> {
    const started = new BrowserProcess(browser, await browser.newBrowserCDPSession());
    const processes = await started.#processes();
    started.#pid = processes.find(({ type }) => type === "browser")?.id ?? 0;
    return started;
  }

  /**
   * Calls `listener` once the process is gone; what it returns takes that back. For whatever ends before the browser does: a
   * reaction to `gone` would be kept, with all it refers to, for as long as the browser lives.
   */
  whenGone(listener: () => void): () => void {
    if (this.isConnected()) this.#listeners.add(listener);
    else listener();
    return () => void this.#listeners.delete(listener);
  }

  isConnected(): boolean {
    return this.browser.isConnected();
  }

  /** Its number in the system; 0 where that is not known. */
  pid(): number {
    return this.#pid;
  }

  /** Private memory of all its processes in bytes; 0 where it cannot be read. */
  async memoryBytes(): Promise<number> {
    let total = 0;
    for (const { id } of await this.#processes()) total += await privateBytes(id);
    return total;
  }

  /** Ends the renderers that use more memory than that, with the pages they show; gives how many. */
  async endLargerThan(bytes: number): Promise<number> {
    let ended = 0;
    for (const { id, type } of await this.#processes()) {
      if (type !== "renderer" || (await privateBytes(id)) <= bytes) continue;
      kill(id);
      ended += 1;
    }
    if (ended > 0) this.endedForMemoryAt = performance.now();
    return ended;
  }

  /** Ends it: asks first, and kills it with all its processes when it does not answer. */
  async close(): Promise<void> {
    this.retiring = true;
    const timer = setTimeout(() => this.kill(), CLOSE_MS);
    await this.browser.close().catch(() => undefined);
    clearTimeout(timer);
    await this.gone;
  }

  kill(): void {
    if (this.#pid === 0 || !this.isConnected()) return;
    // Playwright makes the browser the leader of a process group of its own.
    if (!kill(-this.#pid)) kill(this.#pid);
  }

  async #processes(): Promise<readonly { readonly id: number; readonly type: string }[]> {
    const answer = await this.#session.send("SystemInfo.getProcessInfo").catch(() => undefined);
    return answer?.processInfo ?? [];
  }
}

/** Resident and not shared; 0 where it cannot be read. */
async function privateBytes(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = await readFile(`/proc/${pid}/statm`, "utf8").then(
    (line) => line.split(" ").map(Number),
    () => [],
  );
  return Math.max(0, resident - shared) * MEMORY_PAGE_BYTES;
}

/** Was there a process to end? */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}
