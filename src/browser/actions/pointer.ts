// Clicks and scrolls.
import type { ElementHandle, Locator, Page } from "playwright-core";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement, PageWindow } from "../page/page-surface.ts";
import { countMatches, findVisible, matchesIn } from "./find-element.ts";
import { openHere } from "./open-here.ts";
import { STEP_MS, toTimeout } from "./step.ts";

declare const document: PageDocument;
declare const window: PageWindow;

/** Maximum matches that `all` clicks, for selectors such as `a` on a large page. */
const MAX_CLICKS = 500;

/**
 * Clicks the first visible match once it is stable, enabled and not covered. A link or form that
 * would open a new tab opens in this one. Throws StepFault or Playwright's TimeoutError.
 */
export async function click(
  page: Page,
  selector: string,
  deadline: Deadline,
  patienceMs: number,
): Promise<void> {
  using until = deadline.createChild(patienceMs);
  const element = await findVisible(page, selector, until);
  using clicking = deadline.createChild(patienceMs);
  await clicking.race(element.evaluate(openHere, undefined, { timeout: toTimeout(clicking) }));
  await clicking.race(element.click({ timeout: toTimeout(clicking) }));
}

/**
 * Clicks every visible match of the page and its frames in document order, as they were at the
 * start of the step. Skips those that an earlier click hid or removed. No match is not an error.
 */
export async function clickAll(page: Page, selector: string, deadline: Deadline): Promise<void> {
  using until = deadline.createChild(STEP_MS.clickAll);
  const elements: ElementHandle[] = [];
  for (const frame of page.frames()) {
    const matches = matchesIn(frame, selector);
    if ((await countMatches(matches, selector, until)) === 0) continue;
    elements.push(...(await until.race(matches.elementHandles())));
  }
  for (const element of elements.slice(0, MAX_CLICKS)) {
    if (!(await until.race(isAttached(element)))) continue;
    await until.race(element.evaluate(openHere).catch(() => undefined));
    try {
      await until.race(element.click({ timeout: toTimeout(until) }));
    } catch (error) {
      if (await until.race(isAttached(element))) throw error;
    }
  }
}

/** Also false for an element whose page is gone. */
const isAttached = async (element: ElementHandle): Promise<boolean> =>
  await element.isVisible().catch(() => false);

/**
 * Scrolls the page by the window height, or the element by its own height. If the page itself does
 * not scroll, its largest scrollable element does. An element that does not scroll is scrolled into
 * view.
 */
export async function scroll(
  page: Page,
  direction: "up" | "down",
  selector: string | undefined,
  deadline: Deadline,
): Promise<void> {
  using until = deadline.createChild(STEP_MS.patience);
  const sign = direction === "down" ? 1 : -1;
  if (selector === undefined) await until.race(page.evaluate(scrollPage, sign));
  else {
    const element: Locator = await findVisible(page, selector, until);
    await until.race(element.evaluate(scrollElement, sign, { timeout: toTimeout(until) }));
  }
}

/** Runs in the page. */
function scrollPage(sign: number): void {
  const root = document.scrollingElement ?? document.documentElement;
  let target: PageElement = root;
  if (root.scrollHeight <= window.innerHeight + 1) {
    let largest = 0;
    for (const element of document.querySelectorAll("body, body *")) {
      if (element.scrollHeight <= element.clientHeight + 1) continue;
      const area = element.clientWidth * element.clientHeight;
      if (
        area <= largest ||
        !/auto|scroll|overlay/.test(window.getComputedStyle(element).overflowY)
      )
        continue;
      largest = area;
      target = element;
    }
  }
  const height = target === root ? window.innerHeight : target.clientHeight;
  target.scrollBy({ top: sign * height, behavior: "instant" });
}

/** Runs in the page. */
function scrollElement(node: PageElement, sign: number): void {
  const scrolls =
    node.scrollHeight > node.clientHeight + 1 &&
    (node === document.scrollingElement ||
      node === document.body ||
      /auto|scroll|overlay|hidden/.test(window.getComputedStyle(node).overflowY));
  if (!scrolls) node.scrollIntoView({ block: "center", behavior: "instant" });
  else if (node === document.body || node === document.scrollingElement)
    window.scrollBy({ top: sign * window.innerHeight, behavior: "instant" });
  else node.scrollBy({ top: sign * node.clientHeight, behavior: "instant" });
}
