import { describe, expect, it } from "vitest";
import { readWords } from "./page-words.ts";

const read = (html: string, keepNumbers = false) => readWords(Buffer.from(html), keepNumbers);
const same = (one: string, other: string, keepNumbers = false): boolean =>
  read(one, keepNumbers).fingerprint === read(other, keepNumbers).fingerprint;

describe("the words of a page", () => {
  it("are those that a reader sees, whatever their case", () => {
    const plain = read("two words");
    expect(plain.words.size).toBe(2);
    for (const html of [
      '<p class="a b">Two <b id=x>words</b></p>',
      "<script>var a = 'more'</script><SCRIPT>more</SCRIPT>two<!-- no <b> --> words<style>a {}</style>",
      'two, words <a href="/more"',
    ])
      expect(read(html).fingerprint).toBe(plain.fingerprint);
  });

  it("are told apart by what they are and by their order", () => {
    expect(same("two words", "two birds")).toBe(false);
    expect(same("two words", "words two")).toBe(false);
    expect(same("größer", "grüßer")).toBe(false);
  });

  it("are not ids, and numbers only when asked", () => {
    expect(same("page a1b2c3 of site", "page f00ba4 of site")).toBe(true);
    expect(same("page 12", "page 13")).toBe(true);
    expect(same("page 12", "page 13", true)).toBe(false);
  });

  it("end where a page is broken off", () => {
    expect(() => read("<script>never closed")).not.toThrow();
    expect(read("two <b").words.size).toBe(1);
    expect(read("").words.size).toBe(0);
  });
});
