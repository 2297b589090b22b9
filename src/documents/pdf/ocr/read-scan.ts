// Converts a page image to words and ruled lines: turned upright, tables read cell by cell, weights
// and list markers measured from the ink.
import { alignLines, toLines } from "./ocr-lines.ts";
import { repairNumbers } from "./ocr-numbers.ts";
import type { Box, Ruling, Word } from "../page-text.ts";
import { cutCells } from "./raster-cells.ts";
import { fitToInk, weighWords } from "./raster-ink.ts";
import { addBullets } from "./raster-bullets.ts";
import { takeRulings } from "./raster-rulings.ts";
import { encodePdf, doubleRaster, type Raster, measureSlope, rotateRaster } from "./raster.ts";
import { findRuledCells } from "../tables/ruled-tables.ts";

export type Scan = {
  readonly words: readonly Word[];
  readonly horizontals: readonly Ruling[];
  readonly verticals: readonly Ruling[];
};

/** Recognizes the words of a page, in pixels of an image of this size. */
export type Recognize = (page: Buffer, size: Raster) => Promise<readonly Word[]>;

const MIN_SLOPE = 0.0004;

/** All lengths are pixels of the image. */
export async function readScan(picture: Raster, dpi: number, recognize: Recognize): Promise<Scan> {
  const slope = measureSlope(picture);
  const upright = Math.abs(slope) < MIN_SLOPE ? picture : rotateRaster(picture, slope);
  const { horizontals, verticals, rest: unruled } = takeRulings(upright, dpi);
  const { rest, sheets } = cutCells(unruled, findRuledCells(horizontals, verticals));
  const found = fitToInk(rest, await recognize(encodePdf(rest, dpi), rest));
  const lines = repairNumbers(addBullets(unruled, toLines(found)));
  for (const { sheet, toPage } of sheets) {
    const read = fitToInk(sheet, await recognize(encodePdf(doubleRaster(sheet), dpi), sheet));
    for (const line of toLines(read)) lines.push(selectInCell(line, toPage));
  }
  return { words: alignLines(weighWords(unruled, lines)), horizontals, verticals };
}

const selectInCell = (words: readonly Word[], toPage: (box: Box) => Box | undefined): Word[] =>
  words.flatMap((word) => {
    const box = toPage(word);
    return box === undefined ? [] : [{ ...word, ...box }];
  });
