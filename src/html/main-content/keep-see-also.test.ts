import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import { gatherElementFacts } from "./element-facts.ts";
import { keepSeeAlso } from "./keep-see-also.ts";
import type { Verdict } from "./verdict.ts";

/** Counts the kept blocks of a page of which the first was kept. */
function countKept(html: string): number {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts = page.blocks.map((_, index): Verdict => (index === 0 ? "kept" : "dropped"));
  keepSeeAlso(page, gatherElementFacts(page), verdicts);
  return verdicts.filter((verdict) => verdict.startsWith("kept")).length;
}

const text = "<p>CREATE VIEW defines a view of a query.</p>";
const links = '<ul><li><a href="/a">ALTER VIEW</a></li><li><a href="/b">DROP VIEW</a></li></ul>';

describe("keepSeeAlso", () => {
  it('keeps a "See also" section with its heading, up to the next one', () => {
    expect(countKept(`<main>${text}<div><h2>See Also</h2>${links}</div><p>Prev</p></main>`)).toBe(
      4,
    );
    expect(
      countKept(`<main>${text}<h2>5.2. See also:</h2>${links}<h2>Menu</h2><p>x</p></main>`),
    ).toBe(4);
  });

  it("keeps no other section, none far below the text and no endless list", () => {
    expect(countKept(`<main>${text}<h2>Related posts</h2>${links}</main>`)).toBe(1);
    expect(countKept(`<main>${text}${"<p>Ad</p>".repeat(4)}<h2>See also</h2>${links}</main>`)).toBe(
      1,
    );
    expect(countKept(`<main>${text}<h2>See also</h2>${links.repeat(20)}</main>`)).toBe(1);
    expect(countKept(`<main>${text}<h2>See also</h2></main>`)).toBe(1);
  });
});
