// Text for browsers without scripts in place of the page.
import { type Document, type Element, isTag, isText } from "domhandler";
import { rename } from "../parse/nodes.ts";
import { readText, walk } from "../parse/tree.ts";

/** Minimum characters in a noscript for it to replace the page. */
const MIN_NOSCRIPT_CHARACTERS = 250;

/** Replaces the page with its noscript text if that is the greater part of the page. */
export function expandNoscript(document: Document, present: readonly Element[]): void {
  if (
    !present.some(
      (element) => readText(element, 2 * MIN_NOSCRIPT_CHARACTERS).length > MIN_NOSCRIPT_CHARACTERS,
    )
  )
    return;
  const noscripts: { element: Element; characters: number }[] = [];
  let inside: { element: Element; characters: number } | undefined;
  let outside = 0;
  walk(
    document,
    (node) => {
      if (isText(node)) {
        const characters = node.data.trim().length;
        if (inside === undefined) outside += characters;
        else inside.characters += characters;
        return "skip";
      }
      if (!isTag(node) || node.name === "head" || node.name === "template") return "skip";
      if (node.name === "script" || node.name === "style") return "skip";
      if (node.name === "noscript" && inside === undefined) {
        inside = { element: node, characters: 0 };
        noscripts.push(inside);
      }
      return "children";
    },
    (element) => {
      if (element === inside?.element) inside = undefined;
    },
  );
  for (const { element, characters } of noscripts)
    if (characters > MIN_NOSCRIPT_CHARACTERS && characters > outside) {
      rename(element, "div");
      element.attribs = {};
    }
}
