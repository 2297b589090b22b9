// A version of a page as lines that can be compared: white space and what is left of frames say nothing.
import { createHash } from "node:crypto";

export type Line = {
  /** From 1, in the Markdown as it is. */
  readonly number: number;
  /** Without white space; equal keys are equal lines. */
  readonly key: string;
  readonly text: string;
};

const bare = (text: string): string =>
  text.replaceAll(/\[iframe\]\([^()\s]*\)/g, "").replaceAll(/\s+/g, "");

/** The lines that say something. */
export function toLines(markdown: string): Line[] {
  const lines: Line[] = [];
  for (const [index, text] of markdown.split("\n").entries()) {
    const key = bare(text);
    if (key !== "") lines.push({ number: index + 1, key, text });
  }
  return lines;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Of a text without white space and remnants of frames (wire contract, section 3.1), and of the text as it is. */
export const hashText = (markdown: string): string =>
  `${digest(bare(markdown))} ${digest(markdown)}`;

/** How two texts with these hashes differ. */
export function differenceOf(one: string, other: string): "none" | "whitespace" | "text" {
  if (one === other) return "none";
  return one.split(" ")[0] === other.split(" ")[0] ? "whitespace" : "text";
}
