// Decides when a page is ready: when document, requests and text have been quiet for a moment, or
// the budget is used up. Not "networkidle", which a polling page never reaches and a page with a
// timer reaches too early.
import type { Page, Request } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement, PageObserver } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const performance: {
  now(): number;
  getEntriesByType(type: "navigation"): { readonly domContentLoadedEventEnd: number }[];
};
declare function requestIdleCallback(
  callback: (deadline: { readonly didTimeout: boolean }) => void,
  options: { readonly timeout: number },
): void;
declare const MutationObserver: new (callback: () => void) => PageObserver;

/** Requests that bring content. Images and fonts do not delay reading. */
const CONTENT_REQUESTS = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);
/** A longer request is a poll or stream, or not worth the wait. */
const PATIENCE_MS = 4_000;
const QUIET_MS = { still: 80, shown: 120, busy: 300, empty: 1_200 };
const ROUND_MS = 5_000;
const EARLY_MS = 100;
/** The page is busy if no idle callback runs within this time. */
const IDLE_MS = 100;
/** Selectors of placeholders for content that is being loaded. */
const INDICATORS = [
  '[aria-busy="true"]',
  '[role="progressbar"]:not([aria-valuenow])',
  "[class~=spinner]",
  "[class~=skeleton]",
  "[class~=loading]:not(img, iframe, html, body)",
  "[class~=loader]",
  '[class*="skeleton-"]',
  '[class*="-skeleton"]',
  '[class*="spinner-border"]',
  '[class*="MuiSkeleton"]',
].join(",");

