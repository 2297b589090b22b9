// A golden case: a folder with page.html (bytes, in any charset), request.json (the options, and
// the behaviour it proves) and expected.md.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "../../src/html/parse/charset.ts";
import { type MainContentFinder, selectContent } from "../../src/html/clean/content.ts";
import { findMainContent } from "../../src/html/main-content/find-main-content.ts";
import { toMarkdown } from "../../src/html/markdown/markdown.ts";
import { parseHtml } from "../../src/html/parse/parse.ts";

export const GOLDEN = import.meta.dirname;

/** Most cases test conversion, not selection, so they take the whole page. */
const keepAll: MainContentFinder = () => ({ removals: [] });

export type GoldenRequest = {
  readonly why: string;
  readonly url: string;
  readonly contentType?: string;
  readonly onlyMainContent?: boolean;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly removeBase64Images?: boolean;
};

export function goldenCases(): string[] {
  return readdirSync(GOLDEN, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
}

export function readRequest(name: string): GoldenRequest {
  return JSON.parse(readFileSync(join(GOLDEN, name, "request.json"), "utf8")) as GoldenRequest;
}

/** Returns the Markdown of a case after the same steps as a scrape. */
export function renderCase(name: string): string {
  const request = readRequest(name);
  const bytes = readFileSync(join(GOLDEN, name, "page.html"));
  const { text } = decodeText(bytes, request.contentType ?? "text/html");
  return `${renderHtml(text, request)}\n`;
}

export function renderHtml(html: string, request: GoldenRequest): string {
  const content = selectContent(parseHtml(html), {
    url: request.url,
    onlyMainContent: request.onlyMainContent ?? false,
    includeTags: request.includeTags ?? [],
    excludeTags: request.excludeTags ?? [],
    findMainContent: request.onlyMainContent === true ? findMainContent : keepAll,
    parseAgain: () => parseHtml(html),
  });
  return toMarkdown(content.root, {
    base: content.base,
    page: request.url,
    removeBase64Images: request.removeBase64Images ?? true,
  });
}
