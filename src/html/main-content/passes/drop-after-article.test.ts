import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { blockText, segmentPage } from "../blocks/blocks.ts";
import { dropAfterArticle, type ArticlePage } from "./drop-after-article.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { findTopCandidate } from "../features/top-candidate.ts";
import { isKept, type Verdict } from "./verdict.ts";

const buildSentences = (word: string, count: number): string =>
  `The ${word} was seen by many people, who wrote about it, and it was long. `.repeat(count);
const JAPANESE = "市は二十日、古い橋を直す工事を来年の春に始めると発表し、住民に説明した。".repeat(
  8,
);
const buildPage = (article: string, rest: string, p = 0.6): string =>
  `<h1 data-p="0.5">Title</h1><article>${article}</article><div>${Array.from({ length: 12 }, () => `<section><h2 data-p="${p}">Other news</h2><p data-p="${p}"><a href="/x">${rest}</a></p></section>`).join("")}</div>`;
const ARTICLE = `<p>${buildSentences("bridge", 5)}</p>`.repeat(4);

/**
 * Returns the kept texts after the step, where all blocks were kept with the probability `data-p`.
 */
function listKeptTexts(html: string, more: Partial<ArticlePage> = {}): string[] {
  const pageOf = segmentPage(parseHtml(`<body>${html}</body>`), buildKnownText("Title", ""));
  const facts = gatherElementFacts(pageOf);
  const verdicts = pageOf.blocks.map((): Verdict => "kept");
  dropAfterArticle(pageOf, facts, {
    kind: { kind: "article", probability: 0.8 },
    declaresArticle: false,
    confidence: 0.85,
    top: findTopCandidate(pageOf, facts),
    probabilities: Float64Array.from(pageOf.blocks, ({ container }) =>
      Number(pageOf.elements.nodes[container]!.attribs["data-p"] ?? 0.95),
    ),
    verdicts,
    ...more,
  });
  return pageOf.blocks.flatMap((block, index) =>
    isKept(verdicts[index]) ? [blockText(pageOf, block).slice(0, 10)] : [],
  );
}

const dropped = ["Title", ...Array.from({ length: 4 }, () => "The bridge")];
const REST = buildSentences("rest", 3);

describe("dropAfterArticle", () => {
  it("drops less probable text after the article, but not the title", () => {
    expect(listKeptTexts(buildPage(ARTICLE, REST))).toEqual(dropped);
  });

  it.each([
    ["the model is sure of the page", buildPage(ARTICLE, REST), { confidence: 0.96 }],
    ["the rest is as probable", buildPage(ARTICLE, REST, 0.9), {}],
    [
      "the page may be no article",
      buildPage(ARTICLE, REST),
      { kind: { kind: "article", probability: 0.5 } },
    ],
    [
      "the page is a listing",
      buildPage(ARTICLE, REST),
      { kind: { kind: "listing", probability: 0.9 } },
    ],
    ["the article is short", buildPage(`<p>${buildSentences("bridge", 3)}</p>`, REST), {}],
  ] as const)("keeps everything where %s", (_, html, more) => {
    expect(listKeptTexts(html, more).length).toBeGreaterThan(20);
  });

  it("drops it on a page of another kind that declares an article", () => {
    const listing = { kind: { kind: "listing", probability: 0.5 } } as const;
    expect(listKeptTexts(buildPage(ARTICLE, REST), listing).length).toBeGreaterThan(20);
    const declared = { ...listing, declaresArticle: true };
    expect(listKeptTexts(buildPage(ARTICLE, REST), declared)).toEqual(dropped);
  });

  it("keeps less probable text above the article", () => {
    const [title = "", rest = ""] = buildPage(ARTICLE, REST).split(/(?<=<\/h1>)/);
    const [article = "", others = ""] = rest.split(/(?<=<\/article>)/);
    expect(listKeptTexts(title + others + article).length).toBeGreaterThan(20);
  });

  it("accepts an uncertain page kind in scripts other than Latin", () => {
    const doubtful = { kind: { kind: "article", probability: 0.4 }, confidence: 0.6 } as const;
    const japanese = buildPage(`<p>${JAPANESE}</p>`.repeat(3), JAPANESE);
    expect(listKeptTexts(japanese, doubtful)).toHaveLength(4);
    expect(listKeptTexts(buildPage(ARTICLE, REST), doubtful).length).toBeGreaterThan(20);
  });
});
