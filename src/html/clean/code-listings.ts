// Code listings that a page builds from one box per line instead of `<pre>`. They are rewritten as
// `<pre>` before selection, so that a listing is one block and is kept or dropped as a whole.
import { type Element, isTag, isText } from "domhandler";
import { rename } from "../parse/nodes.ts";
import { readAttribute, detachAll, listElements, isBlank } from "../parse/tree.ts";

/** Doxygen's class for code listings. */
export const isListing = (classes: string): boolean => classes === "fragment";

/** Tooltip boxes that explain a name in the code on hover. */
const TIP = /(?:^|\s)ttc(?:\s|$)/;
const FOLDING = /(?:^|\s)(?:foldopen|foldclosed)(?:\s|$)/;

const LINE = "line";
const isLine = (element: Element): boolean => readAttribute(element, "class") === LINE;

/**
 * Turns a box that holds only code lines and tooltips into a `<pre>`. Leaves any other box
 * unchanged.
 */
export function toListing(box: Element): void {
  if (box.name !== "div") return;
  const lines: Element[] = [];
  for (const child of box.children) {
    if (isText(child) ? isBlank(child.data) : !isTag(child)) continue;
    if (!isTag(child) || child.name !== "div") return;
    if (isLine(child) || FOLDING.test(readAttribute(child, "class"))) lines.push(child);
    else if (!TIP.test(readAttribute(child, "class"))) return;
  }
  if (lines.length === 0) return;
  const inside = listElements(box);
  // Whitespace between the line boxes is not part of the code.
  detachAll(box.children.filter((child) => isText(child)));
  detachAll(inside.filter((element) => TIP.test(readAttribute(element, "class"))));
  for (const line of inside) {
    if (line.name !== "div") continue;
    rename(line, "span");
    // A folding box wraps several lines and starts with one.
    if (FOLDING.test(readAttribute(line, "class"))) line.attribs = { class: LINE };
  }
  rename(box, "pre");
}
