import { describe, expect, it } from "vitest";
import { scoreTexts, WeightedWords } from "./bm25.ts";

describe("scoreTexts", () => {
  it("scores 0 for texts without the query's words", () => {
    expect([...scoreTexts([5, 5], [[0, 2]])][0]).toBe(0);
  });

  it("computes the BM25 formula", () => {
    // IDF ln(1 + 1.5 / 1.5), term frequency 2 in a text of mean length: 2 * 2.2 / 3.2.
    expect(scoreTexts([4, 4], [[2, 0]])[0]).toBeCloseTo(Math.LN2 * 1.375, 9);
  });

  it("penalizes long texts and saturates repeated words", () => {
    const [short = 0, long = 0] = scoreTexts([2, 20], [[1, 1]]);
    expect(short).toBeGreaterThan(long);
    const [once = 0, often = 0] = scoreTexts([10, 10, 10], [[1, 100, 0]]);
    expect(often).toBeLessThan(once * 2.2);
  });

  it("weights a rare word higher than a frequent one", () => {
    const [rare = 0, frequent = 0] = scoreTexts(
      [3, 3, 3, 3],
      [
        [1, 0, 0, 0],
        [0, 1, 1, 1],
      ],
    );
    expect(rare).toBeGreaterThan(frequent);
  });

  it("returns finite scores for no texts and for empty ones", () => {
    expect([...scoreTexts([], [[]])]).toEqual([]);
    expect([...scoreTexts([0, 0], [[0, 0]])]).toEqual([0, 0]);
  });
});

it("counts the words of a field by its weight", () => {
  const words = new WeightedWords();
  words.add(["a", "b"], 3);
  words.add(["b"], 1);
  expect(words.length).toBe(7);
  expect([...words.counts]).toEqual([
    ["a", 3],
    ["b", 4],
  ]);
});
