import { describe, expect, it } from "vitest";
import { readWords } from "./page-words.ts";

const read = (html: string, keepNumbers = false) => readWords(Buffer.from(html), keepNumbers);
const same = (one: string, other: string, keepNumbers = false): boolean =>
  read(one, keepNumbers).fingerprint === read(other, keepNumbers).fingerprint;

describe("readWords", () => {
  it("reads the visible words of a page regardless of case", () => {
    const plain = read("two words");
    expect(plain.words.size).toBe(2);
    for (const html of [
      '<p class="a b">Two <b id=x>words</b></p>',
      "<script>var a = 'more'</script><SCRIPT>more</SCRIPT>two<!-- no <b> --> words<style>a {}</style>",
      'two, words <a href="/more"',
    ])
      expect(read(html).fingerprint).toBe(plain.fingerprint);
  });

  it("distinguishes texts by their words and their order", () => {
    expect(same("two words", "two birds")).toBe(false);
    expect(same("two words", "words two")).toBe(false);
    expect(same("größer", "grüßer")).toBe(false);
  });

  it("leaves out ids, and numbers unless requested", () => {
    expect(same("page a1b2c3 of site", "page f00ba4 of site")).toBe(true);
    expect(same("page 12", "page 13")).toBe(true);
    expect(same("page 12", "page 13", true)).toBe(false);
  });

  it("stops reading words at the end of a truncated page", () => {
    expect(() => read("<script>never closed")).not.toThrow();
    expect(read("two <b").words.size).toBe(1);
    expect(read("").words.size).toBe(0);
  });
});
