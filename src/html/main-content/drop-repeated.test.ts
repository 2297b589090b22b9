import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { knownText } from "./block-text.ts";
import { segment } from "./blocks.ts";
import { dropRepeated } from "./drop-repeated.ts";
import type { Verdict } from "./verdict.ts";

/** Returns the blocks reported as repeats if all are kept. `cells` are blocks of data tables. */
function repeats(html: string, cells: readonly number[] = []): number[] {
  const page = segment(parseHtml(html), knownText("", ""));
  const verdicts: Verdict[] = page.blocks.map(() => "kept");
  const isCell = Uint8Array.from(verdicts, (_, index) => (cells.includes(index) ? 1 : 0));
  dropRepeated(page, isCell, verdicts);
  return verdicts.flatMap((verdict, index) => (verdict === "repeated" ? [index] : []));
}

const own = (name: string): string =>
  `<p>What ${name} does is told here, in a sentence or two of its own.</p>`;
const shared = "<p>If indent is a string, it is used for each level of the output.</p>";

describe("dropRepeated", () => {
  it("keeps a repeated paragraph among other text that is not repeated", () => {
    expect(
      repeats(`<main><div>${own("dump")}${shared}</div><div>${own("dumps")}${shared}</div></main>`),
    ).toEqual([]);
  });

  it("drops a second copy of a page part", () => {
    const part = own("dump") + shared;
    expect(
      repeats(`<main><div>${part}</div>${own("dumps")}<div class="narrow">${part}</div></main>`),
    ).toEqual([3, 4]);
  });

  it("keeps the same definition for another term", () => {
    const same = "<dd>Address space of a block of memory, a whole number.</dd>";
    expect(
      repeats(
        `<section>${own("one")}<dl><dt>Filter.domain</dt>${same}</dl>${own("two")}<dl><dt>Trace.domain</dt>${same}</dl></section>`,
      ),
    ).toEqual([]);
  });

  it("keeps repeated parameters of another function, and drops a second copy of the lists", () => {
    const same = "<li>callback is called when the timer has elapsed.</li>";
    const lists = ["setTimeout", "setInterval"].map(
      (name) => `<h4>${name}</h4>${own(name)}<ul>${same}<li>Returns: ${name}</li></ul>`,
    );
    expect(repeats(`<main>${lists.join("")}</main>`)).toEqual([]);
    const part = `<div>${lists.join("")}</div>`;
    expect(repeats(`<main>${part}${part}</main>`).length).toBeGreaterThanOrEqual(4);
  });

  it("keeps a repeated text in the cell of a data table", () => {
    const table = `<table><tr><td>18.0</td><td><p>An invalid callback throws an error of its own.</p></td></tr></table>`;
    const html = `<main>${own("one")}${table}${own("two")}${table}</main>`;
    expect(repeats(html, [1, 2, 4, 5])).toEqual([]);
  });

  it("drops the heading of a copy, and keeps a heading with text of its own", () => {
    const told = "<p>Superfine fibres have a luxurious feel and regulate warmth.</p>";
    const card = `<div><h2>Soft wool</h2>${told}</div>`;
    expect(repeats(`<main>${card}${own("one")}${card}<h2>Size</h2><p>8</p></main>`)).toEqual([
      3, 4,
    ]);
    const more = `<div><h2>Soft wool</h2><div>${told}</div>${own("two")}</div>`;
    expect(repeats(`<main>${card}${own("one")}${more}</main>`)).not.toContain(3);
  });

  it("drops a quotation of earlier text, and keeps repeated short texts, code and cells", () => {
    const said = "Nobody reads the manual before the second day.";
    expect(
      repeats(`<main><p>${said}</p>${own("x")}<blockquote>${said}</blockquote>${own("y")}</main>`),
    ).toEqual([2]);
    const code = "<pre>const answer = await client.scrape(url);</pre>";
    expect(repeats(`<main>${code}${code}<p>Yes.</p><p>Yes.</p></main>`)).toEqual([]);
  });
});
