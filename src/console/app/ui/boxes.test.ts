import { describe, expect, it } from "vitest";
import { isBox, moveBox, parseBox, resizeBox, spanBox, writeBox } from "./boxes.ts";

const PICTURE = { width: 100, height: 50 };
const BOX = { x: 10, y: 10, width: 20, height: 20 };

describe("boxes on a picture", () => {
  it("a drawn box is the same from any corner, in whole pixels inside the picture", () => {
    const box = { x: 10, y: 5, width: 30, height: 20 };
    expect(spanBox({ x: 10.2, y: 4.9 }, { x: 40.1, y: 25 }, PICTURE)).toEqual(box);
    expect(spanBox({ x: 40.1, y: 4.9 }, { x: 10.2, y: 25 }, PICTURE)).toEqual(box);
    expect(spanBox({ x: -20, y: -5 }, { x: 400, y: 80 }, PICTURE)).toEqual({
      x: 0,
      y: 0,
      ...PICTURE,
    });
    expect(spanBox({ x: 400, y: 80 }, { x: 400, y: 80 }, PICTURE)).toEqual({
      x: 99,
      y: 49,
      width: 1,
      height: 1,
    });
  });

  it("a box is moved and resized as far as the picture reaches", () => {
    expect(moveBox(BOX, { x: 5, y: -3 }, PICTURE)).toEqual({ ...BOX, x: 15, y: 7 });
    expect(moveBox(BOX, { x: -50, y: 500 }, PICTURE)).toEqual({ ...BOX, x: 0, y: 30 });
    expect(resizeBox(BOX, { x: 7, y: 8 }, PICTURE)).toEqual({ ...BOX, width: 27, height: 28 });
    expect(resizeBox(BOX, { x: -90, y: 900 }, PICTURE)).toEqual({ ...BOX, width: 1, height: 40 });
  });

  it("a box is read as it is written, and other text is no box", () => {
    expect(parseBox(writeBox(BOX))).toEqual(BOX);
    expect(parseBox("10, 10, 20×20")).toEqual(BOX);
    expect(isBox(BOX)).toBe(true);
    for (const text of ["", "top left", "1 2 3", "1 2 0 5"])
      expect(isBox(parseBox(text))).toBe(false);
  });
});
