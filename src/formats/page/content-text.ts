// The content of a page as text.
import { foldSpace } from "../../html/parse/tree.ts";

export type ContentReading = {
  readonly title: string;
  /** The page's own description, if it declares one. */
  readonly description?: string;
  /** BCP 47, or "" if unknown. */
  readonly language: string;
  /** Running text: paragraphs, list items and quotes, without headings, tables or code. */
  readonly paragraphs: readonly string[];
  /** The whole content. */
  readonly markdown: string;
};

/** Splits plain text or Markdown into paragraphs. */
export function splitParagraphs(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((part) => foldSpace(part))
    .filter((part) => part !== "");
}
