// Cuts the cells of a ruled table out of the page image and stacks them, because text recognition
// is poor at tables but good at a single column of lines.
import type { Box } from "../page-text.ts";
import { computeInkThreshold, type Raster } from "./raster.ts";

export type CellSheet = {
  /** The stacked cells. */
  readonly sheet: Raster;
  /** Maps a box on the sheet to the page; undefined between cells. */
  readonly toPage: (box: Box) => Box | undefined;
};

/** Pixels between cells on the sheet, and inset inside a cell. */
const CELL_MARGIN_PX = 24;
const CELL_INSET_PX = 3;
/** Taller sheets are scaled down before recognition. */
const MAX_SHEET_HEIGHT_PX = 2_000;
/** A box that covers more of the page is a frame. */
const MAX_CELL_SHARE = 0.6;

/**
 * Returns the page without the cells that contain ink, and sheets with those cells. Boxes are in
 * pixels.
 */
export function cutCells(
  raster: Raster,
  boxes: readonly Box[],
): { readonly rest: Raster; readonly sheets: readonly CellSheet[] } {
  const threshold = computeInkThreshold(raster);
  const cells = boxes
    .map(insetBox)
    .filter(
      (cell) =>
        cell.x1 - cell.x0 > 3 &&
        cell.y1 - cell.y0 > 3 &&
        measureArea(cell) < MAX_CELL_SHARE * raster.width * raster.height &&
        hasInk(raster, cell, threshold),
    );
  if (cells.length === 0) return { rest: raster, sheets: [] };
  const rest = raster.grey.slice();
  for (const { x0, x1, y0, y1 } of cells)
    for (let y = y0; y < y1; y++) rest.fill(255, y * raster.width + x0, y * raster.width + x1);
  return { rest: { ...raster, grey: rest }, sheets: toSheets(raster, cells) };
}

const measureArea = ({ x0, x1, y0, y1 }: Box): number => (x1 - x0) * (y1 - y0);

type Place = { readonly cell: Box; readonly top: number };

function toSheets(raster: Raster, cells: readonly Box[]): CellSheet[] {
  const sheets: CellSheet[] = [];
  let places: Place[] = [];
  let height = CELL_MARGIN_PX;
  const flush = (): void => {
    if (places.length > 0) sheets.push(drawSheet(raster, places, height));
    [places, height] = [[], CELL_MARGIN_PX];
  };
  for (const cell of cells) {
    const tall = cell.y1 - cell.y0 + CELL_MARGIN_PX;
    if (height + tall > MAX_SHEET_HEIGHT_PX) flush();
    places.push({ cell, top: height });
    height += tall;
  }
  flush();
  return sheets;
}

function drawSheet(raster: Raster, places: readonly Place[], height: number): CellSheet {
  const width = Math.max(...places.map(({ cell }) => cell.x1 - cell.x0)) + 2 * CELL_MARGIN_PX;
  const grey = new Uint8Array(width * height).fill(255);
  for (const { cell, top } of places)
    for (let y = cell.y0; y < cell.y1; y++) {
      const row = raster.grey.subarray(y * raster.width + cell.x0, y * raster.width + cell.x1);
      grey.set(row, (top + y - cell.y0) * width + CELL_MARGIN_PX);
    }
  return { sheet: { width, height, grey }, toPage: (box) => toPageBox(places, box) };
}

const insetBox = ({ x0, y0, x1, y1 }: Box): Box => ({
  x0: Math.max(0, Math.round(x0) + CELL_INSET_PX),
  y0: Math.max(0, Math.round(y0) + CELL_INSET_PX),
  x1: Math.round(x1) - CELL_INSET_PX,
  y1: Math.round(y1) - CELL_INSET_PX,
});

function hasInk({ width, grey }: Raster, { x0, y0, x1, y1 }: Box, threshold: number): boolean {
  let ink = 0;
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) if ((grey[y * width + x] as number) <= threshold) ink++;
  return ink > 6;
}

function toPageBox(places: readonly Place[], box: Box): Box | undefined {
  const middle = (box.y0 + box.y1) / 2;
  const place = places.findLast(({ top }) => top - CELL_MARGIN_PX / 2 <= middle);
  if (place === undefined) return undefined;
  const { cell, top } = place;
  const [right, down] = [cell.x0 - CELL_MARGIN_PX, cell.y0 - top];
  return {
    x0: Math.max(cell.x0, box.x0 + right),
    y0: Math.max(cell.y0, box.y0 + down),
    x1: Math.min(cell.x1, box.x1 + right),
    y1: Math.min(cell.y1, box.y1 + down),
  };
}
