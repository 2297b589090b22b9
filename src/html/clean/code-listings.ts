// Listings of code that a page draws from boxes instead of `<pre>`, a box for each line. Written as `<pre>` before anything is
// chosen, they are one block that stays or goes as a whole.
import { type Element, isTag, isText } from "domhandler";
import { rename } from "../parse/nodes.ts";
import { attributeOf, detachAll, elementsOf, isBlank } from "../parse/tree.ts";

/** What Doxygen calls its own. */
export const isListing = (classes: string): boolean => classes === "fragment";

/** Boxes with what a name in the code means, shown where the mouse is. */
const TIP = /(?:^|\s)ttc(?:\s|$)/;
const FOLDING = /(?:^|\s)(?:foldopen|foldclosed)(?:\s|$)/;

const LINE = "line";
const isLine = (element: Element): boolean => attributeOf(element, "class") === LINE;

/** Makes a `<pre>` of a box that holds nothing but lines of code and tips; leaves any other as it is. */
export function toListing(box: Element): void {
  if (box.name !== "div") return;
  const lines: Element[] = [];
  for (const child of box.children) {
    if (isText(child) ? isBlank(child.data) : !isTag(child)) continue;
    if (!isTag(child) || child.name !== "div") return;
    if (isLine(child) || FOLDING.test(attributeOf(child, "class"))) lines.push(child);
    else if (!TIP.test(attributeOf(child, "class"))) return;
  }
  if (lines.length === 0) return;
  const inside = elementsOf(box);
  // White space between the lines is none of the code's.
  detachAll(box.children.filter((child) => isText(child)));
  detachAll(inside.filter((element) => TIP.test(attributeOf(element, "class"))));
  for (const line of inside) {
    if (line.name !== "div") continue;
    rename(line, "span");
    // What folds stands around several lines, and begins one.
    if (FOLDING.test(attributeOf(line, "class"))) line.attribs = { class: LINE };
  }
  rename(box, "pre");
}
