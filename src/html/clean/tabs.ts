// Tabs: a row of names and panels of which a browser shows one at a time. Read in sequence, each
// panel needs its name, or readers cannot assign it.
import { type Element, isTag, type ParentNode } from "domhandler";
import { newElement, newText } from "../parse/nodes.ts";
import {
  attributeOf,
  detach,
  findElement,
  foldSpace,
  nextNode,
  setChildren,
  textOf,
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
  const tabs = tabsOf(row);
  if (tabs.length < MIN_TABS || tabs.length > MAX_TABS) return;
  const names = tabs.map((tab) => foldSpace(textOf(tab, MAX_NAME_CHARACTERS + 1)));
  if (names.some((name) => name === "" || name.length > MAX_NAME_CHARACTERS)) return;
  const panels = panelsOf(row, tabs);
  if (panels === undefined) return;
  for (const [at, panel] of panels.entries()) open(panel, names[at] as string);
  detach(row);
}

function tabsOf(row: Element): Element[] {
  const tabs = (elementsIn(row) ?? []).filter((element) => attributeOf(element, "role") === "tab");
  if (tabs.length > 0) return tabs;
  if (attributeOf(row, "class") !== LABELS && blocksBeside(row) === undefined) return tabs;
  return row.children.filter((child) => isTag(child)).filter(({ name }) => name === "label");
}

/** Returns the panels in the order of their tabs, or undefined if their number differs. */
function panelsOf(row: Element, tabs: readonly Element[]): Element[] | undefined {
  const blocks = blocksBeside(row);
  if (blocks !== undefined) return blocks.length === tabs.length ? blocks : undefined;
  let above: ParentNode | null = row.parent;
  for (let level = 0; level < MAX_LEVELS && above !== null && isTag(above); level++) {
    const elements = elementsIn(above);
    if (elements === undefined) return undefined;
    const found = controlledBy(tabs, elements) ?? outermost(elements.filter(isPanel));
    const isApart = (panel: Element): boolean => !contains(panel, row) && !contains(row, panel);
    if (found.length === tabs.length && found.every(isApart)) return found;
    // Several panel groups belong to several rows.
    if (found.length > 0) return undefined;
    above = above.parent;
  }
  return undefined;
}

/** Returns the blocks of a VitePress code group. */
function blocksBeside({ parent }: Element): Element[] | undefined {
  if (parent === null || !isTag(parent)) return undefined;
  if (!/(?:^|\s)vp-code-group(?:\s|$)/.test(attributeOf(parent, "class"))) return undefined;
  const own = parent.children.filter((child) => isTag(child));
  return own.find(({ attribs }) => attribs["class"] === "blocks")?.children.filter(isTag);
}

function controlledBy(
  tabs: readonly Element[],
  elements: readonly Element[],
): Element[] | undefined {
  const ids = tabs.map((tab) => attributeOf(tab, "aria-controls"));
  if (new Set(ids).size < ids.length || ids.includes("")) return undefined;
  const panels = ids.map((id) => elements.find((element) => element.attribs["id"] === id));
  return panels.every((panel) => panel !== undefined) ? panels : undefined;
}

const isPanel = (element: Element): boolean =>
  attributeOf(element, "role") === "tabpanel" ||
  /(?:^|\s)tabbed-block(?:\s|$)/.test(attributeOf(element, "class"));

/** Filters panels in document order to those not inside another panel. */
function outermost(panels: readonly Element[]): Element[] {
  const found: Element[] = [];
  for (const panel of panels) {
    const last = found.at(-1);
    if (last === undefined || !contains(last, panel)) found.push(panel);
  }
  return found;
}

/** Returns the elements below `root`, or undefined if there are too many. */
function elementsIn(root: Element): Element[] | undefined {
  const found: Element[] = [];
  for (let node = nextNode(root, root); node !== null; node = nextNode(node, root)) {
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
  return heading !== undefined && foldSpace(textOf(heading, MAX_NAME_CHARACTERS + 1)) === name;
}

/** Shows a panel under its name, unless it is empty or already has that heading. */
function open(panel: Element, name: string): void {
  delete panel.attribs["hidden"];
  const { style } = panel.attribs;
  if (style !== undefined) panel.attribs["style"] = style.replaceAll(/display:\s*none;?/gi, "");
  if (foldSpace(textOf(panel, MAX_NAME_CHARACTERS)) === "" || hasTitle(panel, name)) return;
  const written = newText(name);
  const strong = newElement("strong", {}, [written]);
  const paragraph = newElement("p", { class: TAB_NAME }, [strong]);
  written.parent = strong;
  strong.parent = paragraph;
  setChildren(panel, [paragraph, ...panel.children]);
}
