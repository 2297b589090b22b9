import { describe, expect, it } from "vitest";
import { parsePath } from "./path.ts";

describe("parsePath", () => {
  it("parses tags, ids, classes, attributes, positions and both combinators", () => {
    expect(parsePath('main > ul.items li:nth-last-of-type(2) a[rel="author"]#who')).toEqual({
      steps: [
        { combinator: "descendant", tag: "main", classes: [], attributes: [] },
        { combinator: "child", tag: "ul", classes: ["items"], attributes: [] },
        { combinator: "descendant", tag: "li", classes: [], attributes: [], nth: -2 },
        {
          combinator: "descendant",
          tag: "a",
          id: "who",
          classes: [],
          attributes: [{ name: "rel", value: "author" }],
        },
      ],
    });
  });

  it("parses . as the page or record itself", () => {
    expect(parsePath(".")).toEqual({ steps: [] });
  });

  it.each([
    "",
    "a >",
    "a:has(b)",
    "a, b",
    "a ~ b",
    "li:nth-of-type(0)",
    'a[href="x]',
    "a".repeat(1_001),
    "a ".repeat(30),
  ])("reports the syntax error in the path %j", (text) => {
    expect(parsePath(text)).toEqual({ fault: expect.any(String) as string });
  });
});
