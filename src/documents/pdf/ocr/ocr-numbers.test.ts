import { describe, expect, it } from "vitest";
import { repairNumbers } from "./ocr-numbers.ts";
import type { Word } from "../page-text.ts";

const word = (text: string, x0: number, y1: number): Word => ({
  text,
  x0,
  x1: x0 + 6 * text.length,
  y0: y1 - 8,
  y1,
  run: 0,
  tag: undefined,
  confidence: 0.8,
  face: { font: "OCR", size: 10, bold: false, italic: false, mono: false },
});

const markersOf = (markers: readonly string[]): string[] =>
  repairNumbers(
    markers.map((text, at) => [word(text, 50, 100 + 14 * at), word("Flour", 80, 100 + 14 * at)]),
  ).map(([first]) => first?.text ?? "");

describe("repairNumbers", () => {
  it("corrects misread item numbers by their neighbors", () => {
    expect(markersOf(["l.", "2.", "S.", "4.", "5,", "6."])).toEqual([
      "1.",
      "2.",
      "3.",
      "4.",
      "5.",
      "6.",
    ]);
    expect(markersOf(["1)", "Z)", "B)"])).toEqual(["1)", "2)", "3)"]);
  });

  it("keeps item numbers that no sequence contradicts", () => {
    expect(markersOf(["3.", "7.", "9."])).toEqual(["3.", "7.", "9."]);
    expect(markersOf(["A.", "B."])).toEqual(["A.", "B."]);
    expect(markersOf(["1.", "a.", "b.", "2."])).toEqual(["1.", "a.", "b.", "2."]);
  });
});
