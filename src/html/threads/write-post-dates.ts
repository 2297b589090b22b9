import { isTag, type ParentNode } from "domhandler";
import { createText } from "../parse/nodes.ts";
import { foldSpace, listElements, readAttribute, readText, setChildren } from "../parse/tree.ts";
import { readAttributeDate } from "./post-time.ts";

/**
 * Replaces times without a year, such as "4 days ago", by the machine-readable date of their
 * element: they mean nothing once the thread is stored.
 */
export function writePostDates(root: ParentNode): void {
  for (const element of listElements(root)) {
    if (element.name !== "time" || element.children.some(isTag)) continue;
    const text = foldSpace(readText(element));
    const date = readAttributeDate(text, readAttribute(element, "datetime"));
    if (text !== "" && date !== undefined) setChildren(element, [createText(date)]);
  }
}
