import { describe, expect, it } from "vitest";
import { findNearestName } from "./nearest-name.ts";

const NAMES = ["markdown", "html", "rawHtml", "links", "click", "waitFor", "url", "json"];

describe("findNearestName", () => {
  it.each([
    ["mrkdown", "markdown"],
    ["Markdown", "markdown"],
    ["raw_html", "rawHtml"],
    ["raw-HTML", "rawHtml"],
    ["clik", "click"],
    ["lcick", "click"],
    ["ulr", "url"],
    ["waitfor", "waitFor"],
    ["link", "links"],
  ])("recognizes %s as a misspelling of %s", (given, name) => {
    expect(findNearestName(given, NAMES)).toBe(name);
  });

  it.each(["", "poem", "zzz", "md", "screenshot", "m".repeat(10_000)])(
    "finds no close name for %s",
    (given) => {
      expect(findNearestName(given, NAMES)).toBeUndefined();
    },
  );
});
