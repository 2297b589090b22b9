// Detects headings and their levels by size relative to the body text, weight and isolation.
import type { Passage } from "./passages.ts";
import { type PdfPage } from "../page-text.ts";

export type TextStyle = {
  /** Size of most of the text. */
  readonly body: number;
  readonly boldBody: boolean;
};

/** Returns the face of most of the document. */
export function findStyle(pages: readonly PdfPage[]): TextStyle {
  const sizes = new Map<number, number>();
  let [bold, all] = [0, 0];
  for (const { words } of pages) {
    for (const { face, text } of words) {
      const size = Math.round(face.size * 4) / 4;
      sizes.set(size, (sizes.get(size) ?? 0) + text.length);
      all += text.length;
      if (face.bold) bold += text.length;
    }
  }
  const [max] = [...sizes].sort((one, other) => other[1] - one[1]);
  return { body: max?.[0] ?? 10, boldBody: bold > 0.5 * all };
}

const MIN_HEADING_RATIO = 1.12;
/** Bold headings of the lowest levels may be smaller than the text. */
const MIN_SIZE = 0.62;
const MAX_CHARACTERS = 200;
const MAX_BOLD_CHARACTERS = 130;
const MAX_LINES = 4;

/** Returns how prominent a heading is (larger is more), or undefined for other passages. */
export function findHeadingRank(passage: Passage, style: TextStyle): number | undefined {
  const text = passage.lines.flatMap(({ words }) => words.map((word) => word.text)).join(" ");
  if (
    !/\p{L}{2}|\d\p{L}|^\d+$/u.test(text) ||
    text.length > MAX_CHARACTERS ||
    passage.lines.length > MAX_LINES
  )
    return undefined;
  const [line] = passage.lines;
  if (line === undefined || passage.lines.every(({ mono }) => mono)) return undefined;
  const size = Math.max(...passage.lines.map((each) => each.size));
  const bold = passage.lines.every((each) => each.bold);
  if (size >= MIN_HEADING_RATIO * style.body && !/[,;]$/.test(text))
    return Math.round(size * 2) / 2 + (bold ? 0.1 : 0);
  if (!bold || style.boldBody || text.length > MAX_BOLD_CHARACTERS || passage.lines.length > 2)
    return undefined;
  if (size < MIN_SIZE * style.body || /[.,;:]$/.test(text)) return undefined;
  // Weight is measured in recognized text, and monospace may look heavy.
  if (line.recognized && /^\p{Ll}/u.test(text)) return undefined;
  return Math.round(size * 2) / 2 + 0.1;
}

/**
 * Maps ranks to levels: the most prominent is 1, the lowest 6. Ranks closer than `share` have the
 * same level.
 */
export function toLevels(ranks: Iterable<number>, share = 0): Map<number, number> {
  const sorted = [...new Set(ranks)].sort((one, other) => other - one);
  const levels = new Map<number, number>();
  let level = 0;
  let last = Infinity;
  for (const rank of sorted) {
    const isLower = level === 0 || last - rank > Math.max(0.3, share * last);
    if (isLower) level = Math.min(6, level + 1);
    levels.set(rank, Math.max(1, level));
    // Exact sizes descend step by step; recognized sizes cluster around the largest of their level.
    if (isLower || share === 0) last = rank;
  }
  return levels;
}
