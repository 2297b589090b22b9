import { expect, it } from "vitest";
import { readPageTitle } from "./page-title.ts";

it.each([
  [undefined, null, null],
  [{}, null, null],
  [{ metadata: { title: " A page ", description: "" } }, "A page", null],
  [{ metadata: { title: ["a", "b"], description: "d" } }, null, "d"],
])("pageTitleOf reads title and description of %j", (document, title, description) => {
  expect(readPageTitle(document)).toEqual({ title, description });
});

it("readPageTitle truncates long titles without splitting a character", () => {
  const long = { metadata: { title: `${"a".repeat(299)}😀b`, description: "d".repeat(9_999) } };
  expect(readPageTitle(long)).toEqual({ title: "a".repeat(299), description: "d".repeat(500) });
});
