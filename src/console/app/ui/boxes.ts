// Boxes on a picture, in whole pixels of the picture. Pure.
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};
export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };

/** Reads "left top width height"; NaN where there is no number, so that the API names the fault. */
export function parseBox(text: string): Box {
  const [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN] = text
    .trim()
    .split(/[\s,×x]+/)
    .map(Number);
  return { x, y, width, height };
}

export const writeBox = ({ x, y, width, height }: Box): string => `${x} ${y} ${width} ${height}`;

export const isBox = ({ x, y, width, height }: Box): boolean =>
  [x, y, width, height].every(Number.isFinite) && width > 0 && height > 0;

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, Math.round(value)));

/** The box between two corners, inside the picture and at least one pixel large. */
export function spanBox(from: Point, to: Point, picture: Size): Box {
  const x = clamp(Math.min(from.x, to.x), 0, picture.width - 1);
  const y = clamp(Math.min(from.y, to.y), 0, picture.height - 1);
  const right = clamp(Math.max(from.x, to.x), x + 1, picture.width);
  const bottom = clamp(Math.max(from.y, to.y), y + 1, picture.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Moves a box, which keeps its size, as far as the picture reaches. */
export const moveBox = (box: Box, by: Point, picture: Size): Box => ({
  ...box,
  x: clamp(box.x + by.x, 0, Math.max(0, picture.width - box.width)),
  y: clamp(box.y + by.y, 0, Math.max(0, picture.height - box.height)),
});

/** Moves the right and bottom edges, as far as the picture reaches. */
export const resizeBox = (box: Box, by: Point, picture: Size): Box => ({
  ...box,
  width: clamp(box.width + by.x, 1, Math.max(1, picture.width - box.x)),
  height: clamp(box.height + by.y, 1, Math.max(1, picture.height - box.y)),
});
