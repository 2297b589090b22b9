// Recognizes controls that add entries to a list, such as "Load more", by their labels.
import { type ChildNode, type Document, type Element, isTag, type ParentNode } from "domhandler";
import { readAttribute, foldSpace, readText } from "../parse/tree.ts";
import { getElementIndex } from "./element-index.ts";
import labels from "./load-more.json" with { type: "json" };

/** Longer texts are not labels. */
export const MAX_LABEL_CHARACTERS = 40;
/** Counts and arrows around a label: "Load more (20)", "Show more ▾". */
const DECORATION = String.raw`[\s()\d\/.,+…›»↓▼▾⌄]`;

/** The labels as one pattern over a trimmed text of at most `MAX_LABEL_CHARACTERS`; flags "iu". */
export const LOAD_MORE_PATTERN = `^${DECORATION}{0,8}(?:${labels.patterns.join("|")})${DECORATION}{0,8}$`;

const LOAD_MORE = new RegExp(LOAD_MORE_PATTERN, "iu");

/** True for "Load more", "Weitere anzeigen", "もっと見る" and the like. */
export const isLoadMore = (label: string): boolean =>
  label.length <= MAX_LABEL_CHARACTERS && LOAD_MORE.test(label);

/** Ancestors of a button and elements before each that may be the list. */
const LEVELS = 3;
const MAX_BEFORE = 3;
const MIN_ENTRIES = 5;
const MAX_CONTROLS = 2_000;

/** Returns the label of a button below a list that adds entries to it, or "". */
export function findLoadMore(document: Document): string {
  const { controls, linking } = getElementIndex(document);
  for (const control of controls.slice(-MAX_CONTROLS)) {
    const label = readLabel(control);
    if (label !== "") return label;
  }
  for (const link of linking.slice(-MAX_CONTROLS)) {
    if (link.name !== "a" || !hasNoAddress(link)) continue;
    const label = readLabel(link);
    if (label !== "") return label;
  }
  return "";
}

/** True for a link without an address of its own. */
const hasNoAddress = (link: Element): boolean =>
  /^(?:$|#|javascript:)/i.test(readAttribute(link, "href").trim());

function readLabel(control: Element): string {
  const label = foldSpace(readText(control, MAX_LABEL_CHARACTERS + 1)).trim();
  return label !== "" && isLoadMore(label) && followsList(control) ? label : "";
}

function followsList(control: Element): boolean {
  let node: Element = control;
  for (let level = 0; level < LEVELS; level++) {
    let before = 0;
    for (let at = node.prev; at !== null && before < MAX_BEFORE; at = at.prev) {
      if (!isTag(at)) continue;
      before++;
      if (holdsEntries(at)) return true;
    }
    const up: ParentNode | null = node.parent;
    if (up === null || !isTag(up)) return false;
    if (level === 0 && holdsEntries(up)) return true;
    node = up;
  }
  return false;
}

/** True for a parent of several elements of one name. */
function holdsEntries({ children }: Element): boolean {
  const counts = new Map<string, number>();
  for (const child of children as readonly ChildNode[]) {
    if (!isTag(child) || child.name === "p" || child.name === "br") continue;
    const count = (counts.get(child.name) ?? 0) + 1;
    if (count >= MIN_ENTRIES) return true;
    counts.set(child.name, count);
  }
  return false;
}
