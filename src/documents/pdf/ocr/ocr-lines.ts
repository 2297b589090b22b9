// Groups recognized words into lines. Their boxes are only as tall as their ink, so a single word
// reveals neither baseline nor type size.
import { computeMedian, type Word } from "../page-text.ts";

/** Maximum gap between words of one line, in ink heights. */
const MAX_GAP = 1.8;

type Line = { words: Word[]; y0: number; y1: number; x1: number };

/** Returns the words of each line from left to right. A wide gap separates lines. */
export function toLines(words: readonly Word[]): Word[][] {
  const lines: Line[] = [];
  for (const word of words.toSorted((one, other) => one.x0 - other.x0)) {
    const line = findBestLine(lines, word);
    if (line === undefined) {
      lines.push({ words: [word], y0: word.y0, y1: word.y1, x1: word.x1 });
      continue;
    }
    line.words.push(word);
    line.x1 = Math.max(line.x1, word.x1);
    // Lines drift on warped paper, so a word is compared with the last words instead of the first.
    const recent = line.words.slice(-4);
    line.y0 = Math.min(...recent.map(({ y0 }) => y0));
    line.y1 = Math.max(...recent.map(({ y1 }) => y1));
  }
  return lines.map(({ words: own }) => own);
}

/** Returns the words with box, size and weight of their line. */
export function alignLines(lines: readonly (readonly Word[])[]): Word[] {
  const heights = lines.map(measureHeight);
  const body = computeMedian(lines.flatMap((words, at) => words.map(() => heights[at] as number)));
  return lines.flatMap((words, at) => alignLine(words, heights[at] as number, body));
}

function findBestLine(lines: readonly Line[], word: Word): Line | undefined {
  const height = word.y1 - word.y0;
  let best: Line | undefined;
  let max = 0;
  for (const line of lines) {
    const common = Math.min(line.y1, word.y1) - Math.max(line.y0, word.y0);
    const share = common / Math.min(height, line.y1 - line.y0);
    const gap = word.x0 - line.x1;
    if (share > 0.5 && share > max && gap < MAX_GAP * height && gap > -height)
      [best, max] = [line, share];
  }
  return best;
}

/** Returns the height of capitals, from words with boxes as tall as their ink. */
export function measureHeight(words: readonly Word[]): number {
  const kinds = [/[A-Zbdfhkl0-9]/, /[tij]/, /./].map((kind) =>
    words.filter(({ text }) => /[\p{L}\d]/u.test(text) && kind.test(text)),
  );
  const best = kinds.find((found) => found.length > 0) ?? words;
  const heights = best.map(({ y1, y0, text }) => (y1 - y0) * measureCapitals(text));
  // The mean of many integer pixel heights is more exact than one, but some boxes are wrong.
  const usual = computeMedian(heights);
  const near = heights.filter((height) => Math.abs(height - usual) < MAX_HEIGHT_DIFFERENCE * usual);
  return near.reduce((sum, height) => sum + height, 0) / Math.max(1, near.length);
}

const MAX_HEIGHT_DIFFERENCE = 0.12;

/**
 * Returns capital height relative to a word's ink in common fonts: words without ascenders are
 * lower, with descenders taller.
 */
function measureCapitals(text: string): number {
  const hasTail = /[gjpqyQ,;()[\]{}|$/]/.test(text);
  if (/[A-Zbdfhkl0-9()[\]{}|$/]/.test(text)) return hasTail ? 0.77 : 1;
  if (/[tij]/.test(text)) return hasTail ? 0.83 : 1.1;
  return hasTail ? 1 : 1.4;
}

/** Ignores differences within the blur of recognition. */
function snapHeight(height: number, body: number, bold: boolean): number {
  const ratio = height / body;
  return ratio > MIN_SMALLER && ratio < (bold ? MIN_LARGER_BOLD : MIN_LARGER) ? body : height;
}

const MIN_LARGER = 1.3;
const MIN_LARGER_BOLD = 1.1;
const MIN_SMALLER = 0.76;
/** Type size relative to the height of capitals. */
const SIZE_PER_CAPITAL_HEIGHT = 1.45;
/** Minimum stroke width of bold type relative to the text, at the same size. */
const MIN_BOLD_RATIO = 1.19;

function alignLine(words: readonly Word[], height: number, body: number): Word[] {
  const middle = words.map(({ y0, y1 }) => (y0 + y1) / 2);
  const center = computeMedian(middle);
  const mono = isOfOneWidth(words, height);
  const bold = !mono && weighWords(words) > MIN_BOLD_RATIO * Math.max(1, height / body) ** 0.6;
  const size = snapHeight(height, body, bold) * SIZE_PER_CAPITAL_HEIGHT;
  return words.map((word) => ({
    ...word,
    y0: center - 0.52 * size,
    y1: center + 0.52 * size,
    face: { ...word.face, size, bold, mono },
  }));
}

function weighWords(words: readonly Word[]): number {
  let [sum, characters] = [0, 0];
  for (const { face, text } of words) {
    sum += (face.weight ?? 1) * text.length;
    characters += text.length;
  }
  return sum / Math.max(1, characters);
}

/**
 * Monospace: width of a character in capital heights, and the maximum deviation of words from the
 * pitch.
 */
const PITCH = { min: 0.8, max: 1.06 } as const;
const MAX_STRAY_HEIGHT_RATIO = 0.3;
const MIN_CHARACTERS = 8;

/** True if every word starts and ends where it would in monospace. */
function isOfOneWidth(words: readonly Word[], height: number): boolean {
  // Capitals have about the same width in every font.
  const text = words.map((word) => word.text).join(" ");
  if ((text.match(/\p{Ll}/gu)?.length ?? 0) < 0.3 * text.length) return false;
  const [first, last] = [words[0], words.at(-1)];
  if (first === undefined || last === undefined || words.length < 2) return false;
  const { length } = text;
  const pitch = (last.x1 - first.x0) / length;
  if (length < MIN_CHARACTERS || pitch < PITCH.min * height || pitch > PITCH.max * height)
    return false;
  let at = 0;
  return words.every((word) => {
    const [start, end] = [(word.x0 - first.x0) / pitch, (word.x1 - first.x0) / pitch];
    const fits =
      Math.abs(start - at) < MAX_STRAY_HEIGHT_RATIO &&
      Math.abs(end - at - word.text.length) < 2 * MAX_STRAY_HEIGHT_RATIO;
    at += word.text.length + 1;
    return fits;
  });
}
