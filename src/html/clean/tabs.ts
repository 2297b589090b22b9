// Tabs: a row of names and panels of which a browser shows one at a time. Read in sequence, each
// panel needs its name, or readers cannot assign it.
import { type Element, isTag, type ParentNode } from "domhandler";
import { createElement, createText } from "../parse/nodes.ts";
import {
  readAttribute,
  detach,
  findElement,
  foldSpace,
  getNextNode,
  setChildren,
  readText,
} from "../parse/tree.ts";

/** Class of the names written into panels here. */
export const TAB_NAME = "tab-name";

/** Class of tab rows in MkDocs. */
const LABELS = "tabbed-labels";

/** True for classes of label rows that have no tablist role: MkDocs and VitePress code groups. */
export const isTabRow = (classes: string): boolean => classes === LABELS || classes === "tabs";

const MIN_TABS = 2;
const MAX_TABS = 12;
/** Maximum length of a tab name, in characters. */
const MAX_NAME_CHARACTERS = 60;
/** Limits: rows per page, elements searched for the panels of a row, and ancestor levels. */
const MAX_ROWS = 100;
const MAX_ELEMENTS = 4_000;
const MAX_LEVELS = 3;

/** Names the panels of the page's tab rows, in document order. */
export function namePanels(rows: readonly Element[]): void {
  for (const row of rows.slice(0, MAX_ROWS)) nameTabPanels(row);
}

/**
 * Writes the name of each tab above its panel and removes the row, if names and panels match one to
 * one.
 */
function nameTabPanels(row: Element): void {
  const tabs = findTabs(row);
  if (tabs.length < MIN_TABS || tabs.length > MAX_TABS) return;
  const names = tabs.map((tab) => foldSpace(readText(tab, MAX_NAME_CHARACTERS + 1)));
  if (names.some((name) => name === "" || name.length > MAX_NAME_CHARACTERS)) return;
  const panels = findPanels(row, tabs);
  if (panels === undefined) return;
  for (const [at, panel] of panels.entries()) open(panel, names[at] as string);
  detach(row);
}

function findTabs(row: Element): Element[] {
  const tabs = (listElementsBelow(row) ?? []).filter(
    (element) => readAttribute(element, "role") === "tab",
  );
  if (tabs.length > 0) return tabs;
  if (readAttribute(row, "class") !== LABELS && findCodeGroupBlocks(row) === undefined) return tabs;
  return row.children.filter((child) => isTag(child)).filter(({ name }) => name === "label");
}

/** Returns the panels in the order of their tabs, or undefined if their number differs. */
function findPanels(row: Element, tabs: readonly Element[]): Element[] | undefined {
  const blocks = findCodeGroupBlocks(row);
  if (blocks !== undefined) return blocks.length === tabs.length ? blocks : undefined;
  let above: ParentNode | null = row.parent;
  for (let level = 0; level < MAX_LEVELS && above !== null && isTag(above); level++) {
    const elements = listElementsBelow(above);
    if (elements === undefined) return undefined;
    const found = findControlledPanels(tabs, elements) ?? filterOutermost(elements.filter(isPanel));
    const isApart = (panel: Element): boolean => !contains(panel, row) && !contains(row, panel);
    if (found.length === tabs.length && found.every(isApart)) return found;
    // Several panel groups belong to several rows.
    if (found.length > 0) return undefined;
    above = above.parent;
  }
  return undefined;
}

/** Returns the blocks of a VitePress code group. */
function findCodeGroupBlocks({ parent }: Element): Element[] | undefined {
  if (parent === null || !isTag(parent)) return undefined;
  if (!/(?:^|\s)vp-code-group(?:\s|$)/.test(readAttribute(parent, "class"))) return undefined;
  const own = parent.children.filter((child) => isTag(child));
  return own.find(({ attribs }) => attribs["class"] === "blocks")?.children.filter(isTag);
}

function findControlledPanels(
  tabs: readonly Element[],
  elements: readonly Element[],
): Element[] | undefined {
  const ids = tabs.map((tab) => readAttribute(tab, "aria-controls"));
  if (new Set(ids).size < ids.length || ids.includes("")) return undefined;
  const panels = ids.map((id) => elements.find((element) => element.attribs["id"] === id));
  return panels.every((panel) => panel !== undefined) ? panels : undefined;
}

const isPanel = (element: Element): boolean =>
  readAttribute(element, "role") === "tabpanel" ||
  /(?:^|\s)tabbed-block(?:\s|$)/.test(readAttribute(element, "class"));

/** Filters panels in document order to those not inside another panel. */
function filterOutermost(panels: readonly Element[]): Element[] {
  const found: Element[] = [];
  for (const panel of panels) {
    const last = found.at(-1);
    if (last === undefined || !contains(last, panel)) found.push(panel);
  }
  return found;
}

/** Returns the elements below `root`, or undefined if there are too many. */
function listElementsBelow(root: Element): Element[] | undefined {
  const found: Element[] = [];
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root)) {
    if (!isTag(node)) continue;
    if (found.length === MAX_ELEMENTS) return undefined;
    found.push(node);
  }
  return found;
}

function contains(outer: Element, inner: Element): boolean {
  for (let above: ParentNode | null = inner.parent; above !== null; above = above.parent)
    if (above === outer) return true;
  return false;
}

/** True if the first heading of the panel is already its name. */
function hasTitle(panel: Element, name: string): boolean {
  const heading = findElement(panel, (element) => /^h[1-6]$/.test(element.name));
  return heading !== undefined && foldSpace(readText(heading, MAX_NAME_CHARACTERS + 1)) === name;
}

/** Shows a panel under its name, unless it is empty or already has that heading. */
function open(panel: Element, name: string): void {
  delete panel.attribs["hidden"];
  const { style } = panel.attribs;
  if (style !== undefined) panel.attribs["style"] = style.replaceAll(/display:\s*none;?/gi, "");
  if (foldSpace(readText(panel, MAX_NAME_CHARACTERS)) === "" || hasTitle(panel, name)) return;
  const written = createText(name);
  const strong = createElement("strong", {}, [written]);
  const paragraph = createElement("p", { class: TAB_NAME }, [strong]);
  written.parent = strong;
  strong.parent = paragraph;
  setChildren(panel, [paragraph, ...panel.children]);
}
