import type { ParsedPage } from "@llamaindex/liteparse";
import { describe, expect, it } from "vitest";
import { toPdfPage } from "./from-liteparse.ts";

/** A line in one font; each word has the width it is given. */
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

describe("the faces of words", () => {
  it("of a line that begins in type of one width are those their widths say", () => {
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
  ])("are told by the name of the font: %s", (font, marks) => {
    expect(facesOf(line(font, ["word", 24]))).toEqual([`word${marks}`]);
  });
});
