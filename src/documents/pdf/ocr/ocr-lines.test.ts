import { describe, expect, it } from "vitest";
import { alignLines, toLines } from "./ocr-lines.ts";
import type { Word } from "../page-text.ts";

const FACE = { font: "OCR", size: 7, bold: false, italic: false, mono: false };
/** Slope of slightly warped paper. */
const SLOPE = 0.004;

/** Words with boxes as tall as their ink. */
const line = (y: number, texts: readonly string[], height = 8): Word[] =>
  texts.map((text, run) => {
    const x0 = 50 + run * 45;
    const drop = SLOPE * (x0 + 20);
    const low = /[gpqy]/.test(text) ? 2 : 0;
    const small = /[bdfhkltA-Z]/.test(text) ? 0 : 2.5;
    return {
      text,
      run,
      x0,
      x1: x0 + 40,
      y0: y - height + small + drop,
      y1: y + low + drop,
      face: FACE,
      tag: undefined,
      confidence: 0.9,
    };
  });

describe("alignLines", () => {
  it("puts recognized words on their printed lines in one size", () => {
    const words = ["The", "boat", "comes", "in", "again", "only", "at", "high", "tide"];
    const level = alignLines(toLines([...line(100, words), ...line(114, words)]));
    const places = new Map<number, string[]>();
    for (const { y1, text } of level) places.set(y1, [...(places.get(y1) ?? []), text]);
    expect([...places.values()].map((texts) => texts.length)).toEqual([9, 9]);
    expect(new Set(level.map(({ face }) => face.size)).size).toBe(1);
  });

  it("keeps the size of recognized words that are much larger", () => {
    const body = ["The", "boat", "comes", "in", "again", "only", "at", "high", "tide"];
    const level = alignLines(
      toLines([
        ...line(60, ["Tides", "Tables", "Boats"], 16),
        ...line(100, body),
        ...line(114, body),
      ]),
    );
    const sizeOf = (text: string): number =>
      level.find((word) => word.text === text)?.face.size ?? 0;
    expect(sizeOf("Tables")).toBeGreaterThan(1.5 * sizeOf("boat"));
  });

  it("marks a line as bold if its strokes are heavier", () => {
    const heavy = line(60, ["Tides", "Tables"]).map((word) => ({
      ...word,
      face: { ...FACE, weight: 1.35 },
    }));
    const body = ["The", "boat", "comes", "in", "again", "only", "at", "high", "tide"];
    const level = alignLines(toLines([...heavy, ...line(100, body), ...line(114, body)]));
    const bold = level.filter(({ face }) => face.bold).map(({ text }) => text);
    expect(bold).toEqual(["Tides", "Tables"]);
  });

  it("marks a line as monospace if its words fit one pitch", () => {
    const typed = (texts: readonly string[]): Word[] => {
      let at = 0;
      return texts.map((text, run) => {
        const x0 = 50 + 7 * at;
        at += text.length + 1;
        const [word] = line(100, [text]) as [Word];
        return { ...word, run, x0, x1: x0 + 7 * text.length };
      });
    };
    const isMono = (words: readonly Word[]): boolean =>
      alignLines(toLines(words)).every(({ face }) => face.mono);
    expect(isMono(typed(["sudo", "docker", "volume", "create"]))).toBe(true);
    expect(isMono(typed(["HCSC", "(BCBS)", "TEXAS"]))).toBe(false);
    expect(isMono(line(100, ["sudo", "docker", "volume", "create"]))).toBe(false);
  });
});
