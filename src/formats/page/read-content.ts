// The content of a page as text for ranking rules and for a model.
import { isTag, type Element } from "domhandler";
import { toMarkdown } from "../../html/markdown/markdown.ts";
import { foldSpace, walk } from "../../html/parse/tree.ts";
import { splitParagraphs, type ContentReading } from "./content-text.ts";
import { buildFileMarkdown } from "./parsed-file.ts";
import type { PageView } from "./view.ts";
import { isBreaking, isInvisible, readLines } from "../json/declared/block-text.ts";

/** Reads the content on the first call. */
export function readContent(view: PageView): ContentReading {
  view.reading ??= read(view);
  return view.reading;
}

function read(view: PageView): ContentReading {
  const isPage = view.kind === "html";
  const metadata = isPage ? view.getMetadata() : {};
  const text = (key: string): string => (typeof metadata[key] === "string" ? metadata[key] : "");
  const markdown = readMarkdown(view);
  return {
    title: text("articleTitle") || text("title"),
    description: text("description"),
    language: text("language"),
    paragraphs: isPage ? listParagraphs(view.getContent().root) : splitParagraphs(markdown),
    markdown,
  };
}

function readMarkdown(view: PageView): string {
  if (view.input.file !== undefined) return buildFileMarkdown(view.input.file);
  if (view.kind !== "html") return view.text;
  return toMarkdown(view.getContent().root, {
    base: view.getBase(),
    page: view.input.url,
    removeBase64Images: true,
  });
}

const RUNNING: ReadonlySet<string> = new Set(["p", "li", "dd", "blockquote", "figcaption", "td"]);
const SKIPPED = /^(?:pre|code|h[1-6]|nav|footer|form|table)$/;

function listParagraphs(root: Parameters<typeof walk>[0]): string[] {
  const found: string[] = [];
  const loose: Element[] = [];
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (isInvisible(node) || SKIPPED.test(node.name)) return "skip";
    if (!RUNNING.has(node.name)) {
      if (isBreaking(node.name) && !hasBlocks(node)) loose.push(node);
      return "children";
    }
    if (hasBlocks(node)) return "children";
    const text = foldSpace(readLines(node).join(" "));
    if (text !== "") found.push(text);
    return "skip";
  });
  const written = found.reduce((length, text) => length + text.length, 0);
  // Pages whose paragraphs are <div>s.
  return written > 200
    ? found
    : loose.map((element) => foldSpace(readLines(element).join(" "))).filter((text) => text !== "");
}

const hasBlocks = (element: Element): boolean =>
  element.children.some((child) => isTag(child) && child.name !== "br" && isBreaking(child.name));
