import fc from "fast-check";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { escapeInline, INLINE_SPECIAL, isPlain, escapeLines } from "./escape.ts";
import { stripInvisible } from "../../runtime/strip-invisible.ts";

const escape = (text: string, before = ""): string =>
  escapeInline(text, { pairing: new Set(), inLink: false, before, after: "" });
const render = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

describe("escapeInline for tags", () => {
  it("escapes a tag in text", () => {
    expect(escape("if a<b")).toBe("if a\\<b");
    expect(render(escape("<script>alert(1)</script>"))).not.toContain("<script");
  });

  it.each([
    "https://x.example/a<script>alert(1)</script>",
    "see www.x.example/<script>alert(1)</script>",
    `https://x.example/${"a".repeat(3_000)}<script>alert(1)</script>`,
    "(https://x.example/?q=<img src=x onerror=alert(1)>)",
  ])("escapes a tag after a bare address: %#", (text) => {
    expect(render(escape(text))).not.toMatch(/<(?:script|img)/);
  });

  it("escapes a tag when the bare address began in an earlier piece of the line", () => {
    expect(render(`https://x.example/a${escape("b<script>alert(1)", "a")}`)).not.toContain(
      "<script",
    );
  });

  it("escapes text in linear time", () => {
    expect(escape("<a".repeat(200_000))).toBe("\\<a".repeat(200_000));
  });
});

describe("isPlain", () => {
  const folded = (text: string): string => text.replace(/\s+/g, " ");
  const inOneLine = (text: string): string => text.replaceAll("\n", " ");

  it("accepts only text without characters to fold, drop or escape, except line ends", () => {
    const unit = fc.constantFrom("a", ".", " ", "\n", "\u00a0", "\u200b", "é", "*", "[");
    const text = fc.string({ unit, maxLength: 4 });
    fc.assert(
      fc.property(text, (written) => {
        fc.pre(isPlain(written));
        expect(folded(written)).toBe(inOneLine(written));
        expect(stripInvisible(written)).toBe(written);
        expect(INLINE_SPECIAL.test(written)).toBe(false);
      }),
    );
  });

  it.each(Array.from({ length: 0x80 }, (_, code) => String.fromCharCode(code)))(
    "accepts %j unless it is whitespace, invisible or special",
    (character) => {
      const stays =
        folded(character) === inOneLine(character) &&
        stripInvisible(character) === character &&
        !INLINE_SPECIAL.test(character);
      expect(isPlain(`a${character}b`)).toBe(stays);
    },
  );
});

describe("escapeLines", () => {
  it("takes several lines that start with a dash for a typed list", () => {
    expect(escapeLines(["Dimensions:", "- 13 cm", "- # 18 cm"])).toEqual([
      "Dimensions:",
      "- 13 cm",
      "- \\# 18 cm",
    ]);
  });

  it("escapes a single dash and lines of dashes", () => {
    expect(escapeLines(["- Ann Tallow"])).toEqual(["\\- Ann Tallow"]);
    expect(escapeLines(["A proverb", "- Ann Tallow"])).toEqual(["A proverb", "\\- Ann Tallow"]);
    expect(escapeLines(["- - -", "- - -"])).toEqual(["\\- - -", "\\- - -"]);
  });
});
