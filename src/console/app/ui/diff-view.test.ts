import { expect, test } from "vitest";
import { parseDiff } from "./diff-view.ts";

test("reads hunks with their lines and ignores the note about a missing line break", () => {
  const text =
    "--- a\n+++ b\n@@ -3,2 +3,2 @@\n Fjell\n-Price: 20\n+Price: 25\n\\ No newline at end of file\n@@ -40 +40 @@\n+New";
  expect(parseDiff(text)).toEqual([
    {
      start: 3,
      lines: [
        { kind: "same", text: "Fjell", isNoise: false },
        { kind: "removed", text: "Price: 20", isNoise: false },
        { kind: "added", text: "Price: 25", isNoise: false },
      ],
    },
    { start: 40, lines: [{ kind: "added", text: "New", isNoise: false }] },
  ]);
});
