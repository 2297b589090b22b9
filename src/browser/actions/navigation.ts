// A step may start a navigation, which the next step must wait for.
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Page, Request } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument } from "../page/page-surface.ts";

declare const document: PageDocument;
declare const MutationObserver: new (callback: () => void) => {
  observe(node: PageDocument, options: Readonly<Record<string, boolean>>): void;
  disconnect(): void;
};

/**
 * Time in which a script must start a navigation after a click for the next step to wait for it.
 */
const START_WINDOW_MS = 60;
const QUIET = { windowMs: 100, atMostMs: 1_000 };

export type Navigation = {
  /**
   * Resolves when the step's navigation is done: a new document loaded, or the DOM of the same one
   * is quiet.
   */
  settle(deadline: Deadline): Promise<void>;
  [Symbol.dispose](): void;
};

/** Watches the main frame from before a step. The caller disposes of it. */
export function watchNavigation(page: Page): Navigation {
  let started = 0;
  let ended = 0;
  const isMain = (request: Request): boolean =>
    request.isNavigationRequest() && request.frame() === page.mainFrame();
  const onRequest = (request: Request): void => {
    if (isMain(request) && request.redirectedFrom() === null) started += 1;
  };
  const onFailed = (request: Request): void => {
    if (isMain(request)) ended += 1;
  };
  const onNavigated = (frame: Frame): void => {
    if (frame === page.mainFrame()) ended += 1;
  };
  page.on("request", onRequest);
  page.on("requestfailed", onFailed);
  page.on("framenavigated", onNavigated);

  return {
    async settle(deadline) {
      await sleep(Math.min(START_WINDOW_MS, deadline.getTimeLeftMs()));
      while (started > ended) {
        deadline.check();
        await sleep(25, undefined, { signal: deadline.signal });
      }
      if (ended > 0)
        await deadline.race(
          page.waitForLoadState("domcontentloaded", {
            timeout: Math.max(1, deadline.getTimeLeftMs()),
          }),
        );
      await waitUntilQuiet(page, deadline);
    },
    [Symbol.dispose]() {
      page.off("request", onRequest);
      page.off("requestfailed", onFailed);
      page.off("framenavigated", onNavigated);
    },
  };
}

/** Waits until the DOM has not changed for 100 ms, at most one second. */
async function waitUntilQuiet(page: Page, deadline: Deadline): Promise<void> {
  using until = deadline.createChild(QUIET.atMostMs + 500);
  // A busy or navigating page is not quiet; the next step detects that.
  await until.race(page.evaluate(waitForQuietPage, QUIET)).catch(() => undefined);
  deadline.check();
}

/** Runs in the page. */
function waitForQuietPage({ windowMs, atMostMs }: typeof QUIET): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      observer.disconnect();
      resolve();
    };
    let timer = setTimeout(end, windowMs);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(end, windowMs);
    });
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
    setTimeout(end, atMostMs);
  });
}
