// Splits a page version into comparable lines, without whitespace and frame remnants.
import { createHash } from "node:crypto";

export type Line = {
  /** From 1, in the original Markdown. */
  readonly number: number;
  /** The line without whitespace. Equal keys are equal lines. */
  readonly key: string;
  readonly text: string;
};

const stripMarkup = (text: string): string =>
  text.replaceAll(/\[iframe\]\([^()\s]*\)/g, "").replaceAll(/\s+/g, "");

/** Returns the lines with content. */
export function toLines(markdown: string): Line[] {
  const lines: Line[] = [];
  for (const [index, text] of markdown.split("\n").entries()) {
    const key = stripMarkup(text);
    if (key !== "") lines.push({ number: index + 1, key, text });
  }
  return lines;
}

const computeDigest = (text: string): string =>
  createHash("sha256").update(text).digest("base64url");

/**
 * Two hashes: of the text without whitespace and frame remnants (wire contract, section 3.1), and
 * of the text itself.
 */
export const hashText = (markdown: string): string =>
  `${computeDigest(stripMarkup(markdown))} ${computeDigest(markdown)}`;

/** Returns how two texts with these hashes differ. */
export function classifyDifference(one: string, other: string): "none" | "whitespace" | "text" {
  if (one === other) return "none";
  return one.split(" ")[0] === other.split(" ")[0] ? "whitespace" : "text";
}
