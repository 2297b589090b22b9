import { expect, it } from "vitest";
import { describeMove } from "./describe-move.ts";

const COPY = { rows: 3, tables: { accounts: 1, jobs: 2 }, blobs: 0, damagedBlobs: 0 };

it("reports copied rows and no blobs when the blobs stay where they are", () => {
  const [copied, next] = describeMove(COPY, { movesBlobs: false });
  expect(copied).toBe("Copied 3 rows of 2 tables. Each table has as many rows as in the source.");
  expect(next).toContain("with DATABASE_URL and QUARRY_SECRET");
});

it("does not say that the counts are equal when damaged blobs were left out", () => {
  const lines = describeMove({ ...COPY, blobs: 40, damagedBlobs: 1 }, { movesBlobs: true });
  expect(lines.slice(1, 3)).toEqual([
    "Copied 40 blobs. The new store lists each of them.",
    "Left out 1 damaged blob, which the source keeps.",
  ]);
  expect(lines.join("\n")).not.toContain("equal");
  expect(lines[3]).toContain("with DATABASE_URL, QUARRY_BLOBS and QUARRY_SECRET");
});
