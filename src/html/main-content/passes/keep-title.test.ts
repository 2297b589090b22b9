import { describe, expect, it } from "vitest";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { dropTwinHeadings, keepTitle, keepWholeHeadings } from "./keep-title.ts";
import type { Verdict } from "./verdict.ts";

/** Returns the positions of the kept headings if only the page's last block was kept. */
function findKeptHeadings(html: string, title: string, isArticle = false): number[] {
  const page = segmentPage(parseHtml(html), buildKnownText(title, ""));
  const last = page.blocks.length - 1;
  const verdicts = page.blocks.map((_, index): Verdict => (index === last ? "kept" : "dropped"));
  keepTitle(page, gatherElementFacts(page), { title, isArticle }, verdicts);
  return verdicts.flatMap((verdict, index) => (verdict === "kept-heading" ? [index] : []));
}

const text = "<p>The question is told here, in a sentence or two.</p>";

describe("keepTitle", () => {
  it.each([
    ["Simplest example possible in Python - Stack Overflow", "Simplest example possible in Python"],
    [
      "NEWS WEB EASY|子どもの体罰を禁止する法律",
      "<ruby>子<rt>こ</rt></ruby>どもの体罰を禁止する法律",
    ],
    ["New 2500X PC Case - Build Hardware Troubleshooting - Corsair", "New 2500X PC Case"],
    ["Rust on Steam", "Rust"],
    ["“Economy” | Latest", "Economy"],
  ])("keeps, for the page title %s, the heading %s", (title, heading) => {
    const html = `<h1>Forum</h1><h1>${heading}</h1><p>Asked 3 years ago</p><p>11</p>${text}`;
    expect(findKeptHeadings(html, title)).toEqual([1]);
  });

  it("keeps a title whose text has an element of its own, and a title by its role", () => {
    expect(findKeptHeadings(`<h1><div>Economy</div></h1>${text}`, "Economy | News")).toEqual([0]);
    const lines = "<h1><div>STORJORM</div><div>Mirror cabinet</div></h1>";
    expect(findKeptHeadings(`${lines}${text}`, "STORJORM Mirror cabinet - Shop")).toEqual([0]);
    const role = '<div role="heading" aria-level="1">Rust</div>';
    expect(findKeptHeadings(`${role}${text}`, "Rust on Steam")).toEqual([0]);
    expect(findKeptHeadings(`<div>Rust</div>${text}`, "Rust")).toEqual([]);
  });

  it("keeps no heading of the site, no heading with other words, and none of a lower level", () => {
    expect(
      findKeptHeadings(
        `<h1>Spreeblick</h1>${text}`,
        "Alles vorbei, macht die Stahnke « SPREEBLICK",
      ),
    ).toEqual([]);
    expect(findKeptHeadings(`<h1>Our forum</h1>${text}`, "A question - Forum")).toEqual([]);
    expect(findKeptHeadings(`<h4>A question</h4>${text}`, "A question")).toEqual([]);
    expect(findKeptHeadings(`<h1>A question</h1>${text}`, "")).toEqual([]);
  });

  it("keeps no title far above the text, and none twice", () => {
    const between = `<p>${"word ".repeat(160)}</p>`;
    expect(findKeptHeadings(`<h1>A question</h1>${between}${text}`, "A question")).toEqual([]);
    expect(findKeptHeadings("<h1>A question</h1><h2>A question</h2>", "A question")).toEqual([]);
  });

  it("keeps the only main heading of an article under a page title with other words", () => {
    const heading = "<h1>The second throne</h1><p>By Ann Lee, 14 May</p>";
    const title = "Ann Lee on the state visit";
    expect(findKeptHeadings(`${heading}${text}`, title, true)).toEqual([0]);
    expect(findKeptHeadings(`${heading}${text}`, title)).toEqual([]);
    const twice = `<h1>Harbour News</h1>${heading}${text}`;
    expect(findKeptHeadings(twice, title, true)).toEqual([]);
    const site = `<h1><a href="/">Harbour News</a></h1>${text}`;
    expect(findKeptHeadings(site, title, true)).toEqual([]);
  });

  it("keeps the title of an article above a long row of short lines", () => {
    const row = "<p>Share</p>".repeat(40);
    expect(findKeptHeadings(`<h1>A question</h1>${row}${text}`, "A question", true)).toEqual([0]);
  });
});

describe("keepWholeHeadings", () => {
  it("keeps all lines of a heading of which one is kept, and of no other", () => {
    const page = segmentPage(
      parseHtml(
        "<h1><div>Get that look</div><div>Harbour Coffee</div></h1><h2><div>More</div><div>posts</div></h2>",
      ),
      buildKnownText("", ""),
    );
    const verdicts: Verdict[] = ["dropped", "kept-heading", "dropped", "dropped"];
    keepWholeHeadings(page, gatherElementFacts(page), verdicts);
    expect(verdicts).toEqual(["kept-heading", "kept-heading", "dropped", "dropped"]);
  });
});

describe("dropTwinHeadings", () => {
  it("drops a main heading that repeats the one right above it, and no other", () => {
    const page = segmentPage(
      parseHtml(
        "<h1>Deck lamp</h1><h1>Deck lamp</h1><p>Deck lamp</p><h2>Size</h2><h2>Size</h2><h1>Deck lamp</h1>",
      ),
      buildKnownText("", ""),
    );
    const verdicts: Verdict[] = page.blocks.map(() => "kept");
    dropTwinHeadings(page, gatherElementFacts(page), verdicts);
    expect(verdicts.map((verdict) => verdict === "repeated")).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});
