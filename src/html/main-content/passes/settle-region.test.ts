import { describe, expect, it } from "vitest";
import { cost } from "../../../../test/growth.ts";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { dropParts, findPageParts, settleRegion } from "./settle-region.ts";
import type { PageKind } from "../../../contract/page/page-kinds.ts";
import { isKept, type Verdict } from "./verdict.ts";

/**
 * Returns the texts that are kept. Blocks in `data-lost` were dropped before; all others kept, with
 * the probability of their `data-p`, or else 0.6.
 */
function listKeptTexts(html: string, title = "Mug", kind?: PageKind): string[] {
  const page = segmentPage(parseHtml(`<body>${html}</body>`), buildKnownText(title, ""));
  const attributes = page.blocks.map(({ container }) => page.elements.nodes[container]!.attribs);
  const verdicts = attributes.map((own): Verdict => ("data-lost" in own ? "dropped" : "kept"));
  const probabilities = Float64Array.from(attributes, (own) => Number(own["data-p"] ?? 0.6));
  const facts = gatherElementFacts(page);
  const parts = findPageParts(page, facts, title);
  dropParts(page, parts, kind, probabilities, verdicts);
  settleRegion(page, facts, { parts, kind, probabilities, verdicts });
  return page.blocks.flatMap((block, index) =>
    isKept(verdicts[index]) ? [blockText(page, block)] : [],
  );
}

const TEXT = "<p>A mug of stoneware, glazed by hand in Leeds.</p>";
const SAID = "A mug of stoneware, glazed by hand in Leeds.";

