// The visible text of an element, one line per block or item, so that visually separate texts stay
// separate.
import { isTag, isText, type Element } from "domhandler";
import { foldSpace, walk } from "../../../html/parse/tree.ts";

const BREAKING: ReadonlySet<string> = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "br",
  "dd",
  "details",
  "div",
  "dl",
  "dt",
  "figcaption",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "header",
  "hr",
  "li",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "section",
  "summary",
  "table",
  "tbody",
  "td",
  "th",
  "thead",
  "tr",
  "ul",
]);
const INVISIBLE: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "button",
  "select",
  "textarea",
]);

export const isBreaking = (name: string): boolean => BREAKING.has(name);

/** True if the element is not visible. */
export const isInvisible = ({ name, attribs }: Element): boolean =>
  INVISIBLE.has(name) ||
  attribs["hidden"] !== undefined ||
  /display\s*:\s*none/i.test(attribs["style"] ?? "");

/** Maximum nodes visited per requested character. Deeply nested empty elements have no text. */
const MAX_NODES_PER_CHARACTER = 10;

/**
 * Returns lines of text with whitespace folded and without empty ones, up to about `limit`
 * characters.
 */
export function readLines(root: Element, limit = 100_000): string[] {
  const lines: string[] = [];
  let parts: string[] = [];
  let length = 0;
  let nodes = 0;
  const end = (): void => {
    const line = foldSpace(parts.join(""));
    if (line !== "") lines.push(line);
    parts = [];
  };
  walk(
    root,
    (node) => {
      nodes++;
      if (length >= limit || nodes > limit * MAX_NODES_PER_CHARACTER) return "stop";
      if (isText(node)) {
        parts.push(node.data);
        length += node.data.length;
      } else if (isTag(node)) {
        if (isInvisible(node)) return "skip";
        if (BREAKING.has(node.name)) end();
        return "children";
      }
      return "skip";
    },
    (element) => {
      if (BREAKING.has(element.name)) end();
    },
  );
  end();
  return lines;
}

export const readBlockText = (element: Element, limit?: number): string =>
  readLines(element, limit).join("\n");
