// Virtualized lists draw only visible entries and drop the others. They are scrolled through once,
// and every entry is kept for the page reader (read-html.ts), which runs in the same isolated
// world.
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const self: { harvested?: Map<unknown, string[]> };
declare const requestAnimationFrame: (callback: () => void) => number;
declare const getComputedStyle: (element: PageElement) => { readonly overflowY: string };

const LIMITS = {
  lists: 3,
  entries: 3_000,
  steps: 150,
  pauseMs: 40,
  /** Hidden pages have no animation frames. */
  frameMs: 1_000,
  /** Maximum wait per step for a page that draws slowly, */
  lateMs: 350,
  /** and in total for all lists with empty positions, because free placement leaves gaps. */
  emptyMs: 1_050,
};

/**
 * Scrolls through the lists of the page within `budgetMs`. A page without lists costs one query.
 * Returns warnings for unread entries.
 */
export async function readVirtualLists(
  world: PageWorld,
  budgetMs: number,
  deadline: Deadline,
): Promise<string[]> {
  const partly = await world.run<number>(SOURCE, { ...LIMITS, budgetMs }, deadline);
  return partly === 0
    ? []
    : [
        `Virtualized lists were read up to ${partly} entries; they were not scrolled to the end and may have more.`,
      ];
}

type Limits = typeof LIMITS & { readonly budgetMs: number };

/**
 * Runs in the page. Returns the number of entries of lists that were not scrolled to their ends.
 */
async function scrollLists(limits: Limits): Promise<number> {
  delete self.harvested;
  const lists = findLists().slice(0, limits.lists);
  if (lists.length === 0) return 0;
  const endsAt = performance.now() + limits.budgetMs;
  const kept = new Map<unknown, string[]>();
  const patience = { ms: limits.emptyMs };
  let partly = 0;
  for (const { list, scroller } of lists) {
    const { entries, whole } = await scrollList(list, scroller, { ...limits, endsAt, patience });
    // No additional entries appeared, so the list is not virtualized.
    if (entries.length <= list.children.length) continue;
    kept.set(list, entries);
    if (!whole) partly += entries.length;
  }
  self.harvested = kept;
  return partly;
}

/**
 * Finds parents of at least five entries that are positioned individually, or numbered beyond those
 * present.
 */
function findLists(): { list: PageElement; scroller: PageElement }[] {
  const found = new Map<PageElement, PageElement>();
  const candidates = document.querySelectorAll(
    "[style*='translate'],[style*='absolute'],[data-index],[data-item-index],[aria-rowindex],[aria-posinset]",
  );
  for (let index = 0; index < Math.min(candidates.length, 2_000); index++) {
    const list = candidates[index]?.parentElement;
    if (!list || found.has(list) || list.children.length < 5) continue;
    let placed = 0;
    for (const child of Array.from(list.children))
      if (readEntryPlace(child) !== undefined) placed += 1;
    if (placed < 5 || placed < list.children.length * 0.6) continue;
    const scroller = findScroller(list);
    if (scroller !== undefined) found.set(list, scroller);
  }
  return Array.from(found, ([list, scroller]) => ({ list, scroller }));
}

/** Returns an entry's index in its list, or undefined if it does not declare one. */
function readEntryPlace(entry: PageElement): number | undefined {
  for (const name of ["data-index", "data-item-index", "aria-rowindex", "aria-posinset"]) {
    const value = entry.getAttribute(name);
    if (value !== null && /^\d+$/.test(value)) return Number(value);
  }
  const { style } = entry;
  if (style === undefined) return undefined;
  const moved = /translate(?:Y|3d)?\((?:[^,)]+,\s*)?(-?[\d.]+)px/.exec(style.transform)?.[1];
  if (moved !== undefined) return Number(moved);
  return style.position === "absolute" && style.top.endsWith("px")
    ? Number.parseFloat(style.top)
    : undefined;
}

/** Returns the nearest scrollable ancestor that shows less than half of its content. */
function findScroller(list: PageElement): PageElement | undefined {
  for (let at: PageElement | null = list; at !== null; at = at.parentElement) {
    if (at.scrollHeight < at.clientHeight * 2 || at.clientHeight === 0) continue;
    if (at === document.body && isOfWindow()) continue;
    if (/auto|scroll|overlay/.test(getComputedStyle(at).overflowY)) return at;
  }
  const root = document.scrollingElement;
  return root !== null && root.scrollHeight > root.clientHeight * 2 ? root : undefined;
}