describe("settleRegion", () => {
  it("keeps short pieces inside the main element of a short page", () => {
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1><p data-lost>$19.99</p><p data-lost>4.5 of 5</p>${TEXT}</main>`,
      ),
    ).toEqual(["Mug", "$19.99", "4.5 of 5", SAID]);
  });

  it("keeps short pieces in the title's own section of a page without main element", () => {
    expect(
      listKeptTexts(
        `<nav><a href="/a">Shop</a></nav><div><h1>Mug</h1><p data-lost>$19.99</p>${TEXT}</div>`,
      ),
    ).toEqual(expect.arrayContaining(["Mug", "$19.99", SAID]));
  });

  it("keeps value buttons, and links that the model does not reject, on a short page", () => {
    const page = (part: string): string[] =>
      listKeptTexts(`<main><h1>Mug</h1>${part}${TEXT}</main>`).filter((text) => text !== SAID);
    for (const part of [
      '<button data-lost value="l">Large</button>',
      '<button data-lost role="radio">Large</button>',
      "<fieldset><legend>Size</legend><div><button data-lost>Large</button></div></fieldset>",
      '<p data-lost data-p="0.3"><a href="/large">Large</a></p>',
    ])
      expect(page(part)).toContain("Large");
    expect(page("<div><button data-lost>Large</button></div>")).not.toContain("Large");
    expect(page('<p data-lost data-p="0.1"><a href="/large">Large</a></p>')).not.toContain("Large");
  });

  it("trusts the title's section below a menu of buttons", () => {
    const menu = ["Laptops", "Docks", "Monitors", "Cables", "Offers", "Stores", "Service"]
      .map((name) => `<li><button>${name} and everything for ${name}</button></li>`)
      .join("");
    expect(
      listKeptTexts(
        `<div><ul>${menu}</ul></div><div><h1>Mug</h1><p data-lost>$19.99</p>${TEXT}</div>`,
      ),
    ).toEqual(["Mug", "$19.99", SAID]);
  });

  it("drops short pieces on long pages and in articles", () => {
    const long = `<p>${"Word upon word of it. ".repeat(80)}</p>`;
    expect(listKeptTexts(`<main><h1>Mug</h1><p data-lost>$19.99</p>${long}</main>`)).not.toContain(
      "$19.99",
    );
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1><p data-lost>2 min read</p>${TEXT}</main>`,
        "Mug",
        "article",
      ),
    ).toEqual(["Mug", SAID]);
  });

  it("drops buttons, footers, menus, share links, comment forms and tab rows of a short page", () => {
    const parts = [
      "<button data-lost>Add</button>",
      "<footer data-lost>Posted by Ann</footer>",
      '<nav data-lost><a href="/a">Home</a></nav>',
      '<p data-lost><a href="https://www.facebook.com/sharer?u=1">Facebook</a></p>',
      "<form data-lost><label>Your comment</label><textarea></textarea></form>",
      '<div data-lost><span>One</span><div role="tabpanel"></div></div>',
      "<h3 data-lost>Nothing below</h3>",
    ];
    expect(listKeptTexts(`<main><h1>Mug</h1>${TEXT}${parts.join("")}</main>`)).toEqual([
      "Mug",
      SAID,
    ]);
  });

  it("keeps toggle buttons, which are choices", () => {
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1>${TEXT}<button data-lost aria-pressed="true">Red</button></main>`,
      ),
    ).toEqual(["Mug", SAID, "Red"]);
  });

  it("drops text outside the main region of a short page, but keeps prose", () => {
    const outside = "<div><p>Free delivery this week</p></div>";
    const prose = `<p>${"Each mug is thrown and glazed by hand, so no two are alike. ".repeat(2)}</p>`;
    const page = (around: string): string[] =>
      listKeptTexts(`<header>Shop</header>${around}<main><h1>Mug</h1>${TEXT}${TEXT}</main>`);
    expect(page(outside)).toEqual(["Mug", SAID, SAID]);
    expect(page(`<div>${prose}</div>`)).toHaveLength(4);
  });

  it("drops a form with only an address field, and the words above it", () => {
    const box =
      '<div><h3>Stay in touch</h3><p>News every week.</p><form><input type="email"><button>Join</button></form></div>';
    expect(listKeptTexts(`<main><h1>Mug</h1>${TEXT}${box}</main>`)).toEqual(["Mug", SAID]);
    const contact = box.replace("<button>", "<textarea></textarea><button>");
    expect(listKeptTexts(`<main><h1>Mug</h1>${TEXT}${contact}</main>`)).toContain(
      "News every week.",
    );
  });

  it("drops a cookie notice with a button", () => {
    const notice = (words: string): string =>
      listKeptTexts(
        `<main><h1>Mug</h1>${TEXT}${TEXT}<div><p>${words}</p><button>OK</button></div></main>`,
      ).join("\n");
    expect(notice("We use cookies.")).not.toContain("cookies");
    expect(notice("Çerez kullanıyoruz.")).not.toContain("Çerez");
    expect(notice("We use clay.")).toContain("clay");
  });

  it.each([
    ["You may also like"],
    ["Das könnte Sie auch interessieren"],
    ["Zobacz również"],
    ["함께 보면 좋은 글"],
    ["คุณอาจสนใจ"],
    ["قد يهمك أيضا"],
  ])("drops linked items below the heading %s", (heading) => {
    const items = '<ul><li><a href="/1">Jug</a></li><li><a href="/2">Bowl</a></li></ul>';
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1>${TEXT}<section><h2>${heading}</h2>${items}</section></main>`,
      ),
    ).toEqual(["Mug", SAID]);
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1>${TEXT}${TEXT}<section><h2>${heading}</h2><p>Only words.</p></section></main>`,
      ),
    ).toContain("Only words.");
  });

  it("keeps linked items that the model is sure of, and those that the page is about", () => {
    const sure = '<ul><li data-p="0.95"><a href="/1">Jug</a></li></ul>';
    expect(
      listKeptTexts(
        `<main><h1>Mug</h1>${TEXT}<section><h2 data-p="0.95">Related</h2>${sure}</section></main>`,
      ),
    ).toContain("Jug");
    const many = '<li><a href="/1">A jug of stoneware</a></li>'.repeat(9);
    expect(
      listKeptTexts(`<main><h1>Mug</h1><section><h2>Related</h2><ul>${many}</ul></section></main>`),
    ).toContain("A jug of stoneware");
  });

  it("keeps the items of a long collection under any heading", () => {
    const items = `<p>${"A word about mugs. ".repeat(90)}</p><section><h2>Related</h2><p><a href="/1">Jug</a></p></section>`;
    const page = `<main><h1>Mug</h1>${items}</main>`;
    expect(listKeptTexts(page, "Mug", "collection")).toContain("Jug");
    expect(listKeptTexts(page, "Mug", "product")).not.toContain("Jug");
  });

  it("processes a page in linear time", () => {
    const costOf = (count: number): number => {
      const html = `<main><h1>Mug</h1>${'<div><h2>Related</h2><footer><a href="#">x</a></footer><button>y</button>'.repeat(count)}</main>`;
      return cost(() => void listKeptTexts(html));
    };
    costOf(250);
    expect(costOf(4_000)).toBeLessThan(60 * Math.max(costOf(250), 5));
  });
});
