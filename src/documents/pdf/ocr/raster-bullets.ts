// Finds list markers in a page image: small round or square spots before a line, which recognition
// misses or misreads.
import { measureHeight } from "./ocr-lines.ts";
import type { Box, Word } from "../page-text.ts";
import { computeInkThreshold, type Raster } from "./raster.ts";

/** Lengths are in heights of the line's capitals. */
const MAX_DISTANCE = 3.2;
const MIN_DISTANCE = 0.25;
const MIN_SIZE = 0.22;
const MAX_SIZE = 0.64;
/** Minimum share of its box that a spot fills: a disc 0.79, a ring less. */
const MIN_FILLED = 0.4;

/** Returns the lines, with a bullet before each if the image has one. Boxes are in pixels. */
export function addBullets(raster: Raster, lines: readonly (readonly Word[])[]): Word[][] {
  const threshold = computeInkThreshold(raster);
  const words = lines.flat();
  return lines.map((line) => {
    const [first] = line;
    const height = measureHeight(line.length > 1 ? line.slice(1) : line);
    if (first === undefined || height < 4) return [...line];
    return (
      replaceMisread(raster, line, { height, threshold }) ??
      insertMissed(raster, line, { height, threshold, words }) ?? [...line]
    );
  });
}

const buildBullet = (word: Word, box: Box): Word => ({
  ...word,
  ...box,
  text: "•",
  face: { ...word.face, weight: 1 },
});

/** Handles a spot that was read as a character or attached to the first word. */
function replaceMisread(
  raster: Raster,
  line: readonly Word[],
  { height, threshold }: { readonly height: number; readonly threshold: number },
): Word[] | undefined {
  const [first, second] = line as [Word, Word?];
  const start = { ...first, x0: first.x0 - 2, y0: first.y1 - 1.4 * height, y1: first.y1 + 2 };
  const spot = findFirstGlyph(raster, { ...start, x1: start.x0 + 1.2 * height }, threshold);
  if (spot === undefined) return undefined;
  const after = { ...first, x0: spot.x1 + 1, x1: Math.max(first.x1, second?.x1 ?? 0) };
  const rest = findFirstGlyph(raster, after, threshold);
  if (rest === undefined || !isBullet(spot, { ...rest, y1: first.y1 }, height)) return undefined;
  if (second !== undefined && first.x1 < rest.x0 + 2)
    return [buildBullet(first, spot), ...line.slice(1)];
  const text = first.text.replace(/^[^\p{L}\d]{1,2}|^[eo¢](?=[\p{Lu}\d])/u, "");
  if (text === "" || text === first.text) return undefined;
  return [buildBullet(first, spot), { ...first, text, x0: rest.x0 }, ...line.slice(1)];
}

/** Handles a spot that was not read at all. */
function insertMissed(
  raster: Raster,
  line: readonly Word[],
  { height, threshold, words }: { height: number; threshold: number; words: readonly Word[] },
): Word[] | undefined {
  const [first] = line as [Word];
  const before = {
    x0: first.x0 - MAX_DISTANCE * height,
    x1: first.x0 - MIN_DISTANCE * height,
    y0: Math.min(first.y0, first.y1 - height),
    y1: Math.max(first.y1, first.y0 + height),
  };
  const spot = findSpot(raster, before, threshold);
  if (spot === undefined || !isBullet(spot, first, height)) return undefined;
  if (words.some((word) => isTouching(word, { ...spot, x0: spot.x0 - height }))) return undefined;
  return [buildBullet(first, spot), ...line];
}

type Spot = Box & { readonly filled: number };

const isTouching = (one: Box, other: Box): boolean =>
  one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1;

/** Returns position and fill of the ink in a box. */
function findSpot({ width, height, grey }: Raster, box: Box, threshold: number): Spot | undefined {
  const [left, right] = [Math.max(0, Math.floor(box.x0)), Math.min(width, Math.ceil(box.x1))];
  const [top, bottom] = [Math.max(0, Math.floor(box.y0)), Math.min(height, Math.ceil(box.y1))];
  let [x0, y0, x1, y1, ink] = [Infinity, Infinity, -Infinity, -Infinity, 0];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      if ((grey[y * width + x] as number) > threshold) continue;
      ink++;
      [x0, x1] = [Math.min(x0, x), Math.max(x1, x + 1)];
      [y0, y1] = [Math.min(y0, y), Math.max(y1, y + 1)];
    }
  return ink < 4 ? undefined : { x0, y0, x1, y1, filled: ink / ((x1 - x0) * (y1 - y0)) };
}

/** Returns the ink in a box up to its first empty column. */
function findFirstGlyph(raster: Raster, box: Box, threshold: number): Spot | undefined {
  const { width, grey } = raster;
  const [top, bottom] = [
    Math.max(0, Math.floor(box.y0)),
    Math.min(raster.height, Math.ceil(box.y1)),
  ];
  const hasInk = (x: number): boolean => {
    for (let y = top; y < bottom; y++)
      if ((grey[y * width + x] as number) <= threshold) return true;
    return false;
  };
  const end = Math.min(width, Math.ceil(box.x1));
  let from = Math.max(0, Math.floor(box.x0));
  while (from < end && !hasInk(from)) from++;
  let to = from;
  while (to < end && hasInk(to)) to++;
  return from === to ? undefined : findSpot(raster, { ...box, x0: from, x1: to }, threshold);
}

/** True if a spot has the size and position of a marker before the text. */
function isBullet(spot: Spot, next: Box, height: number): boolean {
  const [wide, tall] = [(spot.x1 - spot.x0) / height, (spot.y1 - spot.y0) / height];
  const middle = (spot.y0 + spot.y1) / 2;
  return (
    Math.min(wide, tall) >= MIN_SIZE &&
    Math.max(wide, tall) <= MAX_SIZE &&
    Math.abs(wide - tall) <= 0.35 * Math.max(wide, tall) &&
    spot.filled >= MIN_FILLED &&
    next.x0 - spot.x1 >= MIN_DISTANCE * height &&
    middle > next.y1 - 1.1 * height - 0.3 * height &&
    middle < next.y1 - 0.1 * height
  );
}
