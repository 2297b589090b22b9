import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import { dropRelatedLinks } from "./drop-related-links.ts";

const TEXT = `<p>${"The harbour was closed to all but the smallest boats for a week. ".repeat(2)}</p>`;

/** Returns the remaining text if all blocks of the page were kept. */
function listRemaining(html: string): string[] {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const verdicts = page.blocks.map(() => "kept" as const);
  dropRelatedLinks(page, verdicts);
  return page.blocks.flatMap(({ textStart }, at) =>
    verdicts[at] === "kept" ? [page.texts[textStart]!.data.trim().slice(0, 12)] : [],
  );
}

describe("dropRelatedLinks", () => {
  it.each([
    "<p><strong>Read more: <a href=/b>Boats are back in the harbour</a></strong></p>",
    "<p>➤ <a href=/b>READ MORE ON HARBOUR NEWS</a></p>",
    "<p><a href=/b>Lire aussi : Les bateaux sont de retour</a></p>",
    "<div>Das könnte Sie auch interessieren: <a href=/b>Boote sind zurück im Hafen</a></div>",
    "<h3>Lees ook</h3><ul><li><a href=/b>De boten zijn terug in de haven</a></ul>",
    "<p><b>DON’T MISS</b><br><a href=/b>Boats are back in the harbour</a> [NEWS]<br><a href=/c>Harbour dues rise</a> [VIDEO]</p>",
    "<p><i>Follow us on <a href=/i>Instagram</a> and <a href=/t>Twitter</a>.</i></p>",
    "<p>DON’T MISS</p><p><a href=/b>Boats are back</a><br><a href=/c>Harbour dues rise</a></p>",
  ])("drops the pointer %s between paragraphs", (line) => {
    expect(listRemaining(TEXT + line + TEXT)).toEqual(["The harbour ", "The harbour "]);
  });

  it.each([
    "<p><a href=/b>See also: the harbour's own rules</a></p>",
    "<p>Read more than one of the <a href=/b>reports</a> before you sail, since they differ.</p>",
    "<p>Readmore Ltd is <a href=/b>a firm of ship brokers</a></p>",
    "<p>Related: none of this is a link.</p>",
    "<p>Follow the coast to <a href=/b>the harbour</a>.</p>",
    "<table><tr><td><a href=/b>Read more</a><td>now</table>",
  ])("keeps %s", (line) => {
    expect(listRemaining(TEXT + line).length).toBeGreaterThan(1);
  });

  it('drops an introduction such as "you may also like" without links', () => {
    expect(
      listRemaining(`${TEXT}<p>Dieses Thema könnte dich auch interessieren:</p>`),
    ).toHaveLength(1);
  });

  it("keeps pointer lines without a paragraph before them, as in teaser lists", () => {
    const card = "<p>Boats</p><p><a href=/b>Read more about boats</a></p>";
    expect(listRemaining(card + card)).toHaveLength(4);
  });
});
