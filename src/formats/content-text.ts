// The content of a page as text.
import { foldSpace } from "../html/parse/tree.ts";

export type Reading = {
  readonly title: string;
  /** BCP 47, "" where nothing tells it. */
  readonly language: string;
  /** Running text: paragraphs, list items, quotes; no headings, tables or code. */
  readonly paragraphs: readonly string[];
  /** All of the content. */
  readonly markdown: string;
};

/** Paragraphs of plain text or Markdown. */
export function splitParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => foldSpace(part))
    .filter((part) => part !== "");
}
