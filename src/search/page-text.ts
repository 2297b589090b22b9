// What of a document is searched: title, description and headings, and its text without the signs of Markdown.
import type { Document } from "../contract/page/document.ts";
import { parseHtml } from "../html/parse/parse.ts";
import { removeNonContent } from "../html/select/select.ts";
import { foldSpace, textOf } from "../html/parse/tree.ts";
import type { PageText } from "./page-words.ts";
import { languageOf } from "./stems.ts";

/**
 * A text that waits, in UTF-16 outside the heap of objects: one that waits there for seconds counts as old and makes V8 look
 * through all that is old, again and again.
 */
export type HeldText = Buffer;

/** The parts of a document that are held until it is indexed. */
export type PageSource = {
  readonly markdown: HeldText | undefined;
  readonly html: HeldText | undefined;
  readonly title: string;
  readonly description: string;
  readonly language: string;
};

const MOST = { title: 300, description: 500, headings: 24, markdown: 40_000, html: 100_000 };
/** Of the text, for words and descriptions. */
const MAX_TEXT = 16_000;

export function sourceOf(document: Document): PageSource {
  const { metadata, markdown, html, rawHtml } = document;
  return {
    markdown: hold(markdown ?? document.summary, MOST.markdown),
    html: markdown === undefined ? hold(html ?? rawHtml, MOST.html) : undefined,
    title: firstText(metadata.title, metadata.ogTitle).slice(0, MOST.title),
    description: firstText(metadata.description, metadata.ogDescription).slice(0, MOST.description),
    language: languageOf(metadata.language),
  };
}

/** The first characters. */
const hold = (text: string | undefined, most: number): HeldText | undefined =>
  text === undefined ? undefined : Buffer.from(text.slice(0, most), "utf16le");

const read = (text: HeldText | undefined): string | undefined => text?.toString("utf16le");

const firstText = (...values: readonly unknown[]): string => {
  const texts = values.flat().filter((value) => typeof value === "string" && value.trim() !== "");
  return foldSpace((texts[0] as string | undefined) ?? "").trim();
};

export function toPageText(source: PageSource, url: URL, isPdf: boolean): PageText {
  const { title, description, language } = source;
  const markdown = read(source.markdown);
  const html = read(source.html);
  const fromHtml = markdown === undefined && html !== undefined;
  const body = fromHtml ? plainHtml(html) : plainMarkdown(markdown ?? "");
  const headings = fromHtml ? [] : headingsOf(markdown ?? "");
  return { url, title, description, headings, body: body.slice(0, MAX_TEXT), language, isPdf };
}

function plainHtml(html: string): string {
  const document = parseHtml(html);
  removeNonContent(document);
  return foldSpace(textOf(document)).trim();
}

const HEADING = /^#{1,3} +(.{1,200})$/gm;

function headingsOf(markdown: string): string[] {
  const headings: string[] = [];
  for (const [, text = ""] of markdown.matchAll(HEADING)) {
    headings.push(plainMarkdown(text));
    if (headings.length === MOST.headings) break;
  }
  return headings;
}

/** Addresses of links and images, in parentheses without spaces: what the writer of our Markdown makes. */
const TARGET =
  /\]\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?: "[^"\n]{0,500}")?\)/g;
const RULE = /^[ \t|:=-]{3,}$/gm;
const SIGNS = /(?<!\\)(?:!?\[|\]|[*_`#>|~]+)/g;
/** Signs that are meant as they are: the backslash goes, and no space comes in its place. */
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const SPACE = /\s+/g;

/** The text of Markdown in one line. */
export function plainMarkdown(markdown: string): string {
  return markdown
    .replaceAll(TARGET, "] ")
    .replaceAll(RULE, " ")
    .replaceAll(SIGNS, " ")
    .replaceAll(ESCAPE, "$1")
    .replaceAll(SPACE, " ")
    .trim();
}
