import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { dropOtherArticles } from "./drop-other-articles.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import type { Verdict } from "./verdict.ts";

const URL_OF_PAGE = "https://news.example/2026/11/high-water";
const TITLE = "High water at the harbour - News";

/** Counts the blocks in foreign articles if all blocks of the page are kept. */
function countForeign(html: string, isArticle = true, title = TITLE): number {
  const page = segmentPage(parseHtml(html), buildKnownText(title, ""));
  const verdicts: Verdict[] = page.blocks.map(() => "kept");
  dropOtherArticles(
    page,
    gatherElementFacts(page),
    { url: URL_OF_PAGE, title, isArticle },
    verdicts,
  );
  return verdicts.filter((verdict) => verdict === "foreign").length;
}

const text = `<p>${"The tide rose and the boats were lifted off the mud again. ".repeat(9)}</p>`;
const buildArticle = (attributes: string, heading: string, body = text): string =>
  `<article ${attributes}>${heading}${body}</article>`;
const own = buildArticle('data-url="/2026/11/high-water"', "<h1>High water at the harbour</h1>");

describe("dropOtherArticles", () => {
  it("drops an article with its own address below the requested one", () => {
    expect(
      countForeign(own + buildArticle('data-url="/2026/11/low-water/"', "<h2>Low water</h2>")),
    ).toBe(2);
    const higher = `<div data-permalink="${URL_OF_PAGE}s">${buildArticle("", "<h2>Higher</h2>")}</div>`;
    expect(countForeign(own + higher)).toBe(2);
    expect(
      countForeign(
        `${own}<div data-permalink="https://news.example/low">${buildArticle("", "<h2>Low</h2>")}</div>`,
      ),
    ).toBe(2);
    expect(
      countForeign(own + buildArticle("", '<h2><a href="/2026/10/low-water">Low water</a></h2>')),
    ).toBe(2);
  });

  it("identifies the page's own article by its title when no address is given", () => {
    const first = buildArticle("", "<h1>High water at the harbour</h1>");
    expect(countForeign(first + buildArticle("", "<h1>Low water</h1>"))).toBe(2);
    expect(countForeign(first + buildArticle("", "<h1>Low water</h1>"), false)).toBe(0);
    expect(countForeign(buildArticle("", "<h1>One</h1>") + buildArticle("", "<h1>Two</h1>"))).toBe(
      0,
    );
  });

  it("keeps the article's parts, next pages, teasers and everything above it", () => {
    expect(countForeign(own + buildArticle("", "<h2>What the pilots say</h2>"))).toBe(0);
    expect(
      countForeign(own + buildArticle('data-url="/2026/11/high-water/2"', "<h1>Page 2</h1>")),
    ).toBe(0);
    expect(countForeign(own + buildArticle('data-url="#post-2"', "<h2>Post 2</h2>"))).toBe(0);
    expect(
      countForeign(own + buildArticle('data-url="https://other.example/x"', "<h2>Elsewhere</h2>")),
    ).toBe(0);
    expect(
      countForeign(own + buildArticle('data-url="/x"', "<h2>Short</h2>", "<p>Few words.</p>")),
    ).toBe(0);
    expect(countForeign(buildArticle('data-url="/x"', "<h2>Before</h2>") + own)).toBe(0);
  });
});
