import type { ParsedPage } from "@llamaindex/liteparse";
import { describe, expect, it } from "vitest";
import { toPdfPage } from "./to-pdf-page.ts";

/** A line in one font; each word has the given width. */
const line = (fontName: string, ...words: readonly (readonly [string, number])[]): ParsedPage => {
  let x = 60;
  const boxes = words.map(([text, width]) => {
    const box = { text, x, y: 100, width, height: 10 };
    x += width + 5;
    return box;
  });
  const text = words.map(([word]) => word).join(" ");
  const item = { text, x: 60, y: 100, width: x, height: 10, fontName, fontSize: 10, words: boxes };
  return { pageNum: 1, width: 600, height: 800, textItems: [item] } as unknown as ParsedPage;
};
const facesOf = (page: ParsedPage): string[] =>
  toPdfPage(page).words.map(
    ({ text, face }) => `${text}${face.mono ? " mono" : ""}${face.bold ? " bold" : ""}`,
  );

describe("toPdfPage word faces", () => {
  it("reads the faces of a line that starts in monospace from the widths of its words", () => {
    const page = line(
      "ABCDEF+NimbusMonL-Bold",
      ["bzip2", 30],
      ["compresses", 46.1],
      ["file", 24],
      ["names", 25.5],
    );
    expect(facesOf(page)).toEqual(["bzip2 mono bold", "compresses", "file mono bold", "names"]);
  });

  it.each([
    ["NimbusMonL-Regu", " mono"],
    ["CMTT10", " mono"],
    ["CMSLTT10", " mono"],
    ["ECTT1000", " mono"],
    ["pcrr8t", " mono"],
    ["LucidaSansTypewriter", " mono"],
    ["CMB10", " bold"],
    ["NimbusRomNo9L-Medi", " bold"],
    ["CMR10", ""],
    ["TimesNewRomanPSMT", ""],
    ["MonotypeCorsiva", ""],
  ])("reads the face from the font name: %s", (font, marks) => {
    expect(facesOf(line(font, ["word", 24]))).toEqual([`word${marks}`]);
  });

  it("ignores a guessed bold weight when the font name says regular", () => {
    const heavy = (font: string): ParsedPage => {
      const page = line(font, ["word", 24]);
      return { ...page, textItems: page.textItems.map((item) => ({ ...item, fontWeight: 744 })) };
    };
    expect(facesOf(heavy("LMRoman10-Regular"))).toEqual(["word"]);
    expect(facesOf(heavy("AGaramondPro-Italic"))).toEqual(["word"]);
    expect(facesOf(heavy("AGaramondPro-BoldItalic"))).toEqual(["word bold"]);
    expect(facesOf(heavy("Garamond"))).toEqual(["word bold"]);
  });
});

describe("toPdfPage accents", () => {
  const textOf = (font: string, text: string): string | undefined =>
    toPdfPage(line(font, [text, 30])).words[0]?.text;

  it("joins accents of TeX's first fonts with the next letter", () => {
    expect(textOf("ABCDEF+CMR10", "Br\u00A8oker")).toBe("Bröker");
    expect(textOf("CMR10", "Mikul\u00B4\u0131k")).toBe("Mikulík");
  });

  it("keeps accents of other fonts, and those before letters that they do not fit", () => {
    expect(textOf("Helvetica", "it\u00B4s")).toBe("it\u00B4s");
    expect(textOf("CMR10", "\u00A8q")).toBe("\u00A8q");
  });
});
