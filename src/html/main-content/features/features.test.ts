import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { computeFeatures, FEATURE_NAMES } from "./features.ts";
import { NO_HINTS } from "../../evidence/page-hints.ts";
import { analyzePage } from "./page-view.ts";
import { unpackTables } from "./word-table.ts";

const NO_TABLES = unpackTables({ near: "", far: "", text: "", heading: "", label: "" });

/** The features of every block by name. */
function listNamedFeatures(html: string, title = ""): Record<string, number>[] {
  const hints = { ...NO_HINTS, title };
  const view = analyzePage(parseHtml(html), { url: "https://example.com/a/one-two", hints });
  const rows = computeFeatures(view, NO_TABLES);
  return view.segmentation.blocks.map((_, block) =>
    Object.fromEntries(
      FEATURE_NAMES.map((name, at) => [name, rows[block * FEATURE_NAMES.length + at]!]),
    ),
  );
}

describe("computeFeatures", () => {
  it("names every feature uniquely", () => {
    expect(new Set(FEATURE_NAMES).size).toBe(FEATURE_NAMES.length);
  });

  it("computes a number for every feature and block of any page", () => {
    for (const html of ["", "text", "<li>a<li>b", "<h1>a</h1><table><tr><td>b</td></tr></table>"])
      for (const row of listNamedFeatures(html))
        for (const [name, value] of Object.entries(row)) expect(value, name).not.toBeNaN();
  });

  it("separates features of text, position and page", () => {
    const [heading, linked, last] = listNamedFeatures(
      "<main><h1>High Water</h1><p><a href=/>Two words</a></p><p>One, two.</p></main>",
      "High water in town",
    );
    expect(heading).toMatchObject({ size: 2, "title-words": 2, "heading-level": 1, index: 0 });
    expect(linked).toMatchObject({ "link-share": 1, links: 1, "heading-distance": 1 });
    expect(last).toMatchObject({ "ends-sentence": 1, "size-1": 2, "size+1": 0, "tag-main": 1 });
    expect(last).toMatchObject({ "page-blocks": 3, "page-p": 2, "slug-hyphens": 1 });
  });

  it("counts repeated paths and similar siblings", () => {
    const [, row] = listNamedFeatures(
      "<ul><li class=a>one</li><li class=a>two words</li><li>three</li></ul>",
    );
    expect(row).toMatchObject({ "path-count": 2, "path-mean": 1.5, "sibling-count": 2 });
  });
});
