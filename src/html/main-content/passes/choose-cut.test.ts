import { describe, expect, it } from "vitest";
import { chooseCut, cutPage } from "./choose-cut.ts";

describe("chooseCut", () => {
  it("keeps all sure blocks and no unlikely one", () => {
    expect(chooseCut(Float64Array.from([0.99, 0.98, 0.02]), [10, 10, 10]).cut).toBe(0.98);
  });

  it("cuts low when no block is sure", () => {
    expect(chooseCut(Float64Array.from([0.4, 0.35, 0.3]), [10, 10, 10]).cut).toBe(0.3);
  });

  it("keeps less with a higher strictness", () => {
    const probabilities = Float64Array.from([0.9, 0.6, 0.5, 0.4]);
    const sizes = [10, 10, 10, 10];
    expect(chooseCut(probabilities, sizes, 3).cut).toBeGreaterThan(
      chooseCut(probabilities, sizes, 0.5).cut,
    );
  });

  it("finds the same cut as trying every cut", () => {
    const probabilities = Float64Array.from([0.9, 0.2, 0.55, 0.7, 0.05]);
    const sizes = [3, 40, 12, 7, 100];
    const wanted = sizes.reduce((sum, size, index) => sum + size * probabilities[index]!, 0);
    const measure = (cut: number): number => {
      const kept = sizes.map((size, index) => (probabilities[index]! >= cut ? size : 0));
      const hit = kept.reduce((sum, size, index) => sum + size * probabilities[index]!, 0);
      return (2 * hit) / (kept.reduce((sum, size) => sum + size, 0) + wanted);
    };
    const best = [...probabilities].sort((one, two) => measure(two) - measure(one))[0];
    expect(chooseCut(probabilities, sizes).cut).toBe(best);
  });
});

describe("cutPage", () => {
  const teasers = Array.from({ length: 20 }, () => 0.45);
  const sizes = (core: number): Float64Array => Float64Array.from([core, ...teasers.map(() => 30)]);

  it("drops half-sure blocks beside a core, however many there are", () => {
    const page = Float64Array.from([0.97, ...teasers]);
    expect(cutPage(page, sizes(400), 0.75).cut).toBeGreaterThan(0.45);
  });

  it("keeps half-sure blocks when the core is small or missing", () => {
    expect(cutPage(Float64Array.from([0.97, ...teasers]), sizes(20), 0.75).cut).toBe(0.45);
    expect(cutPage(Float64Array.from([0.7, ...teasers]), sizes(400), 0.75).cut).toBe(0.45);
  });

  it("expects an F1 of 0 for a page without blocks", () => {
    expect(cutPage(new Float64Array(0), new Float64Array(0), 1)).toMatchObject({
      expected: 0,
    });
  });
});
