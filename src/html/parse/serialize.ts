// Serializes trees to HTML without recursion.
// https://html.spec.whatwg.org/#serialising-html-fragments
import {
  type Element,
  isCDATA,
  isComment,
  isDirective,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { isSafeAttribute } from "../clean/safe-attributes.ts";
import { walk } from "./tree.ts";

const VOID: ReadonlySet<string> = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
);
const RAW: ReadonlySet<string> = new Set(
  "style script xmp iframe noembed noframes plaintext".split(" "),
);

/** Names that every HTML parser reads in the same way. */
const PLAIN_NAME = /^[a-z][\w.:-]*$/i;

/**
 * Returns the HTML of everything below `root`. With `safe`, omits scripts, event handlers,
 * addresses that run code, and anything that another HTML parser may read differently.
 */
export function toHtml(root: ParentNode, { safe = false } = {}): string {
  const parts: string[] = [];
  walk(
    root,
    (node) => {
      if (isText(node)) {
        const { parent } = node;
        if (parent === null || !isTag(parent) || !RAW.has(parent.name))
          parts.push(escapeText(node.data));
        // Inside SVG and MathML these elements are not raw, so a tag in them would become one.
        else if (!safe || !node.data.includes("<")) parts.push(node.data);
        return "skip";
      }
      if (isTag(node)) {
        if (safe && isDropped(node)) return "skip";
        parts.push(`<${node.name}${serializeAttributes(node, safe)}>`);
        return VOID.has(node.name) ? "skip" : "children";
      }
      if (isCDATA(node)) return "children";
      if (isComment(node)) {
        if (!safe || !/^-?>|--|-$/.test(node.data)) parts.push(`<!--${node.data}-->`);
      } else if (isDirective(node) && (!safe || /^!doctype\s[^<>]*$/i.test(node.data)))
        parts.push(`<${node.data}>`);
      return "skip";
    },
    (element) => parts.push(`</${element.name}>`),
  );
  return parts.join("");
}

const isDropped = ({ name }: Element): boolean =>
  name.toLowerCase() === "script" || !PLAIN_NAME.test(name);

function serializeAttributes(element: Element, safe: boolean): string {
  let text = "";
  for (const [name, value] of Object.entries(element.attribs))
    if (!safe || isSafeAttribute(element, name, value))
      text += value === "" ? ` ${name}` : ` ${name}="${escapeAttribute(value)}"`;
  return text;
}

function escapeText(text: string): string {
  return /[&<>\u00a0]/.test(text)
    ? text
        .replace(/&/g, "&amp;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        .replace(/\u00a0/g, "&nbsp;")
    : text;
}

function escapeAttribute(value: string): string {
  return /[&"<>\u00a0]/.test(value)
    ? value
        .replace(/&/g, "&amp;")
        .replace(/"/g, "&quot;")
        .replace(/</g, "&lt;")
        .replace(/>/g, "&gt;")
        .replace(/\u00a0/g, "&nbsp;")
    : value;
}
