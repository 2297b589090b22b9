import { expect, it } from "vitest";
import { hasSameEntries, toggleEntry } from "./named-entries.ts";

const pdf = { type: "pdf", mode: "ocr" };

it("keeps the options of other entries when one is added or removed", () => {
  expect(toggleEntry([pdf], "image")).toEqual([pdf, "image"]);
  expect(toggleEntry([pdf, "image"], "image")).toEqual([pdf]);
  expect(toggleEntry([pdf, "image"], "pdf")).toEqual(["image"]);
});

it("takes a list with other options as another list", () => {
  expect(hasSameEntries(["pdf", "image"], ["image", "pdf"])).toBe(true);
  expect(hasSameEntries([pdf], ["pdf"])).toBe(false);
  expect(hasSameEntries([], ["pdf"])).toBe(false);
});
