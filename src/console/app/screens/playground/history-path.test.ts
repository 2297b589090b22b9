import { expect, it } from "vitest";
import { findFileName } from "./history-path.ts";

it("names a parsed file, and no other address", () => {
  expect(findFileName("http://upload.invalid/a%20%3Cb%3E.html")).toBe("a <b>.html");
  expect(findFileName("http://upload.invalid/100%.txt")).toBe("100%.txt");
  expect(findFileName("https://example.com/a.html")).toBeUndefined();
});