/**
 * True if the body's overflow applies to the window and the body itself does not scroll, unless the
 * root sets its own (CSS Overflow 3, 3.3).
 */
function isOfWindow(): boolean {
  const root = document.documentElement;
  return root !== null && getComputedStyle(root).overflowY === "visible";
}

async function scrollList(
  list: PageElement,
  scroller: PageElement,
  limits: Limits & { readonly endsAt: number; readonly patience: { ms: number } },
): Promise<{ entries: string[]; whole: boolean }> {
  const { endsAt, patience } = limits;
  const from = scroller.scrollTop;
  const entries = new Map<number, string>();
  const collect = (): void => {
    for (const child of Array.from(list.children)) {
      const place = readEntryPlace(child);
      if (place !== undefined && !entries.has(place)) entries.set(place, child.outerHTML);
    }
  };
  const step = Math.max(50, scroller.clientHeight * 0.8);
  const rest = async (): Promise<void> => {
    const withoutFrame = Math.min(limits.frameMs, Math.max(0, endsAt - performance.now()));
    await pause(limits.pauseMs, withoutFrame);
  };
  let whole = false;
  for (let count = 0, top = 0; count < limits.steps && performance.now() < endsAt; count++) {
    // A page may enable smooth scrolling, which would still be in progress.
    scroller.scrollTo({ top, behavior: "instant" });
    await rest();
    const late = performance.now();
    const lateEnd = Math.min(late + Math.min(limits.lateMs, patience.ms), endsAt);
    while (!isDrawn(list, scroller) && performance.now() < lateEnd) await rest();
    if (!isDrawn(list, scroller)) patience.ms -= performance.now() - late;
    collect();
    whole = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1;
    const isStuck = scroller.scrollTop < top - 1;
    if (whole || isStuck || entries.size >= limits.entries) break;
    top += step;
  }
  scroller.scrollTo({ top: from, behavior: "instant" });
  const inOrder = Array.from(entries)
    .toSorted(([one], [other]) => one - other)
    .map(([, html]) => html);
  return { entries: inOrder, whole };
}

/** Waits through at least one animation frame, at whose start a page is notified of scrolling. */
async function pause(ms: number, withoutFrameMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, withoutFrameMs);
    requestAnimationFrame(() => void setTimeout(resolve, ms));
  });
}

/** True if entries are at both ends of the visible part of the list. */
function isDrawn(list: PageElement, scroller: PageElement): boolean {
  const boxes = Array.from(list.children)
    .filter((entry) => readEntryPlace(entry) !== undefined)
    .map((entry) => entry.getBoundingClientRect());
  const tops = boxes.map((box) => box.top);
  const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...tops);
  // Half the size of an entry: allows for borders and gaps, but not for a missing entry.
  const pitch = (Math.max(...tops) - Math.min(...tops)) / Math.max(1, boxes.length - 1);
  const spare = Math.min(30, pitch / 2);
  let whole = list.getBoundingClientRect();
  // A list may be only as high as its drawn entries, inside a box as high as all of them.
  for (let at = list.parentElement; at !== null && at !== scroller; at = at.parentElement) {
    if (at.children.length !== 1 || whole.bottom - whole.top > height + spare) break;
    whole = at.getBoundingClientRect();
  }
  const view =
    scroller === document.scrollingElement
      ? { top: 0, bottom: scroller.clientHeight }
      : scroller.getBoundingClientRect();
  const top = Math.max(whole.top, view.top) + spare;
  const bottom = Math.min(whole.bottom, view.bottom) - spare;
  return (
    bottom <= top ||
    (boxes.some((box) => box.top <= top && box.bottom >= view.top) &&
      boxes.some((box) => box.bottom >= bottom && box.top <= view.bottom))
  );
}

const SOURCE = `async (argument) => { "use strict";
${[findLists, readEntryPlace, findScroller, isOfWindow, pause, isDrawn, scrollList, scrollLists].map(String).join("\n")}
return await scrollLists(argument); }`;
