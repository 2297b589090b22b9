import { describe, expect, it } from "vitest";
import { NO_HINTS, readPageHints } from "../../evidence/page-hints.ts";
import { parseHtml } from "../../parse/parse.ts";
import { findByModel } from "../../../../test/find-by-model.ts";
import { classifyRole, correctKind } from "./page-kind.ts";

const buildText = (words: number): string =>
  `<p>${"The water rose over the old stone steps. ".repeat(words / 8)}</p>`;
const predictKind = (url: string, html: string) => findByModel(parseHtml(html), { url }).kind;

describe("createKindReader", () => {
  it("classifies a text under one heading as an article", () => {
    const html = `<html><head><meta property="og:type" content="article"></head><body><article><h1>High water</h1>${buildText(160).repeat(4)}</article></body></html>`;
    const found = predictKind("https://example.org/2024/05/17/high-water-in-the-old-town", html);
    expect(found.kind).toBe("article");
    expect(found.probability).toBeGreaterThan(0.6);
    expect(found.probability).toBeLessThanOrEqual(1);
  });

  it("classifies a thread of posts as a forum", () => {
    const post = (name: string): string =>
      `<div class="comment post" itemscope itemtype="https://schema.org/Comment"><span class="username">${name}</span><time>1 May</time><div>${buildText(40)}</div><button>Reply</button></div>`;
    const html = `<body><h1>Rusty shackle</h1>${["ann", "ben", "cat", "dan"].map(post).join("")}</body>`;
    expect(predictKind("https://forum.example.org/t/rusty-shackle/4711", html).kind).toBe("forum");
  });

  it("classifies a page as a product by its linked data, address and price", () => {
    const html = `<html><head><meta property="og:type" content="product"><script type="application/ld+json">{"@type": "Product", "offers": {"@type": "Offer"}}</script></head><body><h1>Deck lamp</h1><div class="product"><p class="price">€ 89.00</p><button>Add to cart</button>${buildText(80)}</div></body></html>`;
    expect(predictKind("https://example.org/products/deck-lamp", html).kind).toBe("product");
  });
});

describe("correctKind", () => {
  const guess = { kind: "listing", probability: 0.52 } as const;
  const hintsOf = (openGraphType: string, products: number) =>
    readPageHints(
      parseHtml(
        `<head><meta property="og:type" content="${openGraphType}">${`<script type="application/ld+json">{"@type": "Product", "name": "Deck lamp", "sku": "1"}</script>`.repeat(products)}</head>`,
      ),
    );

  it("believes a page that declares one product in linked data and to Open Graph", () => {
    for (const type of ["product", "og:product", "product.item"])
      expect(correctKind(guess, hintsOf(type, 1))).toEqual({ kind: "product", probability: 0.97 });
  });

  it("keeps the guess if only one of the two declares a product, or there are several", () => {
    expect(correctKind(guess, hintsOf("website", 1))).toBe(guess);
    expect(correctKind(guess, hintsOf("product", 0))).toBe(guess);
    expect(correctKind(guess, hintsOf("product", 2))).toBe(guess);
    expect(correctKind(guess, hintsOf("product.group", 1))).toBe(guess);
  });
});

describe("classifyRole", () => {
  it.each([
    ["https://example.org/", "home"],
    ["https://example.org/de/", "home"],
    ["https://example.org/index.html", "home"],
    ["https://example.org/search?q=tide", "search"],
    ["https://example.org/results.php?query=tide", "search"],
    ["https://example.org/user/ann", "profile"],
    ["https://example.org/@ann", "profile"],
    ["https://example.org/high-water", undefined],
    ["https://example.org/research", undefined],
    ["", undefined],
  ])("returns for %s the role %s", (url, role) => {
    expect(classifyRole(url, NO_HINTS)).toBe(role);
  });

  it("reads the role from linked data", () => {
    const hints = { ...NO_HINTS, dataTypes: new Set(["ProfilePage"]) };
    expect(classifyRole("https://example.org/x", hints)).toBe("profile");
  });
});
