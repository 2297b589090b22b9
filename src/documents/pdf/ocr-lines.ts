// Words that were recognised in a picture, put on lines: their boxes are as tall as their ink, and the paper may have lain
// askew, so neither says where a line is nor how large its type.
import { median, type Word } from "./page-text.ts";

/** Between words of one line, in heights of their ink. */
const WIDEST_GAP = 1.8;

type Line = { words: Word[]; y0: number; y1: number; x1: number };

/** The words with the box and size of the line they stand on. */
export function levelLines(askew: readonly Word[]): Word[] {
  const words = straighten(askew);
  const lines = toLines(words);
  const heights = lines.map(heightOf);
  const body = median(lines.flatMap((line, at) => line.words.map(() => heights[at] as number)));
  return lines.flatMap((line, at) => level(line, snap(heights[at] as number, body)));
}

function toLines(words: readonly Word[]): Line[] {
  const lines: Line[] = [];
  for (const word of words.toSorted((one, other) => one.x0 - other.x0)) {
    const line = bestLine(lines, word);
    if (line === undefined) {
      lines.push({ words: [word], y0: word.y0, y1: word.y1, x1: word.x1 });
      continue;
    }
    line.words.push(word);
    line.x1 = Math.max(line.x1, word.x1);
    // Askew lines drift: what follows is compared with the last words, not with the first.
    const recent = line.words.slice(-4);
    line.y0 = Math.min(...recent.map(({ y0 }) => y0));
    line.y1 = Math.max(...recent.map(({ y1 }) => y1));
  }
  return lines;
}

const LEAST_SLOPE = 0.0005;
const LONG_LINE = 120;

/** Turned back by the slope of its lines; the box of a wide word that lies askew is taller than its ink. */
function straighten(words: readonly Word[]): Word[] {
  const slope = median(
    toLines(words)
      .filter(({ words: own, x1 }) => own.length > 2 && x1 - (own[0] as Word).x0 > LONG_LINE)
      .map(slopeOf),
  );
  if (Math.abs(slope) < LEAST_SLOPE) return [...words];
  return words.map((word) => {
    const drop = slope * ((word.x0 + word.x1) / 2);
    const extra = Math.min(Math.abs(slope) * (word.x1 - word.x0), 0.5 * (word.y1 - word.y0)) / 2;
    return { ...word, y0: word.y0 - drop + extra, y1: word.y1 - drop - extra };
  });
}

/** Of the line through the middles of the words, by least squares. */
function slopeOf({ words }: Line): number {
  const xs = words.map(({ x0, x1 }) => (x0 + x1) / 2);
  const ys = words.map(({ y0, y1 }) => (y0 + y1) / 2);
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  let [above, below] = [0, 0];
  for (const [at, value] of xs.entries()) {
    above += (value - x) * ((ys[at] as number) - y);
    below += (value - x) ** 2;
  }
  return below === 0 ? 0 : above / below;
}

function bestLine(lines: readonly Line[], word: Word): Line | undefined {
  const height = word.y1 - word.y0;
  let best: Line | undefined;
  let most = 0;
  for (const line of lines) {
    const common = Math.min(line.y1, word.y1) - Math.max(line.y0, word.y0);
    const share = common / Math.min(height, line.y1 - line.y0);
    const gap = word.x0 - line.x1;
    if (share > 0.5 && share > most && gap < WIDEST_GAP * height && gap > -height)
      [best, most] = [line, share];
  }
  return best;
}

/** How tall letters with a stem are: tall words count, words like "on" and marks do not. */
function heightOf(line: Line): number {
  const tall = line.words.filter(({ text }) => /[A-Zbdfhklt0-9]/.test(text));
  return median(
    (tall.length > 0 ? tall : line.words).map(
      ({ y1, y0, text }) => (y1 - y0) * (/[gjpqy,;()]/.test(text) ? 0.8 : 1),
    ),
  );
}

/** Differences within what recognition blurs are none. */
function snap(height: number, body: number): number {
  const ratio = height / body;
  if (ratio > LEAST_SMALLER && ratio < LEAST_LARGER) return body;
  return body * Math.max(0.5, Math.round(ratio * 4) / 4);
}

const LEAST_LARGER = 1.3;
const LEAST_SMALLER = 0.7;

function level(line: Line, height: number): Word[] {
  const middle = line.words.map(({ y0, y1 }) => (y0 + y1) / 2);
  const center = median(middle);
  const size = height * 1.35;
  return line.words.map((word) => ({
    ...word,
    y0: center - 0.55 * size,
    y1: center + 0.55 * size,
    face: { ...word.face, size },
  }));
}
