// Finds the faces of single words. A line with several faces arrives as one item with the first
// face. The height of a word's box depends on its font, which distinguishes faces, as does the
// character width in monospace.
import { type Face, computeMedian, type Word } from "./page-text.ts";

/** Marks of faces by box height, in hundredths of their size. */
export type KnownFaces = {
  readonly byHeight: ReadonlyMap<number, Marks>;
  /** Box height of most of the text. */
  readonly usual: number | undefined;
};

type Marks = Pick<Face, "bold" | "italic" | "mono">;

const PLAIN: Marks = { bold: false, italic: false, mono: false };
const measureHeight = ({ y0, y1 }: Word): number => y1 - y0;
const toFaceKey = (word: Word, size: number): number =>
  Math.round((100 * measureHeight(word)) / size);

/**
 * Learns faces from the first words of a page's items, each as wide as its item. Faces with equal
 * box heights keep their common marks.
 */
export function learnFaces(firsts: readonly Word[]): KnownFaces {
  const byHeight = new Map<number, Marks>();
  const counts = new Map<number, number>();
  for (const word of firsts) {
    const key = toFaceKey(word, word.face.size);
    const { bold, italic, mono } = word.face;
    const known = byHeight.get(key) ?? word.face;
    byHeight.set(key, {
      bold: bold && known.bold,
      italic: italic && known.italic,
      mono: mono && known.mono,
    });
    counts.set(key, (counts.get(key) ?? 0) + word.x1 - word.x0);
  }
  const [max] = [...counts].sort((one, other) => other[1] - one[1]);
  return { byHeight, usual: max?.[0] };
}

/** Boxes of one font differ by less than this share of their height. */
const MAX_HEIGHT_DIFFERENCE = 0.04;
/** With more heights in an item, boxes follow the letters and reveal nothing about faces. */
const MAX_HEIGHTS = 3;

/** Returns the words of one item, each with its own box and face; raised marks are split off. */
export function withOwnFaces(words: readonly Word[], line: Line, known: KnownFaces): Word[] {
  const [first] = words;
  if (first === undefined) return [];
  const onLine = (word: Word): Word => ({ ...word, y0: line.y0, y1: line.y1 });
  if (words.length < 2 || countHeights(words) > MAX_HEIGHTS)
    return dropOtherFaces(words.map(onLine));
  const usual = computeMedian(words.map(measureHeight));
  const usualBox = {
    y0: computeMedian(words.map(({ y0 }) => y0)),
    y1: computeMedian(words.map(({ y1 }) => y1)),
    size: first.face.size,
  };
  const split = words.map((word) => splitMark(word, usualBox));
  const isLed = split[0]?.[0]?.isMark === true;
  // The item has the face of the mark at its start.
  const size = isLed && known.usual ? (100 * usual) / known.usual : first.face.size;
  const parts = split.flat().map(({ word, isMark }): Word => {
    if (isMark)
      return isLed ? { ...word, face: { ...word.face, size: MAX_RAISED_RATIO * size } } : word;
    const isOfFirst =
      !isLed &&
      Math.abs(measureHeight(word) - measureHeight(first)) <=
        MAX_HEIGHT_DIFFERENCE * measureHeight(first);
    if (isOfFirst) return onLine(word);
    const marks = known.byHeight.get(toFaceKey(word, size)) ?? PLAIN;
    return onLine({ ...word, face: { ...word.face, ...marks, size } });
  });
  return isApart(first, known) ? parts : dropOtherFaces(parts);
}

/** True if the box height alone distinguishes a monospace face from the text. */
function isApart(word: Word, { byHeight, usual }: KnownFaces): boolean {
  const key = toFaceKey(word, word.face.size);
  return (
    byHeight.get(key)?.mono === true &&
    usual !== undefined &&
    Math.abs(key - usual) > 100 * MAX_HEIGHT_DIFFERENCE
  );
}

type Line = { readonly y0: number; readonly y1: number };

function countHeights(words: readonly Word[]): number {
  const seen: number[] = [];
  for (const word of words) {
    const height = measureHeight(word);
    if (!seen.some((other) => Math.abs(other - height) <= MAX_HEIGHT_DIFFERENCE * other))
      seen.push(height);
  }
  return seen.length;
}

type Part = { readonly word: Word; readonly isMark: boolean };

/** Size of raised figures relative to the text, and the distance of their end from its bottom. */
const MAX_RAISED_RATIO = 0.7;
const MIN_LIFT_RATIO = 0.35;
const MARK = /^(?:\d{1,3}|[*†‡§¶]{1,3})$/;
const MARK_AT_END = /^(.*\p{L}[.,;:!?)”"’»]*)(\d{1,3}|[*†‡§¶]{1,3})$/u;
const MARK_AT_START = /^(\d{1,3}|[*†‡§¶]{1,3})(\p{Lu}.*)$/u;

/** A raised mark extends the box of its word upwards only. */
function splitMark(word: Word, usual: Line & { readonly size: number }): Part[] {
  const whole: Part = { word, isMark: false };
  const height = usual.y1 - usual.y0;
  const raise = (mark: Word): Part => ({
    isMark: true,
    // A separate run, because no space is between it and its word.
    word: {
      ...mark,
      run: mark.run + 0.5,
      face: { ...mark.face, size: MAX_RAISED_RATIO * usual.size },
    },
  });
  if (MARK.test(word.text))
    return word.y1 < usual.y1 - 0.2 * height && measureHeight(word) < 0.9 * height
      ? [raise(word)]
      : [whole];
  const isTall = word.y0 < usual.y0 - 0.05 * height && Math.abs(word.y1 - usual.y1) < 0.05 * height;
  const atEnd = isTall ? MARK_AT_END.exec(word.text) : null;
  const atStart = isTall ? MARK_AT_START.exec(word.text) : null;
  const [, head, tail] = atEnd ?? atStart ?? [];
  if (head === undefined || tail === undefined) return [whole];
  const share = head.length / word.text.length;
  const border = word.x0 + share * (word.x1 - word.x0);
  const lifted = word.y1 - MIN_LIFT_RATIO * height;
  const left: Word = { ...word, text: head, x1: border };
  const right: Word = { ...word, text: tail, x0: border };
  return atEnd === null
    ? [raise({ ...left, y1: lifted }), { word: { ...right, y0: usual.y0 }, isMark: false }]
    : [{ word: { ...left, y0: usual.y0 }, isMark: false }, raise({ ...right, y1: lifted })];
}

/** Maximum difference in character width from the face, as a share of its size. */
const MAX_WIDTH_DIFFERENCE = 0.012;

/** In monospace all words have the same character width; others are set in another face. */
function dropOtherFaces(words: readonly Word[]): Word[] {
  const [first] = words;
  if (first?.face.mono !== true) return [...words];
  const measureCharacterWidth = ({ x0, x1, text }: Word): number => (x1 - x0) / text.length;
  const width = measureCharacterWidth(first);
  return words.map((word) =>
    Math.abs(measureCharacterWidth(word) - width) <= MAX_WIDTH_DIFFERENCE * word.face.size ||
    !word.face.mono
      ? word
      : { ...word, face: { ...word.face, ...PLAIN } },
  );
}
