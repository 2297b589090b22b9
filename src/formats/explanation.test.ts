import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { derive } from "./derive.ts";
import type { DeriveInput, Derived } from "./derivation.ts";

const derived = (html: string, more: Partial<DeriveInput> = {}): Derived =>
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

  it("explains main content with the page's generator and what was beside its content", () => {
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
