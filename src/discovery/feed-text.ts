import { isTag, isText } from "domhandler";
import { parseHtml } from "../html/parse/parse.ts";
import { foldSpace, walk } from "../html/parse/tree.ts";

const MAX_CHARACTERS = 500;
/** A reference, an end tag, or a void element: "a < b" and "the <table> element" are not markup. */
const MARKUP = /&#?\w{1,31};|<\/[a-z]|<(?:br|hr|img|p)\b/i;

/**
 * Converts an item's text, possibly HTML, to one line of plain text with at most 500 characters; ""
 * for none.
 */
export function readFeedText(written: string): string {
  const words = foldSpace(MARKUP.test(written) ? readMarkupText(written) : written);
  if (words.length <= MAX_CHARACTERS) return words;
  return `${words.slice(0, MAX_CHARACTERS - 1).replace(/\s\S{0,40}$|[\uD800-\uDBFF]$/, "")}…`;
}

function readMarkupText(markup: string): string {
  let text = "";
  walk(parseHtml(markup), (node) => {
    if (isText(node)) text += node.data;
    else if (isTag(node)) {
      if (node.name === "script" || node.name === "style") return "skip";
      if (BLOCK_TAG.test(node.name)) text += " ";
    }
    return "children";
  });
  return text;
}

const BLOCK_TAG =
  /^(?:p|div|br|hr|li|ul|ol|h\d|t[dhr]|table|blockquote|pre|img|figure|figcaption)$/;
