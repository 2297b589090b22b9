// Writes a page for a language model: one line for each piece of text, with its reference. The
// model answers with references, and the server copies the words.
import { hasOwnText, isAside, isHidden, isStruck, type PageNode } from "../page-model/node.ts";
import type { ExtractorPage } from "./extractor-page.ts";

export type Notation = {
  readonly text: string;
  /** Lines that did not fit, or are in navigation, header or footer. */
  readonly left: number;
};

const MAX_LINE = 160;
/** Number of records shown per list: enough to see their structure. */
const MAX_RECORDS = 4;

/** Lines in page order until the budget of tokens is used up. */
export function writeNotation(
  page: ExtractorPage,
  countTokens: (text: string) => number,
  budget: number,
): Notation {
  const skipped = findLaterRecords(page);
  const lines: string[] = [];
  let tokens = 0;
  let left = 0;
  for (const node of page.model.nodes) {
    const line = isAside(node) ? undefined : formatLine(node, page);
    if (line === undefined) continue;
    const cost = countTokens(line) + 1;
    if (skipped.has(node.index) || tokens + cost > budget) {
      left += 1;
      continue;
    }
    tokens += cost;
    lines.push(line);
  }
  return { text: lines.join("\n"), left };
}

/** Nodes of the records of long lists after the first few. */
function findLaterRecords(page: ExtractorPage): Set<number> {
  const skipped = new Set<number>();
  for (const { records } of page.model.recordSets)
    for (const { nodes } of records.slice(MAX_RECORDS))
      for (const { index, end } of nodes) for (let at = index; at < end; at += 1) skipped.add(at);
  return skipped;
}

/** Writes elements with their own words, images and links; undefined for others. */
function formatLine(node: PageNode, page: ExtractorPage): string | undefined {
  if (isHidden(node)) return undefined;
  const { name, attribs } = node.element;
  const indent = " ".repeat(Math.min(8, Math.floor(node.depth / 2)));
  if (name === "img") {
    const { alt = "", src = "" } = attribs;
    return src === "" ? undefined : `${indent}${node.ref} img ${shorten(`${alt} ${src}`.trim())}`;
  }
  if (!hasOwnText(node)) return undefined;
  const link =
    name === "a" && attribs["href"] !== undefined ? ` -> ${attribs["href"].slice(0, 80)}` : "";
  const struck = isStruck(node) ? " (crossed out)" : "";
  return `${indent}${node.ref} ${name} ${shorten(page.textOf(node))}${struck}${link}`;
}

const shorten = (text: string): string =>
  text.length > MAX_LINE ? `${text.slice(0, MAX_LINE - 1)}…` : text;
