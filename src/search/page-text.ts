// The searchable parts of a document: title, description, headings, and its text without Markdown
// syntax.
import type { Document } from "../contract/page/document.ts";
import { parseHtml } from "../html/parse/parse.ts";
import { removeNonContent } from "../html/select/select.ts";
import { foldSpace, readText } from "../html/parse/tree.ts";
import type { PageText } from "./page-words.ts";
import { normalizeLanguage } from "../ranking/stems.ts";

/**
 * Waiting text in UTF-16 outside the object heap. On the heap, strings that live for seconds enter
 * the old generation and cause repeated full collections.
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

const MAX_SIZES = {
  title: 300,
  description: 500,
  headings: 1_000,
  markdown: 1_000_000,
  html: 500_000,
};
/** Maximum characters of text that are indexed and stored. */
const MAX_TEXT = 500_000;

export function buildSource(document: Document): PageSource {
  const { metadata, markdown, html, rawHtml } = document;
  return {
    markdown: encodeText(markdown ?? document.summary, MAX_SIZES.markdown),
    html: markdown === undefined ? encodeText(html ?? rawHtml, MAX_SIZES.html) : undefined,
    title: findFirstText(metadata.title, metadata.ogTitle).slice(0, MAX_SIZES.title),
    description: findFirstText(metadata.description, metadata.ogDescription).slice(
      0,
      MAX_SIZES.description,
    ),
    language: normalizeLanguage(metadata.language),
  };
}

/** Keeps the first characters. */
const encodeText = (text: string | undefined, max: number): HeldText | undefined =>
  text === undefined ? undefined : Buffer.from(text.slice(0, max), "utf16le");

const decodeText = (text: HeldText | undefined): string | undefined => text?.toString("utf16le");

const findFirstText = (...values: readonly unknown[]): string => {
  const texts = values.flat().filter((value) => typeof value === "string" && value.trim() !== "");
  return foldSpace((texts[0] as string | undefined) ?? "").trim();
};

export function toPageText(source: PageSource, url: URL, isPdf: boolean): PageText {
  const { title, description, language } = source;
  const markdown = decodeText(source.markdown);
  const html = decodeText(source.html);
  const fromHtml = markdown === undefined && html !== undefined;
  const body = fromHtml ? toPlainHtml(html) : toPlainLines(markHeadings(markdown ?? ""));
  const headings = fromHtml ? [] : listHeadings(markdown ?? "");
  return { url, title, description, headings, body: body.slice(0, MAX_TEXT), language, isPdf };
}

function toPlainHtml(html: string): string {
  const document = parseHtml(html);
  removeNonContent(document);
  return foldSpace(readText(document)).trim();
}

/** Begins the line of a heading in an indexed text. */
export const HEADING_MARK = "\u0001";

/** Headings and lines in bold, which name the definitions of a manual. */
const HEADING = /^(?:#{1,6} +(.{1,200})|\*\*(.{1,200})\*\*)$/gm;

const markHeadings = (markdown: string): string =>
  markdown
    .replaceAll(HEADING_MARK, "")
    .replaceAll(
      HEADING,
      (_line, heading?: string, bold?: string) => `${HEADING_MARK}${heading ?? bold ?? ""}`,
    );

function listHeadings(markdown: string): string[] {
  const headings: string[] = [];
  for (const [, heading, bold] of markdown.matchAll(HEADING)) {
    headings.push(toPlainMarkdown(heading ?? bold ?? ""));
    if (headings.length === MAX_SIZES.headings) break;
  }
  return headings;
}

/**
 * Targets of links and images as our Markdown writer formats them: in parentheses, without spaces.
 */
const TARGET =
  /\]\((?:<[^<>\n]{0,2000}>|[^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?: "[^"\n]{0,500}")?\)/g;
const RULE = /^[ \t|:=-]{3,}$/gm;
/** An underscore between letters belongs to a name. */
const SIGNS = /(?<!\\)(?:!?\[|\]|[*`#>|~]+|(?<![\p{L}\p{N}_])_{1,8}|_{1,8}(?![\p{L}\p{N}_]))/gu;
/** Escaped characters: the backslash is removed without a space. */
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const SPACE = /[^\S\n]+/g;
const LINE_ENDS = / ?\n[ \n]*/g;

/** Returns the text of Markdown, one line for each of its lines that has text. */
function toPlainLines(markdown: string): string {
  return markdown
    .replaceAll(TARGET, "] ")
    .replaceAll(RULE, " ")
    .replaceAll(SIGNS, " ")
    .replaceAll(ESCAPE, "$1")
    .replaceAll(SPACE, " ")
    .replaceAll(LINE_ENDS, "\n")
    .trim();
}

/** Returns the text of Markdown as one line. */
export const toPlainMarkdown = (markdown: string): string =>
  toPlainLines(markdown).replaceAll("\n", " ");
