// Finds the element of a step: the first visible match in the page, else in one of its frames.
// Playwright's CSS engine pierces open shadow roots.
import { setTimeout as sleep } from "node:timers/promises";
import type { Frame, Locator, Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import { StepFault } from "./failure.ts";

const POLL_MS = 100;
/** A page that does not respond for this long is busy. */
const BUSY_MS = 1_000;

/** All matches in a frame, including hidden ones. */
export const matchesIn = (frame: Frame, selector: string): Locator =>
  frame.locator(`css=${selector}`);

/**
 * Waits until a matching element is visible and returns it. Throws StepFault if none is by `until`,
 * distinguishing hidden from missing matches, or if the selector is invalid.
 */
export async function findVisible(page: Page, selector: string, until: Deadline): Promise<Locator> {
  let hidden = false;
  while (until.getTimeLeftMs() > 0) {
    for (const frame of page.frames()) {
      const matches = matchesIn(frame, selector);
      const visible = matches.filter({ visible: true });
      if ((await countMatches(visible, selector, until)) > 0) return visible.first();
      hidden ||= (await countMatches(matches, selector, until)) > 0;
    }
    await sleep(Math.min(POLL_MS, until.getTimeLeftMs()));
  }
  throw new StepFault(
    hidden
      ? `elements match the selector, but none became visible within ${until.totalMs} ms`
      : `no element matched the selector within ${until.totalMs} ms`,
  );
}

/** Counts matching elements. A frame that is detached or navigating has none. */
export async function countMatches(
  matches: Locator,
  selector: string,
  until: Deadline,
): Promise<number> {
  const askedAt = performance.now();
  try {
    return await until.race(matches.count());
  } catch (error) {
    if (until.getTimeLeftMs() === 0 && performance.now() - askedAt > BUSY_MS)
      throw createBusyFault(error);
    if (until.getTimeLeftMs() === 0 || !(error instanceof Error)) return 0;
    if (isSelectorFault(error.message))
      throw new StepFault(`${JSON.stringify(selector)} is not a CSS selector`, { cause: error });
    if (/closed|crashed/i.test(error.message) && !/frame/i.test(error.message)) throw error;
    return 0;
  }
}

const isSelectorFault = (message: string): boolean =>
  /not a valid selector|parsing css selector|Unexpected token|Unknown engine|Unknown pseudo/i.test(
    message,
  );

const createBusyFault = (cause: unknown): StepFault =>
  new StepFault("the page did not respond; one of its scripts may be in an endless loop", {
    cause,
  });
