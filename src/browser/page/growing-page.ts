// Pages that grow: infinite scrolling and "load more" buttons. They are scrolled until nothing is
// added any more, or probed once, so that a caller learns that entries are missing.
import type { ScrollLimits } from "../../contract/page/scroll.ts";
import type { Deadline } from "../../deadline.ts";
import { LOAD_MORE_PATTERN, MAX_LABEL_CHARACTERS } from "../../html/evidence/load-more.ts";
import type { PageDocument, PageElement } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";
import { settle, type Traffic } from "./wait-until-ready.ts";

type Sizes = Map<string, { count: number; depth: number }>;

declare const document: PageDocument;
declare const innerHeight: number;
declare const location: { readonly href: string };
declare const self: { entriesAtStart?: Sizes; pressed?: Map<unknown, number> };
declare const requestAnimationFrame: (callback: () => void) => number;
declare const getComputedStyle: (element: PageElement) => { readonly overflowY: string };
declare const addEventListener: (
  type: "click",
  listener: (event: { readonly defaultPrevented: boolean; preventDefault(): void }) => void,
  options: { once: true },
) => void;

const IN_PAGE = {
  pattern: LOAD_MORE_PATTERN,
  maxLabel: MAX_LABEL_CHARACTERS,
  /** A list has at least this many similar elements, and grows by at least so many. */
  minEntries: 5,
  minGrowth: 3,
  /** Smaller changes of height are animations. */
  minPixels: 40,
  maxElements: 100_000,
  /** Share of the window from which on an element that scrolls by itself is followed too. */
  scrollerShare: 0.4,
  maxScrollers: 3,
  stepMs: 20,
  /** Between two looks at a list that may grow. */
  checkMs: 40,
  /** Hidden pages have no animation frames. */
  frameMs: 250,
  maxSteps: 400,
};
/** Scripts often wait a moment after the last scroll event. */
const DEBOUNCE_MS = 250;
const SETTLE_MS = 5_000;
/** Attempts without growth after which the page is complete. */
const IDLE_ROUNDS = 2;
const MAX_ROUNDS = 500;
/** Share of the remaining time that scrolling may take. */
const TIME_SHARE = 0.6;
/** Time of the probe, which every page with a list pays. */
const PROBE_MS = 350;

type State = {
  /** Elements of the document. */
  readonly elements: number;
  /** Sum of the heights of the window's and other scrollers' content. */
  readonly pixels: number;
  /** Entries of the list that has grown most, or 0. */
  readonly entries: number;
};

type Moved = State & { readonly pressed: boolean };

/** Scrolls and presses "load more" until nothing is added or a limit is reached. Returns warnings. */
export async function growPage(
  world: PageWorld,
  traffic: Traffic,
  limits: ScrollLimits,
  deadline: Deadline,
): Promise<string[]> {
  const endsAt =
    performance.now() + Math.min(limits.maxTimeMs, deadline.getTimeLeftMs() * TIME_SHARE);
  const left = (): number => endsAt - performance.now();
  let state = await world.run<State>(SOURCE.start, IN_PAGE, deadline);
  const isFull = (): string | undefined => {
    if (state.entries >= limits.maxEntries) return `maxEntries ${limits.maxEntries}`;
    return state.pixels >= limits.maxPixels ? `maxPixels ${limits.maxPixels}` : undefined;
  };
  let stopped = isFull();
  let idle = 0;
  for (let round = 0; stopped === undefined && idle < IDLE_ROUNDS; round++) {
    if (left() <= 0 || round >= MAX_ROUNDS) {
      stopped = left() <= 0 ? "the time" : `${MAX_ROUNDS} steps`;
      break;
    }
    // The first attempt scrolls, the next presses the button if there is one.
    const argument = { ...IN_PAGE, press: idle > 0, again: idle > 0, budgetMs: left() };
    const moved = await world.run<Moved>(SOURCE.move, argument, deadline);
    await deadline.race(
      new Promise((resolve) => setTimeout(resolve, Math.min(DEBOUNCE_MS, Math.max(0, left())))),
    );
    await settle(world, traffic, Math.max(1, Math.min(SETTLE_MS, left())), deadline);
    const next = await world.run<State>(SOURCE.measure, IN_PAGE, deadline);
    const hasGrown =
      next.elements >= state.elements + IN_PAGE.minGrowth ||
      next.pixels >= state.pixels + IN_PAGE.minPixels;
    idle = hasGrown ? 0 : moved.pressed ? 1 : idle + 1;
    state = next;
    stopped = isFull();
  }
  await world.run(SOURCE.top, IN_PAGE, deadline);
  if (stopped === undefined) return [];
  const read = state.entries > 0 ? `${state.entries} entries` : `${state.pixels} pixels`;
  return [`scroll stopped at ${read} by its limit (${stopped}); the page may have more.`];
}

