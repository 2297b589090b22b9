// Loads lazy content of a page that appears on scrolling.
import type { Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageWindow } from "../page/page-surface.ts";

declare const document: PageDocument;
declare const innerHeight: number;
declare const requestAnimationFrame: PageWindow["requestAnimationFrame"];

/** Maximum windows to scroll on endless pages. */
const MAX_STEPS = 60;
const STEP_MS = 60;
const FRAME_MS = 500;
const IMAGES_MS = 4_000;

/**
 * Scrolls through the page window by window, waits for the images that started loading, and returns
 * to the initial position. Ends early at its deadline. A page that cannot be scrolled stays
 * unchanged.
 */
export async function scrollThrough(page: Page, deadline: Deadline): Promise<void> {
  const budgetMs = Math.max(0, deadline.getTimeLeftMs() - 500);
  const limits = {
    budgetMs,
    maxSteps: MAX_STEPS,
    stepMs: STEP_MS,
    frameMs: FRAME_MS,
    imagesMs: IMAGES_MS,
  };
  await deadline.race(page.evaluate(scrollInPage, limits)).catch(() => undefined);
}

/** Runs in the page. */
async function scrollInPage(limits: {
  budgetMs: number;
  maxSteps: number;
  stepMs: number;
  frameMs: number;
  imagesMs: number;
}): Promise<void> {
  const startedAt = performance.now();
  const timeLeft = (): number => limits.budgetMs - (performance.now() - startedAt);
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, Math.min(ms, timeLeft())));
    });
  // Intersection observers run when a frame is drawn, which a busy machine delays.
  const drawn = (): Promise<unknown> =>
    Promise.race([
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => void requestAnimationFrame(() => resolve()));
      }),
      pause(limits.frameMs),
    ]);
  const root = document.scrollingElement ?? document.documentElement;
  const from = { left: root.scrollLeft, top: root.scrollTop };
  const step = Math.max(200, innerHeight);
  for (let count = 0, top = 0; count < limits.maxSteps && timeLeft() > 0; count++) {
    top += step;
    if (top >= root.scrollHeight + step) break;
    root.scrollTo({ top, behavior: "instant" });
    await drawn();
    await pause(limits.stepMs);
  }
  root.scrollTo({ ...from, behavior: "instant" });
  const loading = [...document.images].filter(
    (image) => !image.complete && image.src !== "" && image.getClientRects().length > 0,
  );
  const loads = loading.map(
    (image) =>
      new Promise<void>((resolve) => {
        image.addEventListener("load", () => resolve(), { once: true });
        image.addEventListener("error", () => resolve(), { once: true });
      }),
  );
  await Promise.race([Promise.all(loads), pause(Math.min(limits.imagesMs, timeLeft()))]);
  await pause(limits.stepMs);
}
