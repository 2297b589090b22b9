import { describe, expect, it } from "vitest";
import { LiteParse } from "@llamaindex/liteparse";
import type { Word } from "../page-text.ts";
import { cutCells } from "./raster-cells.ts";
import { fitToInk, weighWords } from "./raster-ink.ts";
import { addBullets } from "./raster-bullets.ts";
import { takeRulings } from "./raster-rulings.ts";
import {
  decodePng,
  encodePdf,
  doubleRaster,
  type Raster,
  measureSlope,
  rotateRaster,
} from "./raster.ts";
import { findRuledCells } from "../tables/ruled-tables.ts";

const [WIDTH, HEIGHT] = [600, 400];
const DPI = 150;

/** Draws black boxes on a white page, each `[x, y, width, height]`. */
function draw(boxes: readonly (readonly [number, number, number, number])[]): Raster {
  const grey = new Uint8Array(WIDTH * HEIGHT).fill(255);
  for (const [x, y, width, height] of boxes)
    for (let row = y; row < y + height; row++)
      grey.fill(0, row * WIDTH + x, row * WIDTH + x + width);
  return { width: WIDTH, height: HEIGHT, grey };
}

/** Lines of strokes as tall as letters. */
const textLines = (count: number): [number, number, number, number][] =>
  Array.from({ length: count }, (_, line) =>
    Array.from({ length: 60 }, (__, at): [number, number, number, number] => [
      60 + at * 8,
      40 + line * 30,
      3,
      14,
    ]),
  ).flat();

const word = (x0: number, y0: number, x1: number, y1: number, text = "Hull"): Word => ({
  text,
  x0,
  y0,
  x1,
  y1,
  run: 0,
  tag: undefined,
  confidence: 0.9,
  face: { font: "OCR", size: 10, bold: false, italic: false, mono: false },
});

describe("page image", () => {
  it("round-trips a page image through a PDF page drawn as PNG", async () => {
    const drawn = draw(textLines(4));
    const drawing = new LiteParse({ ocrEnabled: false, quiet: true, dpi: DPI });
    const [shot] = await drawing.screenshot(encodePdf(drawn, DPI), [1]);
    const back = decodePng(shot?.imageBuffer ?? Buffer.alloc(0));
    expect([back?.width, back?.height]).toEqual([WIDTH, HEIGHT]);
    const differing = back?.grey.filter(
      (value, at) => Math.abs(value - (drawn.grey[at] ?? 0)) > 60,
    );
    expect(differing).toHaveLength(0);
    expect(decodePng(Buffer.from("not a picture at all"))).toBeUndefined();
  });

  it("turns a skewed page image upright by the slope of its lines", () => {
    const askew = rotateRaster(draw(textLines(10)), -0.02);
    expect(measureSlope(askew)).toBeCloseTo(0.02, 2);
    expect(Math.abs(measureSlope(rotateRaster(askew, measureSlope(askew))))).toBeLessThan(0.002);
  });

  it("keeps the same ink when it is enlarged to twice its size", () => {
    const small = draw([[100, 100, 40, 20]]);
    const large = doubleRaster(small);
    const ink = ({ grey }: Raster): number => grey.filter((value) => value < 128).length;
    expect([large.width, large.height]).toEqual([2 * WIDTH, 2 * HEIGHT]);
    expect(ink(large)).toBe(4 * ink(small));
  });
});

describe("takeRulings", () => {
  const table: [number, number, number, number][] = [
    ...[50, 100, 150].map((y): [number, number, number, number] => [50, y, 400, 2]),
    ...[50, 250, 448].map((x): [number, number, number, number] => [x, 50, 2, 102]),
  ];

  it("finds and removes ruled lines, and keeps letters and shapes", () => {
    const letters: [number, number, number, number] = [80, 70, 20, 14];
    const shape: [number, number, number, number] = [500, 200, 80, 80];
    const { horizontals, verticals, rest } = takeRulings(draw([...table, letters, shape]), DPI);
    expect(horizontals.map(({ at }) => Math.round(at))).toEqual([51, 101, 151]);
    expect(verticals.map(({ at }) => Math.round(at))).toEqual([51, 251, 449]);
    expect(rest.grey[101 * WIDTH + 150]).toBe(255);
    expect(rest.grey[75 * WIDTH + 90]).toBe(0);
    expect(rest.grey[240 * WIDTH + 540]).toBe(0);
  });

  it("stacks the cells of ruled lines and maps their words back to the page", () => {
    const ink: [number, number, number, number][] = [
      [80, 70, 20, 14],
      [300, 120, 30, 14],
    ];
    const { horizontals, verticals, rest } = takeRulings(draw([...table, ...ink]), DPI);
    const cut = cutCells(rest, findRuledCells(horizontals, verticals));
    expect(cut.rest.grey.every((value) => value > 128 || value === 0)).toBe(true);
    expect(cut.rest.grey[75 * WIDTH + 90]).toBe(255);
    const [sheet] = cut.sheets;
    if (sheet === undefined) throw new Error("no cells were cut out");
    const places = ink.map(([x, y]) => {
      const found = sheet.sheet;
      const at = found.grey.findIndex((value, place) => {
        const box = { x0: place % found.width, y0: Math.floor(place / found.width) };
        const back = sheet.toPage({ ...box, x1: box.x0 + 1, y1: box.y0 + 1 });
        return value === 0 && back?.x0 === x && back.y0 === y;
      });
      return at >= 0;
    });
    expect(places).toEqual([true, true]);
  });
});

describe("ink measurements", () => {
  it("measures height and stroke weight of words", () => {
    const page = draw([...textLines(4), [60, 200, 12, 14], [80, 200, 12, 14]]);
    const thin = fitToInk(page, [word(58, 38, 300, 60)]);
    expect(thin.map(({ y0, y1 }) => [y0, y1])).toEqual([[40, 54]]);
    const [[usual] = [], [heavy] = []] = weighWords(page, [
      [word(58, 40, 540, 54, "Hulls and masts")],
      [word(58, 200, 94, 214, "Ii")],
    ]);
    expect(usual?.face.weight).toBeCloseTo(1, 1);
    expect(heavy?.face.weight).toBeGreaterThan(2);
  });

  it("adds a list marker for a small round spot before a line", () => {
    const page = draw([
      [40, 205, 6, 6],
      [60, 200, 3, 14],
      [70, 200, 3, 14],
      [60, 240, 3, 14],
      [70, 240, 3, 14],
    ]);
    const [item, line] = addBullets(page, [[word(60, 200, 73, 214)], [word(60, 240, 73, 254)]]);
    expect(item?.map(({ text }) => text)).toEqual(["•", "Hull"]);
    expect(line?.map(({ text }) => text)).toEqual(["Hull"]);
  });

  it("replaces a misread bullet by a list marker", () => {
    const page = draw([
      [40, 205, 6, 6],
      [60, 200, 3, 14],
      [70, 200, 3, 14],
    ]);
    const read = (texts: readonly Word[]): string[] =>
      (addBullets(page, [texts])[0] ?? []).map(({ text }) => text);
    expect(read([word(40, 205, 46, 211, "e"), word(60, 200, 73, 214)])).toEqual(["•", "Hull"]);
    expect(read([word(40, 200, 73, 214, "«Hull")])).toEqual(["•", "Hull"]);
  });
});