/**
 * Tests whether the page adds entries when it is scrolled or a button is pressed. The button is not
 * pressed. Returns a warning if it does. The page may be longer afterwards.
 */
export async function warnGrowing(world: PageWorld, deadline: Deadline): Promise<string[]> {
  const found = await world.run<{ entries: number; label: string } | null>(
    SOURCE.probe,
    { ...IN_PAGE, probeMs: Math.min(PROBE_MS, deadline.getTimeLeftMs() / 4) },
    deadline,
  );
  if (found === null) return [];
  const how = found.label === "" ? "when it is scrolled" : `with "${found.label}"`;
  return [
    `The page shows ${found.entries} entries and loads more ${how}; set scroll to "auto" to read them.`,
  ];
}

type InPage = typeof IN_PAGE;

/** Runs in the page. Remembers the lists that it has. */
function start(limits: InPage): State {
  self.entriesAtStart = countElements(limits);
  self.pressed = new Map();
  return measure(limits);
}

/** Counts the elements of each tag and class. */
function countElements({ maxElements }: InPage): Sizes {
  const sizes: Sizes = new Map();
  const stack: { element: PageElement; depth: number }[] = [];
  if (document.body !== null) stack.push({ element: document.body, depth: 0 });
  let left = maxElements;
  for (let entry = stack.pop(); entry !== undefined && left > 0; entry = stack.pop(), left--) {
    const { element, depth } = entry;
    if (/^(?:script|style|link|template|option|svg|br)$/.test(element.localName)) continue;
    const name = `${element.localName}.${element.getAttribute("class") ?? ""}`;
    const size = sizes.get(name);
    if (size === undefined) sizes.set(name, { count: 1, depth });
    else {
      size.count += 1;
      size.depth = Math.min(size.depth, depth);
    }
    const { children } = element;
    for (let index = 0; index < children.length; index++)
      stack.push({ element: children[index]!, depth: depth + 1 });
  }
  return sizes;
}

/** Runs in the page. */
function measure(limits: InPage): State {
  const before: Sizes = self.entriesAtStart ?? new Map();
  let entries = 0;
  let outermost = Infinity;
  for (const [name, { count, depth }] of countElements(limits)) {
    const growth = count - (before.get(name)?.count ?? 0);
    // The parts of an entry grow like the entries, which are around them.
    if (growth < limits.minGrowth || depth >= outermost) continue;
    outermost = depth;
    entries = count;
  }
  const pixels = findScrollers(limits).reduce((sum, { scrollHeight }) => sum + scrollHeight, 0);
  return { elements: document.getElementsByTagName("*").length, pixels, entries };
}

/** Returns the window's scroller and large elements that scroll by themselves. */
function findScrollers({ scrollerShare, maxScrollers, maxElements }: InPage): PageElement[] {
  const root = document.scrollingElement ?? document.documentElement;
  const found = root === null ? [] : [root];
  const all = document.querySelectorAll("main,section,div,ul,ol,tbody");
  for (let index = 0; index < Math.min(all.length, maxElements / 10); index++) {
    if (found.length > maxScrollers) break;
    const element = all[index]!;
    const { clientHeight, scrollHeight } = element;
    if (scrollHeight < clientHeight + 50 || clientHeight < innerHeight * scrollerShare) continue;
    if (/auto|scroll|overlay/.test(getComputedStyle(element).overflowY)) found.push(element);
  }
  return found;
}

