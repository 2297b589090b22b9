// Lists that draw only the entries in view ("virtualised") and throw away the others: they are scrolled through once, and
// every entry is kept for the reading of the page (read-html.ts), which runs in the same isolated world.
import type { Deadline } from "../deadline.ts";
import type { PageDocument, PageElement } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const self: { harvested?: Map<unknown, string[]> };
declare const getComputedStyle: (element: PageElement) => { readonly overflowY: string };

const LIMITS = { lists: 3, entries: 3_000, steps: 150, pauseMs: 40 };

/** Scrolls through the lists it finds, within `budgetMs`; a page without any pays one query. The number of entries. */
export async function harvestLists(
  world: PageWorld,
  budgetMs: number,
  deadline: Deadline,
): Promise<number> {
  return await world.run<number>(SOURCE, { ...LIMITS, budgetMs }, deadline);
}

type Limits = typeof LIMITS & { readonly budgetMs: number };

/** Runs in the page. */
async function harvest(limits: Limits): Promise<number> {
  delete self.harvested;
  const lists = findLists().slice(0, limits.lists);
  if (lists.length === 0) return 0;
  const endsAt = performance.now() + limits.budgetMs;
  const kept = new Map<unknown, string[]>();
  let total = 0;
  for (const { list, scroller } of lists) {
    const entries = await scrollList(list, scroller, limits, endsAt);
    total += entries.length;
    // Nothing came that is not there anyway: the list is no more than it looks.
    if (entries.length > list.children.length) kept.set(list, entries);
  }
  self.harvested = kept;
  return total;
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
    if (/auto|scroll|overlay/.test(getComputedStyle(at).overflowY)) return at;
  }
  const root = document.scrollingElement;
  return root !== null && root.scrollHeight > root.clientHeight * 2 ? root : undefined;
}

async function scrollList(
  list: PageElement,
  scroller: PageElement,
  limits: Limits,
  endsAt: number,
): Promise<string[]> {
  const from = scroller.scrollTop;
  const entries = new Map<number, string>();
  const collect = (): void => {
    for (const child of Array.from(list.children)) {
      const place = entryPlace(child);
      if (place !== undefined && !entries.has(place)) entries.set(place, child.outerHTML);
    }
  };
  const step = Math.max(50, scroller.clientHeight * 0.8);
  for (let count = 0, top = 0; count < limits.steps && performance.now() < endsAt; count++) {
    scroller.scrollTop = top;
    await new Promise((resolve) => {
      setTimeout(resolve, limits.pauseMs);
    });
    collect();
    if (entries.size >= limits.entries || top + scroller.clientHeight >= scroller.scrollHeight)
      break;
    top += step;
  }
  scroller.scrollTop = from;
  return Array.from(entries)
    .toSorted(([one], [other]) => one - other)
    .map(([, html]) => html);
}

const SOURCE = `async (argument) => { "use strict";
${[findLists, entryPlace, scrollerOf, scrollList, harvest].map(String).join("\n")}
return await harvest(argument); }`;
