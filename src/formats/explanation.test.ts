import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { pageModelSchema } from "../contract/page/explanation.ts";
import { derive } from "./derive.ts";
import type { DeriveInput, DerivedDocument } from "./derivation.ts";

const derived = (html: string, more: Partial<DeriveInput> = {}): DerivedDocument =>
  derive(
    deriveInput(html, { url: "https://shop.example/products/deck-lamp", explain: true, ...more }),
  );

const data = {
  "@type": "Product",
  name: "Deck lamp",
  brand: { "@type": "Brand", name: "Skagen Works" },
  offers: { "@type": "Offer", price: "89.00", priceCurrency: "EUR" },
};
const text = "A lamp for the deck that survives being dropped and forgotten in the rain. ";
const PAGE = `<head><title>Deck lamp</title><meta property="og:type" content="product">
  <script type="application/ld+json">${JSON.stringify(data)}</script></head>
  <body><nav><a href="/">Home</a> <a href="/lamps">Lamps</a></nav>
  <main class="product"><h1>Deck lamp</h1><p>${text.repeat(6)}</p><button>Add to cart</button></main></body>`;

describe("explanation.mainContent", () => {
  it("explains main content with the kind of page, the strictness and the facts added from linked data", () => {
    const { document, explanation } = derived(PAGE);
    expect(explanation?.mainContent).toMatchObject({
      kind: { kind: "product" },
      strictness: 0.75,
      level: "model",
      added: [
        { label: "Brand", value: "Skagen Works" },
        { label: "Price", value: "89.00 EUR" },
      ],
    });
    expect(document.markdown).toContain("- Price: 89.00 EUR");
  });

  it("names the page's generator and lists the text outside its content element", () => {
    const page = `<nav>Contents of the site</nav><main class="main"><div class="vp-doc"><h1>Lamps</h1><p>${text}</p></div></main>`;
    const { document, explanation } = derived(page);
    expect(explanation?.mainContent).toMatchObject({
      level: "generator",
      generator: "VitePress",
    });
    expect(explanation?.removals).toMatchObject([
      { step: "main-content", rule: "beside the content of VitePress", words: 4, path: "nav" },
    ]);
    expect(document.markdown).toBe(`# Lamps\n\n${text.trim()}`);
  });

  it("leaves explanation.mainContent undefined when the whole page was requested, and adds no facts", () => {
    const { document, explanation } = derived(PAGE, { onlyMainContent: false });
    expect(explanation?.mainContent).toBeUndefined();
    expect(document.markdown).not.toContain("89.00");
  });
});

describe("explanation.pageModel", () => {
  const shop = `<title>Deck lamp</title><main><h1>Deck lamp</h1><dl><dt>Weight</dt><dd>2 kg</dd></dl>
    <table><caption>Stock</caption><tr><th>Shop</th><th>Left</th></tr><tr><td>Kiel</td><td>3</td></tr></table>
    <ul><li><a href="/a">Wall lamp</a><b>5 €</b></li><li><a href="/b">Desk lamp</a><b>7 €</b></li></ul></main>`;

  it("shows lines with references, labels with values, tables and records, including pruned ones", () => {
    const { explanation } = derived(shop);
    const { pageModel } = explanation ?? {};
    expect(pageModelSchema.parse(pageModel)).toEqual(pageModel);
    expect(pageModel).toMatchObject({ isCut: false, linesLeft: 0, pairsLeft: 0, setsLeft: 0 });
    expect(pageModel?.lines.join("\n")).toContain("dd 2 kg");
    expect(pageModel?.pairs).toContainEqual(
      expect.objectContaining({ kind: "term", label: "Weight", value: "2 kg" }),
    );
    expect(pageModel?.tables).toMatchObject([
      { caption: "Stock", columns: ["Shop", "Left"], rows: 1 },
    ]);
    const list = pageModel?.records.find(({ records }) => records === 2);
    const [first = ""] = list?.first ?? [];
    const item = Number(first.slice(1));
    const lines = pageModel?.lines.join("\n") ?? "";
    expect(lines).toMatch(new RegExp(`n${item + 1} a Wall lamp -> /a`));
  });

  it("limits the explanation and reports how much it leaves out", () => {
    const long = Array.from(
      { length: 4_000 },
      (_, at) => `<p>Paragraph ${at} of a long page, with some words.</p>`,
    );
    const pairs = Array.from(
      { length: 300 },
      (_, at) => `<dt>Label ${"abcdefghij"[at % 10]}${at}</dt><dd>${at}</dd>`,
    );
    const { explanation } = derived(`<main>${long.join("")}<dl>${pairs.join("")}</dl></main>`);
    const { pageModel } = explanation ?? {};
    expect(pageModel?.lines.join("\n").length).toBeLessThanOrEqual(100_000);
    expect(pageModel?.linesLeft).toBeGreaterThan(1_000);
    expect(pageModel?.pairs.length).toBe(200);
    expect(pageModel?.pairsLeft).toBeGreaterThan(90);
  });

  it("returns an explanation only when requested, and none for a file", () => {
    expect(derived(shop, { explain: false }).explanation).toBeUndefined();
    const text = derived("plain words", { contentType: "text/plain", mimeType: "text/plain" });
    expect(text.explanation?.pageModel).toBeUndefined();
  });
});
