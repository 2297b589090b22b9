// Renders Markdown with a third-party parser and normalizes HTML, so that tests compare structure
// instead of spelling.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { parseHtml } from "../../src/html/parse/parse.ts";
import { readAttribute, readText } from "../../src/html/parse/tree.ts";

/** Formulas become `<tex>`, because the renderer does not know the math syntax. */
const FORMULA = /(`+)[^`]+\1|\$\$([^$]+)\$\$|\$([^$\n]+)\$/g;

export function renderMarkdown(markdown: string, hasMath: boolean): string {
  const escaped = (tex: string): string =>
    tex.replace(/[&<>*_\\[\]~`|]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const text = hasMath
    ? markdown.replace(FORMULA, (whole, code, display, inline) =>
        code === undefined ? `<tex>${escaped(display ?? inline)}</tex>` : whole,
      )
    : markdown;
  return micromark(text, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
}

/** Attributes that Markdown can express. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  img: ["src", "alt", "title"],
  ol: ["start"],
  input: ["type", "checked"],
  td: ["align"],
  th: ["align"],
};
const LINES: ReadonlySet<string> = new Set(
  "p li td th h1 h2 h3 h4 h5 h6 pre blockquote ul ol table tr hr br tbody thead html body note notes".split(
    " ",
  ),
);
/** Elements that are only containers. */
const THROUGH: ReadonlySet<string> = new Set(["html", "head", "body", "thead", "tbody", "div"]);
/** Element names with the same meaning. */
const NAMES: Readonly<Record<string, string>> = { s: "del", b: "strong", i: "em" };

/** Returns the normalized structure of an HTML fragment, one block per line. */
export function readStructure(html: string): string {
  return write(parseHtml(html))
    .replace(/[^\S\n]*\n[^\S\n]*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

function write(root: ParentNode): string {
  return root.children.map((child) => writeNode(child, false)).join("");
}

function writeNode(node: ChildNode, exact: boolean): string {
  if (isText(node)) return exact ? node.data.replace(/\n/g, "⏎") : node.data.replace(/\s+/g, " ");
  if (!isTag(node)) return "";
  const footnote = writeFootnote(node);
  if (footnote !== undefined) return footnote;
  const inside = (isExact: boolean): string =>
    node.children.map((child) => writeNode(child, isExact)).join("");
  if (THROUGH.has(node.name)) return inside(exact);
  if (node.name === "pre") return writeListing(node);
  const name = NAMES[node.name] ?? node.name;
  const attributes = (KEPT[name] ?? [])
    .filter((key) => node.attribs[key] !== undefined)
    .map((key) => ` ${key}="${node.attribs[key]}"`)
    .join("");
  const content = inside(exact || name === "code");
  if (!LINES.has(name)) return `<${name}${attributes}>${content}</${name}>`;
  return `\n<${name}${attributes}>${content.trim()}</${name}>\n`;
}

function writeListing(pre: Element): string {
  const code = pre.children.find((child) => isTag(child) && child.name === "code");
  const language = /language-(\S+)/.exec(
    code === undefined ? "" : readAttribute(code as Element, "class"),
  );
  const text = readText(pre)
    .replace(/^\n|\n$/g, "")
    .replace(/\n/g, "⏎");
  return `\n<pre ${language?.[1] ?? ""}>${text}</pre>\n`;
}

/** Converts footnote references and notes in the renderer's markup to `<fn>` and `<note>`. */
function writeFootnote(element: Element): string | undefined {
  if (element.name === "sup") {
    const link = element.children.find(
      (child) => isTag(child) && "data-footnote-ref" in child.attribs,
    );
    return link === undefined ? undefined : `<fn>${readText(element)}</fn>`;
  }
  if (element.attribs["data-footnotes"] === undefined) return undefined;
  const notes = element.children.flatMap((child) =>
    isTag(child) && child.name === "ol" ? child.children.filter((item) => isTag(item)) : [],
  );
  return notes
    .map(
      (note) =>
        `\n<note>${write(note)
          .replace(/ *<a [^>]*>↩(?:<sup>\d+<\/sup>)?<\/a>/g, "")
          .trim()}</note>\n`,
    )
    .join("");
}