/** Watches the requests of a page from before it is opened. */
export class Traffic implements Disposable {
  readonly #page: Page;
  readonly #pending = new Map<Request, number>();
  #changedAt = performance.now();
  /** Requests made by scripts. */
  #calls = 0;
  readonly #onRequest = (request: Request): void => {
    const kind = request.resourceType();
    if (!CONTENT_REQUESTS.has(kind)) return;
    if (kind === "xhr" || kind === "fetch") this.#calls += 1;
    this.#pending.set(request, performance.now());
    this.#changedAt = performance.now();
  };
  readonly #onEnd = (request: Request): void => {
    if (this.#pending.delete(request)) this.#changedAt = performance.now();
  };

  constructor(page: Page) {
    this.#page = page;
    page.on("request", this.#onRequest).on("requestfinished", this.#onEnd);
    page.on("requestfailed", this.#onEnd);
  }

  /** Number of requests worth waiting for. */
  countPending(): number {
    const since = performance.now() - PATIENCE_MS;
    let count = 0;
    for (const startedAt of this.#pending.values()) if (startedAt > since) count += 1;
    return count;
  }

  getQuietMs(): number {
    return performance.now() - this.#changedAt;
  }

  countCalls(): number {
    return this.#calls;
  }

  [Symbol.dispose](): void {
    this.#page.off("request", this.#onRequest).off("requestfinished", this.#onEnd);
    this.#page.off("requestfailed", this.#onEnd);
  }
}

type Stillness = {
  /** Visible changes while it was watched, after the first ones of the scripts. */
  readonly changes: number;
  /** Words of the body, counted up to 60. */
  readonly words: number;
  readonly scripts: number;
  readonly loading: boolean;
  /** True if a spinner, skeleton or busy region is shown. */
  readonly isWaiting: boolean;
  /** True if the scripts of the page let an idle callback run. */
  readonly isIdle: boolean;
  readonly size: Size;
  /** Milliseconds without a change at the end. */
  readonly quietMs: number;
};

type Size = { readonly elements: number; readonly text: number };

export type SettleResult = {
  readonly isQuiet: boolean;
  /** Why the wait ended, for --explain. */
  readonly reason: string;
};

/** How long a page in this state must stay as it is. */
function chooseQuiet(
  seen: Stillness,
  traffic: Traffic,
  changes: number,
): { readonly ms: number; readonly reason: string } {
  if (seen.words < 20 && seen.scripts > 0)
    return { ms: QUIET_MS.empty, reason: "it shows almost nothing" };
  if (seen.isWaiting) return { ms: QUIET_MS.empty, reason: "it shows a loading indicator" };
  if (!seen.isIdle) return { ms: QUIET_MS.busy, reason: "its scripts are busy" };
  const isDataShown = seen.quietMs <= traffic.getQuietMs();
  if (traffic.countCalls() > 0)
    return isDataShown
      ? { ms: QUIET_MS.shown, reason: "its text changed after its last response" }
      : { ms: QUIET_MS.busy, reason: "its requests have ended" };
  return changes > 0
    ? { ms: QUIET_MS.busy, reason: "its scripts changed the text" }
    : { ms: QUIET_MS.still, reason: "it makes no requests" };
}

/**
 * Waits until the page is quiet, at most `budgetMs`. A page with scripts and hardly any text gets
 * longer, because it may wait for a timer. Rejects only with the deadline's reason or when the page
 * is gone.
 */
export async function settle(
  world: PageWorld,
  traffic: Traffic,
  budgetMs: number,
  deadline: Deadline,
): Promise<SettleResult> {
  const startedAt = performance.now();
  const endsAt = startedAt + Math.min(budgetMs, deadline.getTimeLeftMs());
  const left = (): number => endsAt - performance.now();
  let quietMs = QUIET_MS.still;
  let changes = 0;
  let last: Stillness | undefined;
  while (left() > 0) {
    const seen: Stillness = await world.run<Stillness>(
      SOURCE,
      { quietMs, maxMs: Math.min(left(), ROUND_MS), last },
      deadline,
    );
    last = seen;
    changes += seen.changes;
    const { ms, reason } = chooseQuiet(seen, traffic, changes);
    const isQuiet =
      !seen.loading &&
      traffic.countPending() === 0 &&
      traffic.getQuietMs() >= Math.min(quietMs, ms);
    if (isQuiet && ms <= seen.quietMs)
      return { isQuiet, reason: `${reason}, and nothing changed for ${ms} ms` };
    // A quiet document is not enough; the next round waits for the results of the requests.
    quietMs = ms <= seen.quietMs ? seen.quietMs + QUIET_MS.still : ms;
  }
  const waited = Math.round(performance.now() - startedAt);
  return { isQuiet: false, reason: `it was still changing after ${waited} ms` };
}

/** Runs in the page: resolves after `quietMs` without a visible change, those of `last` included. */
async function watchDocument({
  quietMs,
  maxMs,
  last,
}: {
  quietMs: number;
  maxMs: number;
  last?: Stillness | undefined;
}): Promise<Stillness> {
  const startedAt = performance.now();
  let changedAt = startedAt - (last?.quietMs ?? 0);
  let changes = 0;
  let isDirty = true;
  const measure = (): Size => ({
    elements: document.getElementsByTagName("*").length,
    text: document.body?.textContent?.length ?? 0,
  });
  /** Time after the DOMContentLoaded handlers, or Infinity before. */
  const readyAt = (): number => {
    const [entry] = performance.getEntriesByType("navigation");
    return entry?.domContentLoadedEventEnd || Infinity;
  };
  let size = last?.size ?? measure();
  const observer = new MutationObserver(() => {
    isDirty = true;
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  for (;;) {
    const now = performance.now();
    if (document.readyState === "loading") {
      // Nodes added by the parser are the page, not a change.
      isDirty = false;
      size = measure();
      changedAt = now;
    } else if (isDirty) {
      isDirty = false;
      const next = measure();
      // Only changes above this size count, because clocks and slideshows change constantly.
      if (
        Math.abs(next.elements - size.elements) > Math.max(2, size.elements / 200) ||
        Math.abs(next.text - size.text) > Math.max(30, size.text / 200)
      ) {
        size = next;
        changedAt = now;
        // Scripts run their first changes right after the document is ready; later changes indicate
        // that more will follow.
        if (now - readyAt() > EARLY_MS) changes += 1;
      }
    }
    const still = document.readyState !== "loading" && now - changedAt >= quietMs;
    if (still || now - startedAt >= maxMs) break;
    const rest = Math.max(10, Math.min(50, quietMs - (now - changedAt)));
    await new Promise((resolve) => {
      setTimeout(resolve, rest);
    });
  }
  observer.disconnect();
  const isIdle = await new Promise<boolean>((resolve) => {
    requestIdleCallback(({ didTimeout }) => resolve(!didTimeout), { timeout: IDLE_MS });
  });
  return {
    changes,
    words: countWords(document.body),
    scripts: document.getElementsByTagName("script").length,
    loading: document.readyState === "loading",
    isWaiting: isShown(document.querySelectorAll(INDICATORS)),
    isIdle,
    size,
    quietMs: performance.now() - changedAt,
  };
}

/** Checks the first elements only: a page may have thousands. */
function isShown(elements: ArrayLike<PageElement>): boolean {
  for (let index = 0; index < elements.length && index < 20; index++) {
    const box = elements[index]?.getBoundingClientRect();
    if (box !== undefined && box.width > 0 && box.height > 0) return true;
  }
  return false;
}

/** Counts up to 60 words outside scripts and styles. */
function countWords(body: PageElement | null): number {
  let words = 0;
  const stack = body === null ? [] : [body as PageElement["childNodes"][number]];
  for (let node = stack.pop(); node !== undefined && words < 60; node = stack.pop()) {
    if (node.nodeType === 3) words += (node.textContent ?? "").split(/\s+/).filter(Boolean).length;
    else if (!/^(?:script|style|noscript|template)$/i.test(node.nodeName)) {
      const shadow = (node as PageElement).shadowRoot;
      for (const child of Array.from((shadow ?? node).childNodes)) stack.push(child);
    }
  }
  return words;
}

const SOURCE = `async (argument) => { "use strict";
const EARLY_MS = ${EARLY_MS}, IDLE_MS = ${IDLE_MS}, INDICATORS = ${JSON.stringify(INDICATORS)};
${[countWords, isShown, watchDocument].map(String).join("\n")}
return await watchDocument(argument); }`;
