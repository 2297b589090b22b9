// Keeps pages open for the next URL of the same job and site, so that the renderer, its compiled
// scripts and the HTTP cache stay. Between two URLs everything that a page can leave behind is
// cleared; where that is not possible, the page is closed and the next URL gets a fresh context.
import type { BrowserContext, CDPSession, Frame, Page } from "playwright-core";
import { Deadline } from "../deadline.ts";
import type { Lane } from "../egress/browser-proxy.ts";
import { PageWorld } from "./page/page-world.ts";

/** Reason why a page was closed instead of being kept for the next URL. */
export type CloseReason =
  /** It served the maximum number of URLs. */
  | "visits"
  /** The visit failed or was cancelled. */
  | "failed"
  | "crash"
  /** The renderer's heap stayed large after its page was gone. */
  | "memory"
  /** The page, or a frame, belonged to another origin, whose storage is not cleared. */
  | "origin"
  | "window"
  | "dialog"
  /** The page sent more bytes than allowed. */
  | "overflow"
  /** A worker of the page outlived it. */
  | "worker"
  /** The page did not leave, or its storage could not be cleared. */
  | "reset"
  /** No URL followed in time, or another page needed the place. */
  | "idle"
  /** The browser is being replaced. */
  | "browser";

/** Time in which the next URL must follow. */
const IDLE_MS = 15_000;
const RESET_MS = 10_000;
const MAX_HISTORY_TRIES = 5;
/** Heap and buffers of the renderer with an empty page. */
const MAX_HEAP_BYTES = 96 * 2 ** 20;

/** A page in its own context. */
export type OpenPage = AsyncDisposable & {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly lane: Lane;
  /**
   * Rejects with BrowserGoneSignal when the page's renderer or the browser dies; never resolves.
   */
  readonly gone: Promise<never>;
  /** True if the last document of the frame had an invalid certificate. */
  readonly hasInvalidCertificate: (frameId: string) => boolean;
  close(): Promise<void>;
};

/** A page that serves several URLs of one origin, one after the other. */
export class SharedPage {
  readonly open: OpenPage;
  readonly #sharing: Limited;
  #world: Promise<PageWorld> | undefined;
  #visits = 0;
  #reason: CloseReason | undefined;

