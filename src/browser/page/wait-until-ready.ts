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
declare const MutationObserver: new (callback: () => void) => PageObserver;

/** Requests that bring content. Images and fonts do not delay reading. */
const CONTENT_REQUESTS = new Set(["document", "script", "stylesheet", "xhr", "fetch"]);
/** A longer request is a poll or stream, or not worth the wait. */
const PATIENCE_MS = 4_000;
const QUIET_MS = { still: 80, busy: 300, empty: 1_200 };
const ROUND_MS = 5_000;
const EARLY_MS = 100;
const BUSY_MS = QUIET_MS.busy;

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
  /** Visible changes while it was watched. */
  readonly changes: number;
  /** Words of the body, counted up to 60. */
  readonly words: number;
  readonly scripts: number;
  readonly loading: boolean;
  /** Milliseconds without a change at the end. */
  readonly quietMs: number;
};

export type SettleResult = { readonly quiet: boolean };

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
  const endsAt = performance.now() + Math.min(budgetMs, deadline.getTimeLeftMs());
  const left = (): number => endsAt - performance.now();
  let quietMs = QUIET_MS.still;
  while (left() > 0) {
    const seen = await world.run<Stillness>(
      SOURCE,
      { quietMs, maxMs: Math.min(left(), ROUND_MS) },
      deadline,
    );
    const empty = seen.words < 20 && seen.scripts > 0;
    const wanted = empty
      ? QUIET_MS.empty
      : traffic.countCalls() > 0
        ? QUIET_MS.busy
        : QUIET_MS.still;
    const isQuiet =
      !seen.loading && traffic.countPending() === 0 && traffic.getQuietMs() >= quietMs;
    if (isQuiet && wanted <= Math.max(quietMs, seen.quietMs)) return { quiet: true };
    // A quiet document is not enough; the next round waits for the results of the requests.
    quietMs = Math.max(quietMs, wanted);
  }
  return { quiet: false };
}

/** Runs in the page: resolves after `quietMs` without a visible change. */
async function watchDocument({
  quietMs,
  maxMs,
}: {
  quietMs: number;
  maxMs: number;
}): Promise<Stillness> {
  const startedAt = performance.now();
  let changedAt = startedAt;
  let changes = 0;
  let dirty = false;
  const measure = (): { elements: number; text: number } => ({
    elements: document.getElementsByTagName("*").length,
    text: document.body?.textContent?.length ?? 0,
  });
  /** Time after the DOMContentLoaded handlers, or Infinity before. */
  const readyAt = (): number => {
    const [entry] = performance.getEntriesByType("navigation");
    return entry?.domContentLoadedEventEnd || Infinity;
  };
  let size = measure();
  const observer = new MutationObserver(() => {
    dirty = true;
  });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  for (;;) {
    const now = performance.now();
    if (document.readyState === "loading") {
      // Nodes added by the parser are the page, not a change.
      dirty = false;
      size = measure();
      changedAt = now;
    } else if (dirty) {
      dirty = false;
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
    const wantedMs = changes > 0 ? Math.max(quietMs, BUSY_MS) : quietMs;
    const still = document.readyState !== "loading" && now - changedAt >= wantedMs;
    if (still || now - startedAt >= maxMs) break;
    const rest = Math.max(10, Math.min(50, wantedMs - (now - changedAt)));
    await new Promise((resolve) => {
      setTimeout(resolve, rest);
    });
  }
  observer.disconnect();
  return {
    changes,
    words: countWords(document.body),
    scripts: document.getElementsByTagName("script").length,
    loading: document.readyState === "loading",
    quietMs: performance.now() - changedAt,
  };
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
const EARLY_MS = ${EARLY_MS}, BUSY_MS = ${QUIET_MS.busy};
${[countWords, watchDocument].map(String).join("\n")}
return await watchDocument(argument); }`;
