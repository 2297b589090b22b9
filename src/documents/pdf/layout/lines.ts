// Groups words into pieces of lines: words on one baseline without a wide gap.
import { type Box, computeMedian, joinBoxes, type Word } from "../page-text.ts";

/** Words on one baseline without a gap wider than a space. */
export type Piece = Box & {
  readonly words: readonly Word[];
  readonly size: number;
  readonly chars: number;
};

/** Minimum gap between two pieces, relative to the type size … */
const MIN_WIDE_GAP = 1.0;
/** … and a smaller one if the line's own spaces are much narrower. */
const MIN_CLEAR_GAP = 0.62;
const MIN_CLEAR_RATIO = 2.4;

export function toPiece(words: readonly Word[]): Piece {
  return {
    ...joinBoxes(words),
    words,
    size: Math.max(...words.map(({ face }) => face.size)),
    chars: words.reduce((sum, { text }) => sum + text.length, 0),
  };
}

/** Returns the pieces of a page or part, from top to bottom and left to right. */
export function toPieces(words: readonly Word[]): Piece[] {
  const pieces: Piece[] = [];
  for (const row of toRows(words)) {
    for (const part of splitRow(row)) pieces.push(toPiece(part));
  }
  return pieces.sort((one, other) => one.y1 - other.y1 || one.x0 - other.x0);
}

/** Groups words by baseline. Small raised or lowered words join the row they touch. */
function toRows(words: readonly Word[]): Word[][] {
  const sorted = words.toSorted((one, other) => other.face.size - one.face.size);
  const rows: { y0: number; y1: number; size: number; words: Word[] }[] = [];
  const byPlace = new Map<number, typeof rows>();
  for (const word of sorted) {
    const middle = (word.y0 + word.y1) / 2;
    const key = Math.round(middle / 4);
    let found: (typeof rows)[number] | undefined;
    let best = Infinity;
    for (let near = key - 3; near <= key + 3; near++) {
      for (const row of byPlace.get(near) ?? []) {
        const distance = Math.abs(row.y1 - word.y1);
        const fits =
          word.face.size < 0.8 * row.size
            ? middle > row.y0 - 0.1 * row.size &&
              middle < row.y1 + 0.1 * row.size &&
              isTouching(row.words, word)
            : distance < 0.35 * word.face.size;
        if (fits && distance < best) [found, best] = [row, distance];
      }
    }
    if (found === undefined) {
      found = { y0: word.y0, y1: word.y1, size: word.face.size, words: [] };
      rows.push(found);
      const at = Math.round((word.y0 + word.y1) / 8);
      byPlace.set(at, [...(byPlace.get(at) ?? []), found]);
    }
    found.words.push(word);
  }
  return rows.map((row) => row.words.toSorted((one, other) => one.x0 - other.x0));
}

const isTouching = (row: readonly Word[], word: Word): boolean =>
  row.some(
    (other) =>
      other.face.size > word.face.size &&
      word.x0 - other.x1 < 0.5 * other.face.size &&
      other.x0 - word.x1 < 0.5 * other.face.size,
  );

function splitRow(row: readonly Word[]): Word[][] {
  const gaps: number[] = [];
  for (let at = 1; at < row.length; at++) gaps.push(measureGap(row, at));
  const usual = computeMedian(gaps.filter((gap) => gap > 0));
  const parts: Word[][] = [];
  for (const [at, word] of row.entries()) {
    const gap = at === 0 ? Infinity : (gaps[at - 1] as number);
    const size = Math.max(word.face.size, row[at - 1]?.face.size ?? 0);
    const wide =
      gap > MIN_WIDE_GAP * size || (gap > MIN_CLEAR_GAP * size && gap > MIN_CLEAR_RATIO * usual);
    if (wide || parts.length === 0) parts.push([word]);
    else parts.at(-1)?.push(word);
  }
  return parts;
}

const measureGap = (row: readonly Word[], at: number): number =>
  (row[at] as Word).x0 - (row[at - 1] as Word).x1;
