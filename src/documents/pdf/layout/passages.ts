// Groups the lines of one column into passages: paragraphs, headings and list items.
import { isContentsEntry } from "./contents-entries.ts";
import { type Box, computeMedian, joinBoxes, type Word } from "../page-text.ts";
import type { Row } from "../tables/text-tables.ts";

export type Line = Box & {
  readonly words: readonly Word[];
  readonly size: number;
  readonly bold: boolean;
  readonly mono: boolean;
  /** Recognized text, whose size is only approximate. */
  readonly recognized: boolean;
};

export type Passage = Box & {
  readonly lines: readonly Line[];
  readonly page: number;
  /** Its column. */
  readonly column: { readonly x0: number; readonly x1: number };
};

const BULLET = /^[•◦▪‣·●○■□❑❖➢➤✓✔\uF0B7\uF0A7\uF0D8–—*-]$/u;
const GLUED_BULLET = /^[•◦▪‣●■❑❖➢➤✓✔\uF0B7\uF0A7\uF0D8]/u;
/**
 * Symbol fonts yield private-use characters for list markers, or the characters at the same code in
 * other fonts.
 */
const SIGN = /^[\uE000-\uF8FF\uFF61-\uFF9F\u2190-\u21FF\u25A0-\u27BF§¾¨Ø]$/u;
const NUMBER = /^\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)]$/;

/** Returns the list marker at the start of a line, if any. */
export function findMarker(line: Line): string | undefined {
  const [first, second] = line.words;
  if (first === undefined || second === undefined) return undefined;
  if (BULLET.test(first.text) || NUMBER.test(first.text)) return first.text;
  if (SIGN.test(first.text) && first.face.font !== second.face.font) return first.text;
  return GLUED_BULLET.test(first.text) && first.text.length > 1
    ? first.text.slice(0, 1)
    : undefined;
}

export function toLine(row: Row): Line {
  const words = row.pieces.flatMap((piece) => piece.words);
  const chars = words.reduce((sum, { text }) => sum + text.length, 0);
  const share = (test: (word: Word) => boolean): number =>
    words.filter(test).reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, chars);
  const sizes = words.flatMap(({ face, text }) =>
    Array.from({ length: Math.min(20, text.length) }, () => face.size),
  );
  return {
    ...joinBoxes(words),
    words,
    size: computeMedian(sizes),
    bold: isBold(
      words,
      share(({ face }) => face.bold),
    ),
    mono: share(({ face }) => face.mono) > 0.8,
    recognized: words.some(({ confidence }) => confidence !== undefined),
  };
}

/** Bold lines may contain words in another face, such as code in headings. */
const isBold = (words: readonly Word[], share: number): boolean =>
  share > 0.8 || (share > 0.6 && words[0]?.face.bold === true && words.at(-1)?.face.bold === true);

/** Groups lines, sorted from the top, if one continues the one before. */
export function toPassages(lines: readonly Line[], page: number): Passage[] {
  if (lines.length === 0) return [];
  const column = { x0: Math.min(...lines.map(({ x0 }) => x0)), x1: findRightEdge(lines) };
  const usual = {
    pitch: measureUsualPitch(lines),
    body: computeMedian(lines.map(({ size }) => size)),
  };
  const groups: Line[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    const group = groups.at(-1);
    if (
      before !== undefined &&
      group !== undefined &&
      isContinuation(group, before, line, column, usual)
    )
      group.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => ({ ...joinBoxes(group), lines: group, page, column }));
}

/** Returns the end of long lines. A line that ends well before it was ended on purpose. */
function findRightEdge(lines: readonly Line[]): number {
  const ends = lines.map(({ x1 }) => x1).sort((one, other) => one - other);
  return ends[Math.floor((ends.length - 1) * 0.95)] as number;
}

function measureUsualPitch(lines: readonly Line[]): number {
  const steps: number[] = [];
  for (let at = 1; at < lines.length; at++) {
    const [upper, lower] = [lines[at - 1] as Line, lines[at] as Line];
    const step = (lower.y1 - upper.y1) / lower.size;
    if (step > 0.8 && step < 3 && Math.abs(upper.size - lower.size) < 0.5) steps.push(step);
  }
  // Most line steps are within paragraphs, so the lower third excludes paragraph spacing.
  const sorted = steps.sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.35)] ?? 1.2;
}

/** Maximum line spacing of large headings, relative to their size. */
const MAX_HEADING_SPACING = 1.8;

/**
 * True for lines of large type of which the first is full. Headings are often wider than the text.
 */
const isWideHeading = (
  before: Line,
  line: Line,
  column: { x0: number; x1: number },
  body: number,
): boolean =>
  before.size > 1.25 * body && before.bold === line.bold && !endsLine(before, line, column);

/** Usual values of the column: line step relative to the type size, and that size. */
type UsualMetrics = { readonly pitch: number; readonly body: number };

/** Maximum size difference of lines that belong together, as a share. */
const MAX_SIZE_DIFFERENCE = 0.08;
const MAX_SCAN_SIZE_DIFFERENCE = 0.22;

function isContinuation(
  group: readonly Line[],
  before: Line,
  line: Line,
  column: { x0: number; x1: number },
  { pitch, body }: UsualMetrics,
): boolean {
  const size = Math.max(before.size, line.size);
  const tolerance =
    before.recognized && line.recognized ? MAX_SCAN_SIZE_DIFFERENCE : MAX_SIZE_DIFFERENCE;
  if (Math.abs(before.size - line.size) > tolerance * size) return false;
  const step = (line.y1 - before.y1) / size;
  if (step < 0.5 || step > pitch * 1.28 + 0.02) {
    if (!isWideHeading(before, line, column, body) || step > MAX_HEADING_SPACING) return false;
  }
  if (before.mono && line.mono) return true;
  if (isContentsEntry(before.words)) return false;
  if (
    before.bold !== line.bold &&
    (before.bold ? group.every(({ bold }) => bold) : true) &&
    endsLine(before, line, column)
  )
    return false;
  if (findMarker(line) !== undefined && startsItem(line, before, group)) return false;
  return !endsLine(before, line, column) && !isIndented(group, before, line);
}

/** True if the marker starts an item, not a number that happens to start a line of running text. */
function startsItem(line: Line, before: Line, group: readonly Line[]): boolean {
  const marker = findMarker(line) as string;
  if (!/^[\p{L}\d(]/u.test(marker) && marker !== "-" && marker !== "–" && marker !== "—")
    return true;
  const first = group[0] as Line;
  return (
    findMarker(first) !== undefined ||
    line.x0 > before.x0 + 1 ||
    /[.:;!?]$/.test(before.words.at(-1)?.text ?? "")
  );
}

/** True if the first word of the next line would have fit, so the line was ended on purpose. */
function endsLine(before: Line, line: Line, column: { x1: number }): boolean {
  const [first] = line.words as [Word];
  const room = column.x1 - before.x1;
  return room > first.x1 - first.x0 + 0.6 * before.size + 2;
}

function isIndented(group: readonly Line[], before: Line, line: Line): boolean {
  const indent = line.x0 - before.x0;
  const first = group[0] as Line;
  const hanging = findMarker(first) !== undefined || group.length > 1;
  if (indent > 0.8 * line.size && indent < 5 * line.size)
    return hanging
      ? line.x0 - (group.at(-1) as Line).x0 > 0.8 * line.size && group.length > 1
      : false;
  return false;
}
