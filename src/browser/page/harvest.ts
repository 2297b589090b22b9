// Lists that draw only the entries in view ("virtualised") and throw away the others: they are scrolled through once, and
// every entry is kept for the reading of the page (read-html.ts), which runs in the same isolated world.
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
  /** Pages that are not shown have no frames. */
  frameMs: 1_000,
  /** A page that is slow to draw is waited for this long at each step, */
  lateMs: 350,
  /** and all lists whose places stay empty for this long altogether: what is placed freely leaves gaps. */
  emptyMs: 1_050,
};

/** Scrolls through the lists it finds, within `budgetMs`; a page without any pays one query. Says what was not reached. */
export async function harvestLists(
  world: PageWorld,
  budgetMs: number,
  deadline: Deadline,
): Promise<string[]> {
  const partly = await world.run<number>(SOURCE, { ...LIMITS, budgetMs }, deadline);
  return partly === 0
    ? []
    : [
        `Of lists that draw only the entries in view, ${partly} entries were read; they were not scrolled to the end and may have more.`,
      ];
}

type Limits = typeof LIMITS & { readonly budgetMs: number };

/** Runs in the page. The number of entries of the lists that were not scrolled to their ends. */
async function harvest(limits: Limits): Promise<number> {
  delete self.harvested;
  const lists = findLists().slice(0, limits.lists);
  if (lists.length === 0) return 0;
  const endsAt = performance.now() + limits.budgetMs;
  const kept = new Map<unknown, string[]>();
  const patience = { ms: limits.emptyMs };
  let partly = 0;
  for (const { list, scroller } of lists) {
    const { entries, whole } = await scrollList(list, scroller, { ...limits, endsAt, patience });
    // Nothing came that is not there anyway: the list is no more than it looks.
    if (entries.length <= list.children.length) continue;
    kept.set(list, entries);
    if (!whole) partly += entries.length;
  }
  self.harvested = kept;
  return partly;
}

/** Parents of five entries and more that are put in their places one by one, or numbered beyond what is there. */
function findLists(): { list: PageElement; scroller: PageElement }[] {
  const found = new Map<PageElement, PageElement>();
  const candidates = document.querySelectorAll(
    "[style*='translate'],[style*='absolute'],[data-index],[data-item-index],[aria-rowindex],[aria-posinset]",
  );
  for (let index = 0; index < Math.min(candidates.length, 2_000); index++) {
    const list = candidates[index]?.parentElement;
    if (!list || found.has(list) || list.children.length < 5) continue;
    let placed = 0;
    for (const child of Array.from(list.children)) if (entryPlace(child) !== undefined) placed += 1;
    if (placed < 5 || placed < list.children.length * 0.6) continue;
    const scroller = scrollerOf(list);
    if (scroller !== undefined) found.set(list, scroller);
  }
  return Array.from(found, ([list, scroller]) => ({ list, scroller }));
}

/** Where an entry stands in its list; undefined when it says nothing about it. */
function entryPlace(entry: PageElement): number | undefined {
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

/** The nearest ancestor that scrolls and shows less than a half of what it holds. */
function scrollerOf(list: PageElement): PageElement | undefined {
  for (let at: PageElement | null = list; at !== null; at = at.parentElement) {
    if (at.scrollHeight < at.clientHeight * 2 || at.clientHeight === 0) continue;
    if (at === document.body && isOfWindow()) continue;
    if (/auto|scroll|overlay/.test(getComputedStyle(at).overflowY)) return at;
  }
  const root = document.scrollingElement;
  return root !== null && root.scrollHeight > root.clientHeight * 2 ? root : undefined;
}

/** The body's overflow is the window's, and the body does not move, unless the root has one of its own (CSS Overflow 3, 3.3). */
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
      const place = entryPlace(child);
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
    // A page may ask for smooth scrolling, which would still be on its way.
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

/** A pause that has had a frame in it, at whose start a page is told that it was scrolled. */
async function pause(ms: number, withoutFrameMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, withoutFrameMs);
    requestAnimationFrame(() => void setTimeout(resolve, ms));
  });
}

/** Whether entries stand at both ends of the part of the list that is in view. */
function isDrawn(list: PageElement, scroller: PageElement): boolean {
  const boxes = Array.from(list.children)
    .filter((entry) => entryPlace(entry) !== undefined)
    .map((entry) => entry.getBoundingClientRect());
  const tops = boxes.map((box) => box.top);
  const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...tops);
  // The borders of boxes and the gaps between entries, but no room for an entry: half of what one takes.
  const pitch = (Math.max(...tops) - Math.min(...tops)) / Math.max(1, boxes.length - 1);
  const spare = Math.min(30, pitch / 2);
  let whole = list.getBoundingClientRect();
  // A list may be as high as its drawn entries only, alone in a box as high as all of them.
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
${[findLists, entryPlace, scrollerOf, isOfWindow, pause, isDrawn, scrollList, harvest].map(String).join("\n")}
return await harvest(argument); }`;
