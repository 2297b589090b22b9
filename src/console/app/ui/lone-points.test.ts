import { expect, it } from "vitest";
import { findLonePoints } from "./lone-points.ts";

it("finds values without a neighbor, at the ends too", () => {
  expect(findLonePoints([1, null, 2, 3, null, 0, null, undefined, 4])).toEqual([0, 5, 8]);
  expect(findLonePoints([])).toEqual([]);
});
