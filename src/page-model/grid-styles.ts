// Columns of CSS grids as the page's own style sheets declare them for a class.
import { isText, type Document } from "domhandler";
import { listElements } from "../html/parse/tree.ts";

/** Characters of style sheets that are read. */
const MAX_STYLES = 400_000;
const MAX_CLASSES = 500;
const TEMPLATE = /grid-template-columns\s{0,5}:\s{0,5}([^;{}]{1,200})/i;
const CLASS = /^\.([\w-]{1,80})$/;

/** Returns the value of `grid-template-columns` by class; of several, the one with most columns. */
export function readGridStyles(document: Document): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let left = MAX_STYLES;
  for (const { name, children } of listElements(document)) {
    if (name !== "style") continue;
    for (const child of children) {
      if (!isText(child) || left <= 0) continue;
      const css = child.data.slice(0, left);
      left -= css.length;
      if (css.includes("grid-template-columns")) readSheet(css, found);
    }
  }
  return found;
}

function readSheet(css: string, found: Map<string, string>): void {
  for (const block of css.split("}")) {
    const at = block.lastIndexOf("{");
    const [, columns = ""] = TEMPLATE.exec(block.slice(at + 1)) ?? [];
    if (at === -1 || columns === "" || found.size >= MAX_CLASSES) continue;
    const before = block.slice(0, at);
    const selectors = before.slice(before.lastIndexOf("{") + 1);
    for (const selector of selectors.split(",")) {
      const [, name] = CLASS.exec(selector.trim()) ?? [];
      if (name === undefined) continue;
      // The narrow layout for phones is one column.
      if (countColumns(columns) > countColumns(found.get(name) ?? "")) found.set(name, columns);
    }
  }
}

/** Returns the number of columns of a `grid-template-columns` value, 0 if it is not known. */
export function countColumns(template: string): number {
  const repeated = /^\s*repeat\(\s*(\d{1,2})\s*,[^()]*(?:\([^()]*\))?[^()]*\)\s*$/i.exec(
    template,
  )?.[1];
  if (repeated !== undefined) return Number(repeated);
  if (/repeat\(|subgrid|\[/i.test(template)) return 0;
  const flat = template.replaceAll(/\([^()]*\)/g, "").trim();
  return flat === "" || flat === "none" ? 0 : flat.split(/\s+/).length;
}