/** Waits for a frame, at whose start a page is notified of scrolling and intersections. */
async function waitForFrame({ stepMs, frameMs }: InPage): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, frameMs);
    requestAnimationFrame(() => void setTimeout(resolve, stepMs));
  });
}

/**
 * Scrolls to the end window by window: a mark that is passed in one jump is never seen. With
 * `again`, goes back a window before.
 */
async function scrollDown(
  scroller: PageElement,
  limits: InPage & { readonly again: boolean; readonly endsAt: number },
): Promise<void> {
  const view = Math.max(100, Math.min(scroller.clientHeight, innerHeight));
  let top = Math.max(0, scroller.scrollTop - (limits.again ? view : 0));
  if (limits.again) {
    scroller.scrollTo({ top, behavior: "instant" });
    await waitForFrame(limits);
  }
  for (let count = 0; count < limits.maxSteps && performance.now() < limits.endsAt; count++) {
    const end = scroller.scrollHeight - scroller.clientHeight;
    top = Math.min(end, top + view * 0.8);
    scroller.scrollTo({ top, behavior: "instant" });
    await waitForFrame(limits);
    if (top >= end - 1) break;
  }
}

/** Returns the visible button that adds entries, and its label. */
function findButton(limits: InPage): { button: PageElement; label: string } | undefined {
  const pattern = new RegExp(limits.pattern, "iu");
  const all = document.querySelectorAll(
    "button,a,[role=button],input[type=button],input[type=submit]",
  );
  for (let index = all.length - 1; index >= 0 && index > all.length - 5_000; index--) {
    const button = all[index]!;
    const written = button.localName === "input" ? button.getAttribute("value") : button.innerText;
    const label = (written || button.getAttribute("aria-label") || "").replace(/\s+/g, " ").trim();
    if (label === "" || label.length > limits.maxLabel || !pattern.test(label)) continue;
    if (button.getAttribute("disabled") !== null || isLinkAway(button)) continue;
    if (button.getAttribute("aria-haspopup") !== null || isOfFrame(button)) continue;
    const { width, height } = button.getBoundingClientRect();
    if (width < 2 || height < 2) continue;
    if (button.checkVisibility?.({ visibilityProperty: true }) === false) continue;
    return { button, label };
  }
  return undefined;
}

