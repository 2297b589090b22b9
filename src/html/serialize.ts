// Trees back to HTML text, without recursion. https://html.spec.whatwg.org/#serialising-html-fragments
import {
  type Element,
  isCDATA,
  isComment,
  isDirective,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { walk } from "./tree.ts";

const VOID: ReadonlySet<string> = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
);
const RAW: ReadonlySet<string> = new Set(
  "style script xmp iframe noembed noframes plaintext".split(" "),
);

/** The HTML of everything below `root`. */
export function toHtml(root: ParentNode): string {
  const parts: string[] = [];
  walk(
    root,
    (node) => {
      if (isText(node)) {
        const { parent } = node;
        parts.push(
          parent !== null && isTag(parent) && RAW.has(parent.name)
            ? node.data
            : escapeText(node.data),
        );
        return "skip";
      }
      if (isTag(node)) {
        parts.push(`<${node.name}${attributes(node)}>`);
        return VOID.has(node.name) ? "skip" : "children";
      }
      if (isComment(node)) parts.push(`<!--${node.data}-->`);
      else if (isDirective(node)) parts.push(`<${node.data}>`);
      else if (isCDATA(node)) return "children";
      return "skip";
    },
    (element) => parts.push(`</${element.name}>`),
  );
  return parts.join("");
}

function attributes(element: Element): string {
  let text = "";
  for (const [name, value] of Object.entries(element.attribs))
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
