import { describe, expect, it } from "vitest";
import { FEATURE_NAMES } from "../features/features.ts";
import { createPredictor, type TreeModel } from "./model.ts";
import shipped from "./model.json" with { type: "json" };

/** One tree: size ≤ 3 ? (links ≤ 1 ? a : b) : c. */
const MODEL: TreeModel = {
  features: ["size", "links"],
  edges: [[3], [0, 1]],
  base: 0.5,
  roots: [0],
  feature: [0, 1, -1, -1, -1],
  edge: [0, 1, 0, 1, 2],
  right: [4, 2, 0, 0, 0],
  values: [-2, 1, 3],
};
const toOdds = (score: number): number => 1 / (1 + Math.exp(-score));

describe("createPredictor", () => {
  it("evaluates the trees for every row", () => {
    const predict = createPredictor(MODEL, ["other", "links", "size"]);
    const answers = predict(Float32Array.from([9, 1, 3, 9, 2, 3, 9, 0, 4]));
    expect([...answers]).toEqual([toOdds(-1.5), toOdds(1.5), toOdds(3.5)]);
  });

  it("predicts rows in a batch as it does one by one, including missing numbers", () => {
    const predict = createPredictor(MODEL, MODEL.features);
    const rows = Array.from({ length: 203 }, (_, row) => [
      row % 7 === 0 ? Number.NaN : row % 5,
      row % 11 === 0 ? Number.NaN : Math.floor(row / 70),
    ]);
    const alone = rows.map((row) => predict(Float32Array.from(row))[0]);
    expect([...predict(Float32Array.from(rows.flat()))]).toEqual(alone);
    expect(predict(Float32Array.from([Number.NaN, Number.NaN, 4, 9]))).toEqual(
      Float64Array.from([toOdds(-1.5), toOdds(3.5)]),
    );
  });

  it("returns no predictions for no rows", () => {
    expect(createPredictor(MODEL, MODEL.features)(new Float32Array(0))).toHaveLength(0);
  });
});

describe("shipped model", () => {
  it("uses only features that exist", () => {
    expect(() => createPredictor(shipped, FEATURE_NAMES)).not.toThrow();
    expect(() => createPredictor(shipped, FEATURE_NAMES.slice(1))).toThrow(RangeError);
  });

  it("keeps the shipped model small enough to load quickly", () => {
    expect(shipped.roots.length).toBeGreaterThan(50);
    expect(JSON.stringify(shipped).length).toBeLessThan(200_000);
  });
});
