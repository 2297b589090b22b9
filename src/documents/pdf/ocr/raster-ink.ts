// Measures the height and stroke weight of recognized words from their ink.
import { type Box, computeMedian, type Word } from "../page-text.ts";
import { computeInkThreshold, type Raster } from "./raster.ts";

/**
 * Returns the words with boxes as tall as their ink, because recognition gives them the height of
 * their line.
 */
export function fitToInk(raster: Raster, words: readonly Word[]): Word[] {
  const threshold = computeInkThreshold(raster);
  return words.map((word) => {
    const [y0, y1] = findInkRows(raster, word, threshold);
    return y1 - y0 < 0.25 * (word.y1 - word.y0) ? word : { ...word, y0, y1 };
  });
}

/** Maximum share of a word that a box may miss at the top and the bottom. */
const MAX_CLIPPED_SHARE = 0.4;

/** Returns the first row with ink and the one after the last. */
function findInkRows(
  { width, height, grey }: Raster,
  box: Box,
  threshold: number,
): [number, number] {
  const [left, right] = [Math.max(0, Math.floor(box.x0)), Math.min(width, Math.ceil(box.x1))];
  const hasInk = (y: number): boolean => {
    for (let x = left; x < right; x++)
      if ((grey[y * width + x] as number) <= threshold) return true;
    return false;
  };
  const beyond = MAX_CLIPPED_SHARE * (box.y1 - box.y0);
  let [top, bottom] = [Math.max(0, Math.floor(box.y0)), Math.min(height, Math.ceil(box.y1))];
  while (top > 0 && top > box.y0 - beyond && hasInk(top)) top--;
  while (bottom < height && bottom < box.y1 + beyond && hasInk(bottom - 1)) bottom++;
  while (top < bottom && !hasInk(top)) top++;
  while (bottom > top && !hasInk(bottom - 1)) bottom--;
  return [top, bottom];
}

/** Returns the mean stroke width in a box, in pixels: ink divided by its horizontal edges. */
function measureStroke({ width, height, grey }: Raster, box: Box): number {
  const [left, right] = [
    Math.max(1, Math.floor(box.x0) - 1),
    Math.min(width, Math.ceil(box.x1) + 1),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(box.y0) - 1),
    Math.min(height, Math.ceil(box.y1) + 1),
  ];
  let [ink, edges] = [0, 1];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const value = grey[y * width + x] as number;
      ink += 255 - value;
      edges += Math.abs(value - (grey[y * width + x - 1] as number));
    }
  return (2 * ink) / edges;
}

/** Returns the words with stroke weights relative to the page's usual one in their face. */
export function weighWords(raster: Raster, lines: readonly (readonly Word[])[]): Word[][] {
  const widths = lines.map((words) => words.map((word) => measureStroke(raster, word)));
  const usual = computeMedian(
    lines.flatMap((words, line) =>
      words.flatMap(({ text }, at) =>
        Array.from({ length: Math.min(20, text.length) }, () => widths[line]?.[at] ?? 0),
      ),
    ),
  );
  return lines.map((words, line) =>
    words.map((word, at) => {
      const weight = (widths[line]?.[at] ?? usual) / Math.max(1, usual);
      return { ...word, face: { ...word.face, weight: word.text === "•" ? 1 : weight } };
    }),
  );
}
