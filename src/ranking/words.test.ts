import { describe, expect, it } from "vitest";
import { toPlainText, readUrlPath, toUrlWords, toWords } from "./words.ts";

describe("words of URLs and texts", () => {
  it.each([
    ["https://www.site.test/docs/getStarted_2", ["site", "test", "docs", "get", "started", "2"]],
    ["https://site.test/caf%C3%A9?q=na%C3%AFve", ["site", "test", "cafe", "q", "naive"]],
    ["https://site.test/%E0%A4%A", ["site", "test", "e0", "a4", "a"]],
    ["not a url", []],
  ])("splits the URL %s into words", (url, words) => {
    expect(toUrlWords(url)).toEqual(words);
  });

  it("splits scripts without spaces into single characters", () => {
    expect(toWords("東京 Tower")).toEqual(["東", "京", "tower"]);
  });
});

it.each([
  ["ÀB", "ab"],
  ["AB", "ab"],
  ["ﬁn", "fin"],
  ["\u212Aelvin", "kelvin"],
])("converts %s to the plain text %s", (text, plain) => {
  expect(toPlainText(text)).toBe(plain);
});

it.each([
  ["https://www.site.test/API/parseJSON?q=Caf%C3%A9#part", "/api/parsejson?q=cafe"],
  ["not a url", ""],
])("converts the path of %s to the text %s", (url, text) => {
  expect(readUrlPath(url)).toBe(text);
});
