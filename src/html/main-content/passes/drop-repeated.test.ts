import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { dropRepeated } from "./drop-repeated.ts";
import type { Verdict } from "./verdict.ts";

/** Returns the blocks reported as repeats if all are kept. `cells` are blocks of data tables. */
function repeats(html: string, cells: readonly number[] = []): number[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts: Verdict[] = page.blocks.map(() => "kept");
  const isCell = Uint8Array.from(verdicts, (_, index) => (cells.includes(index) ? 1 : 0));
  dropRepeated(page, isCell, verdicts);
  return verdicts.flatMap((verdict, index) => (verdict === "repeated" ? [index] : []));
}

const buildOwnSentence = (name: string): string =>
  `<p>What ${name} does is told here, in a sentence or two of its own.</p>`;
const shared = "<p>If indent is a string, it is used for each level of the output.</p>";

describe("dropRepeated", () => {
  it("keeps a repeated paragraph among other text that is not repeated", () => {
    expect(
      repeats(
        `<main><div>${buildOwnSentence("dump")}${shared}</div><div>${buildOwnSentence("dumps")}${shared}</div></main>`,
      ),
    ).toEqual([]);
  });

  it("drops a second copy of a page part", () => {
    const part = buildOwnSentence("dump") + shared;
    expect(
      repeats(
        `<main><div>${part}</div>${buildOwnSentence("dumps")}<div class="narrow">${part}</div></main>`,
      ),
    ).toEqual([3, 4]);
  });

  it("keeps the same definition for another term", () => {
    const same = "<dd>Address space of a block of memory, a whole number.</dd>";
    expect(
      repeats(
        `<section>${buildOwnSentence("one")}<dl><dt>Filter.domain</dt>${same}</dl>${buildOwnSentence("two")}<dl><dt>Trace.domain</dt>${same}</dl></section>`,
      ),
    ).toEqual([]);
  });

  it("keeps repeated parameters of another function, and drops a second copy of the lists", () => {
    const same = "<li>callback is called when the timer has elapsed.</li>";
    const lists = ["setTimeout", "setInterval"].map(
      (name) =>
        `<h4>${name}</h4>${buildOwnSentence(name)}<ul>${same}<li>Returns: ${name}</li></ul>`,
    );
    expect(repeats(`<main>${lists.join("")}</main>`)).toEqual([]);
    const part = `<div>${lists.join("")}</div>`;
    expect(repeats(`<main>${part}${part}</main>`).length).toBeGreaterThanOrEqual(4);
  });

  it("keeps a repeated text in the cell of a data table", () => {
    const table = `<table><tr><td>18.0</td><td><p>An invalid callback throws an error of its own.</p></td></tr></table>`;
    const html = `<main>${buildOwnSentence("one")}${table}${buildOwnSentence("two")}${table}</main>`;
    expect(repeats(html, [1, 2, 4, 5])).toEqual([]);
  });

  it("drops the heading of a copy, and keeps a heading with text of its own", () => {
    const told = "<p>Superfine fibres have a luxurious feel and regulate warmth.</p>";
    const card = `<div><h2>Soft wool</h2>${told}</div>`;
    expect(
      repeats(`<main>${card}${buildOwnSentence("one")}${card}<h2>Size</h2><p>8</p></main>`),
    ).toEqual([3, 4]);
    const more = `<div><h2>Soft wool</h2><div>${told}</div>${buildOwnSentence("two")}</div>`;
    expect(repeats(`<main>${card}${buildOwnSentence("one")}${more}</main>`)).not.toContain(3);
  });

  it("drops a quotation of earlier text, and keeps repeated short texts, code and cells", () => {
    const said = "Nobody reads the manual before the second day.";
    expect(
      repeats(
        `<main><p>${said}</p>${buildOwnSentence("x")}<blockquote>${said}</blockquote>${buildOwnSentence("y")}</main>`,
      ),
    ).toEqual([2]);
    const code = "<pre>const answer = await client.scrape(url);</pre>";
    expect(repeats(`<main>${code}${code}<p>Yes.</p><p>Yes.</p></main>`)).toEqual([]);
  });
});