/** True for a link to another page. A link to a further page of the same list may add it here. */
function isLinkAway(link: PageElement): boolean {
  const { href } = link;
  if (link.localName !== "a" || typeof href !== "string" || link.getAttribute("href") === null)
    return false;
  if (!/^https?:/.test(href)) return !href.startsWith("javascript:");
  const path = (url: string): string => url.replace(/[?#].*$/, "");
  return path(href) !== path(location.href);
}

/** True inside the menu, header or a dialog of the site. */
function isOfFrame(element: PageElement): boolean {
  for (let at: PageElement | null = element; at !== null; at = at.parentElement)
    if (/^(?:nav|header|dialog)$/.test(at.localName) || at.getAttribute("role") === "dialog")
      return true;
  return false;
}

/** Runs in the page. Scrolls to the ends, and with `press` presses the button. */
async function move(
  limits: InPage & { readonly press: boolean; readonly again: boolean; readonly budgetMs: number },
): Promise<Moved> {
  const endsAt = performance.now() + limits.budgetMs;
  for (const scroller of findScrollers(limits)) await scrollDown(scroller, { ...limits, endsAt });
  const found = limits.press ? findButton(limits) : undefined;
  const times = self.pressed ?? new Map<unknown, number>();
  // A button without effect is pressed twice at most.
  const key = found && `${found.label} ${document.getElementsByTagName("*").length}`;
  const isFresh = found !== undefined && (times.get(key) ?? 0) < 1;
  if (found !== undefined && isFresh) {
    times.set(key, (times.get(key) ?? 0) + 1);
    self.pressed = times;
    press(found.button);
  }
  return { ...measure(limits), pressed: isFresh };
}

/** Presses a button or a link; a link whose click the page does not handle is not followed. */
function press(button: PageElement): void {
  if (button.localName === "a")
    addEventListener(
      "click",
      (event) => {
        if (!event.defaultPrevented) event.preventDefault();
      },
      { once: true },
    );
  button.click();
}

/** Runs in the page. Returns to the top. */
function scrollToTop(limits: InPage): void {
  for (const scroller of findScrollers(limits)) scroller.scrollTo({ top: 0, behavior: "instant" });
  delete self.entriesAtStart;
  delete self.pressed;
}

/** Runs in the page. Returns the entries shown and how more are added, or null. */
async function probe(
  limits: InPage & { readonly probeMs: number },
): Promise<{ entries: number; label: string } | null> {
  if (document.getElementsByTagName("script").length === 0) return null;
  const list = findLongestList(limits);
  if (list === undefined) return null;
  const found = findButton(limits);
  if (found !== undefined && isBelow(found.button, list.parent))
    return { entries: list.entries, label: found.label };
  const root = document.scrollingElement;
  if (root === null || root.scrollHeight < innerHeight + 50 || !isNearEnd(list.parent, root))
    return null;
  const height = root.scrollHeight;
  const from = root.scrollTop;
  const endsAt = performance.now() + limits.probeMs;
  root.scrollTo({ top: Math.max(0, height - innerHeight * 2), behavior: "instant" });
  await waitForFrame(limits);
  root.scrollTo({ top: height, behavior: "instant" });
  await waitForFrame(limits);
  const hasGrown = (): boolean =>
    root.scrollHeight > height + limits.minPixels &&
    list.parent.children.length >= list.count + limits.minGrowth;
  // Frames of our own would make the browser draw the page again and again.
  while (!hasGrown() && performance.now() < endsAt)
    await new Promise((resolve) => {
      setTimeout(resolve, limits.checkMs);
    });
  const entries = hasGrown() ? list.entries : 0;
  root.scrollTo({ top: from, behavior: "instant" });
  return entries === 0 ? null : { entries, label: "" };
}

/** Returns the parent with the most similar children outside menus, and their number. */
function findLongestList({
  minEntries,
  maxElements,
}: InPage): { parent: PageElement; entries: number; count: number } | undefined {
  let best: { parent: PageElement; entries: number; count: number; weight: number } | undefined;
  const all = document.querySelectorAll("main,section,div,ul,ol,tbody,article");
  for (let index = 0; index < Math.min(all.length, maxElements / 10); index++) {
    const parent = all[index]!;
    const count = parent.children.length;
    if (count < minEntries || isOfFrame(parent)) continue;
    const names = new Map<string, number>();
    for (const child of Array.from(parent.children)) {
      const name = `${child.localName}.${(child.getAttribute("class") ?? "").split(" ")[0]}`;
      names.set(name, (names.get(name) ?? 0) + 1);
    }
    const entries = Math.max(...names.values());
    const { height } = parent.getBoundingClientRect();
    // The list that takes the most room, not the one with the most links.
    if (entries < minEntries || entries < count * 0.6 || height <= (best?.weight ?? 0)) continue;
    best = { parent, entries, count, weight: height };
  }
  return best;
}

/** True if the list is followed by hardly more than a footer. */
function isNearEnd(list: PageElement, root: PageElement): boolean {
  const { bottom } = list.getBoundingClientRect();
  return root.scrollHeight - (bottom + root.scrollTop) < innerHeight * 1.5;
}

/** True for a button after the beginning of the list, within a window of its end. */
function isBelow(button: PageElement, list: PageElement): boolean {
  const { top: at } = button.getBoundingClientRect();
  const box = list.getBoundingClientRect();
  return at > box.top && at < box.bottom + innerHeight;
}

const FUNCTIONS = [
  countElements,
  measure,
  findScrollers,
  waitForFrame,
  scrollDown,
  findButton,
  isLinkAway,
  isOfFrame,
  press,
  findLongestList,
  isNearEnd,
  isBelow,
  start,
  move,
  scrollToTop,
  probe,
]
  .map(String)
  .join("\n");
const buildSource = ({ name }: { readonly name: string }): string =>
  `async (argument) => { "use strict";
${FUNCTIONS}
return await ${name}(argument); }`;
const SOURCE = {
  start: buildSource(start),
  measure: buildSource(measure),
  move: buildSource(move),
  top: buildSource(scrollToTop),
  probe: buildSource(probe),
};