  constructor(open: OpenPage, sharing: Limited) {
    this.open = open;
    this.#sharing = sharing;
    const { page, context } = open;
    context.on("page", () => this.spoil("window"));
    page.on("framenavigated", (frame) => this.#checkOrigin(frame));
    page.on("dialog", (dialog) => {
      this.spoil("dialog");
      // As Playwright does without a listener.
      const answer = dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss();
      answer.catch(() => undefined);
    });
    open.gone.catch(() => this.spoil("crash"));
  }

  get key(): string {
    return this.#sharing.key;
  }

  /** Number of URLs it served before the current one. */
  get visits(): number {
    return this.#visits;
  }

  /** Reason why it cannot serve another URL. */
  get reason(): CloseReason | undefined {
    return this.#reason;
  }

  /** The first reason counts. */
  spoil(reason: CloseReason): void {
    this.#reason ??= reason;
  }

  /**
   * Leaves the current page and clears cookies, storage, history and window name. Returns false if
   * it cannot serve another URL; `reason` then says why.
   */
  async reset(): Promise<boolean> {
    this.#visits += 1;
    if (this.#visits >= this.#sharing.maxVisits) this.spoil("visits");
    if (this.open.lane.overflowed()) this.spoil("overflow");
    if (this.#reason !== undefined) return false;
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, RESET_MS, false);
    const isClear = await Promise.race([this.#clear().catch(() => false), late]);
    clearTimeout(timer);
    if (!isClear) this.spoil("reset");
    if (this.#reason !== undefined) return false;
    this.open.lane.reset();
    return true;
  }

  /** Returns the world of all visits, because each session and each world costs every document. */
  openWorld(deadline: Deadline): Promise<PageWorld> {
    return (this.#world ??= PageWorld.open(this.open.page, deadline));
  }

  /** Session storage is cleared as the last act of the page; all else once the page is gone. */
  async #clear(): Promise<boolean> {
    const { page, context } = this.open;
    using deadline = Deadline.start(RESET_MS);
    const world = await this.openWorld(deadline);
    const { session } = world;
    await world.run(String(clearOnLeaving), null, deadline);
    await page.goto("about:blank", { waitUntil: "commit", timeout: RESET_MS });
    const workers = page.workers().length + context.serviceWorkers().length;
    if (workers > 0) this.spoil("worker");
    const [heap] = await Promise.all([
      session.send("Runtime.getHeapUsage"),
      session.send("Storage.clearDataForOrigin", {
        origin: this.#sharing.origin,
        storageTypes: "all",
      }),
      context.clearCookies(),
      resetHistory(session),
    ]);
    const { totalSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = heap as HeapUsage;
    if (totalSize + embedderHeapUsedSize + backingStorageSize > MAX_HEAP_BYTES)
      this.spoil("memory");
    return true;
  }

  #checkOrigin(frame: Frame): void {
    const url = URL.parse(frame.url());
    if (url === null || !/^https?:$/.test(url.protocol)) return;
    if (url.origin !== this.#sharing.origin) this.spoil("origin");
  }
}

/** Chromium refuses for a moment while the empty document takes the place of the page's. */
export async function resetHistory(session: Pick<CDPSession, "send">): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      await session.send("Page.resetNavigationHistory");
      return;
    } catch (error) {
      const isEarly = error instanceof Error && error.message.includes("Not attached to an active");
      if (!isEarly || tries === MAX_HISTORY_TRIES) throw error;
    }
}

type HeapUsage = {
  readonly totalSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
};

type Emitter = { addEventListener(type: string, listener: () => void): void };
declare const document: Emitter;
declare const sessionStorage: { clear(): void };

/**
 * Runs in the page, after the page's own listeners: the DevTools protocol has no command for
 * session storage.
 */
function clearOnLeaving(): void {
  const clear = (): void => {
    (globalThis as { name?: string }).name = "";
    sessionStorage.clear();
  };
  const window = globalThis as unknown as Emitter;
  window.addEventListener("pagehide", clear);
  document.addEventListener("visibilitychange", clear);
  window.addEventListener("unload", clear);
}

/** Pages with the same key are visited in the same context. */
export type Sharing = { readonly key: string; readonly origin: string };

type Limited = Sharing & { readonly maxVisits: number };

type Parked = {
  readonly page: SharedPage;
  /** Resolves to false if it was closed instead. */
  readonly ready: Promise<boolean>;
  timer: NodeJS.Timeout | undefined;
};

/** The pages that wait for the next URL of their job. */
export class SharedPages {
  readonly #parked = new Map<string, Parked[]>();
  readonly #closed = new Map<CloseReason, number>();
  readonly #isRetiring: (page: Page) => boolean;
  #visits = 0;

  /** `isRetiring` is true for a page whose browser is being replaced. */
  constructor(isRetiring: (page: Page) => boolean) {
    this.#isRetiring = isRetiring;
  }

  /** Number of pages that wait. */
  get size(): number {
    let count = 0;
    for (const pages of this.#parked.values()) count += pages.length;
    return count;
  }

  /** URLs served by a page that had served another one, and closed pages by reason. */
  counts(): { readonly visits: number; readonly closed: Readonly<Record<string, number>> } {
    return { visits: this.#visits, closed: Object.fromEntries(this.#closed) };
  }

  /** Returns a cleared page with this key, or undefined if there is none. */
  async take(key: string): Promise<SharedPage | undefined> {
    for (;;) {
      const entry = this.#parked.get(key)?.pop();
      if (entry === undefined) return undefined;
      this.#forget(entry);
      if (!(await entry.ready)) continue;
      if (this.#isRetiring(entry.page.open.page)) {
        await this.close(entry.page, "browser");
        continue;
      }
      this.#visits += 1;
      return entry.page;
    }
  }

  /** Clears the page in the background and keeps it for the next URL. */
  park(page: SharedPage): void {
    if (this.#isRetiring(page.open.page)) {
      void this.close(page, "browser");
      return;
    }
    const ready = page.reset().then((isClear) => {
      if (!isClear) {
        this.#remove(entry);
        void this.close(page, "reset");
      }
      return isClear;
    });
    const entry: Parked = { page, ready, timer: undefined };
    entry.timer = setTimeout(() => void this.#evict(entry), IDLE_MS);
    entry.timer.unref();
    const waiting = this.#parked.get(page.key) ?? [];
    waiting.push(entry);
    this.#parked.set(page.key, waiting);
  }

  /** Closes the pages that have waited longest until at most `count` wait. */
  async trim(count: number): Promise<void> {
    while (this.size > Math.max(0, count)) {
      const [oldest] = [...this.#parked.values()].flat();
      if (oldest === undefined) return;
      await this.#evict(oldest);
    }
  }

  /** `reason` counts unless the page has one. */
  async close(page: SharedPage, reason: CloseReason): Promise<void> {
    page.spoil(reason);
    const counted = page.reason ?? reason;
    this.#closed.set(counted, (this.#closed.get(counted) ?? 0) + 1);
    await page.open.close();
  }

  async #evict(entry: Parked): Promise<void> {
    if (!this.#remove(entry) || !(await entry.ready)) return;
    await this.close(entry.page, "idle");
  }

  #remove(entry: Parked): boolean {
    const waiting = this.#parked.get(entry.page.key) ?? [];
    const at = waiting.indexOf(entry);
    if (at < 0) return false;
    waiting.splice(at, 1);
    this.#forget(entry);
    return true;
  }

  #forget({ page: { key }, timer }: Parked): void {
    clearTimeout(timer);
    if (this.#parked.get(key)?.length === 0) this.#parked.delete(key);
  }
}
