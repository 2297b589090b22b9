import { describe, expect, it } from "vitest";
import { NUMBER, pageOf, readObject, STRING } from "../../../../test/understanding/schema-pages.ts";

/** Builds a page whose linked data may be older than what it shows. */
const page = (data: object, main: string, lang: string): string =>
  pageOf(
    lang,
    `<script type="application/ld+json">${JSON.stringify({ "@context": "https://schema.org", ...data })}</script>${main}`,
  );

const offer = (price: string, currency = "EUR", name = "Harbour lamp") => ({
  "@type": "Product",
  name,
  offers: { "@type": "Offer", price, priceCurrency: currency },
});
const priceOf = (data: object, main: string, lang = "en"): unknown =>
  readObject(page(data, main, lang), { name: STRING, price: NUMBER })["price"];

const HISTORY = `<h2>Price history</h2><table><thead><tr><th>Date</th><th>Price</th></tr></thead><tbody><tr><td>2 March 2026</td><td>€449,000</td></tr><tr><td>9 January 2026</td><td>€465,000</td></tr></tbody></table>`;
const DATES = `<h2>Price history</h2><ul><li>2 March 2026: €449,000</li><li>9 January 2026: €465,000</li><li>1 January 2026: €465,000</li></ul>`;
const INLINE = `<p class="price">€449,000 <span>was €465,000</span></p>`;

describe("a declared price", () => {
  it.each([
    [
      "was in a line of its own",
      "en",
      "465000",
      `<h1>Harbour lamp</h1><p class="price">€449,000</p><p class="text-sm">was €465,000</p>`,
      449_000,
    ],
    [
      "was in parentheses",
      "en",
      "465000",
      `<h1>Harbour lamp</h1><dl><dt>Price</dt><dd>€449,000 (was €465,000)</dd></dl>`,
      449_000,
    ],
    [
      "a label of the previous price",
      "en",
      "465000",
      `<h1>Harbour lamp</h1><dl><dt>Asking price</dt><dd>€449,000</dd><dt>Previous price</dt><dd>€465,000</dd></dl>`,
      449_000,
    ],
    [
      "Was with a label",
      "en",
      "60.00",
      `<h1>Harbour lamp</h1><div class="price"><span>Now €48.00</span><span>Was €60.00</span></div>`,
      48,
    ],
    [
      "statt",
      "de",
      "129.00",
      `<h1>Harbour lamp</h1><p class="preis"><b>99 €</b> statt 129 €</p>`,
      99,
    ],
    [
      "a crossed-out element",
      "en",
      "120.00",
      `<h1>Harbour lamp</h1><p><s>€120.00</s> <strong>€95.00</strong></p>`,
      95,
    ],
    [
      "del and ins",
      "en",
      "120.00",
      `<h1>Harbour lamp</h1><p class="price"><del>€120.00</del> <ins>€95.00</ins></p>`,
      95,
    ],
    [
      "a class of crossed-out text",
      "en",
      "120.00",
      `<h1>Harbour lamp</h1><div class="flex"><span class="line-through text-gray-400">€120.00</span><span class="font-bold">€95.00</span></div>`,
      95,
    ],
    [
      "au lieu de",
      "fr",
      "120.00",
      `<h1>Harbour lamp</h1><p class="prix"><strong>95,00 €</strong> au lieu de 120,00 €</p>`,
      95,
    ],
    [
      "a crossed-out element, with a list of former prices",
      "en",
      "120.00",
      `<h1>Harbour lamp</h1><p><s>€120.00</s> <strong>€95.00</strong></p><h2>Price history</h2><ul><li>May 2026: €95.00</li><li>April 2026: €120.00</li><li>March 2026: €120.00</li></ul>`,
      95,
    ],
  ])("gives way to the present price when the page shows it by %s", (_, lang, price, main, now) => {
    expect(priceOf(offer(price), main, lang)).toBe(now);
  });

  it.each([
    [
      "another price crossed out",
      `<h1>Harbour lamp</h1><p><s>€120.00</s> <strong>€95.00</strong></p>`,
      95,
    ],
    ["no other price", `<h1>Harbour lamp</h1><p class="price">€95.00</p>`, 95],
    [
      "a text with the word was",
      `<h1>Harbour lamp</h1><p class="price">€95.00</p><p>The lamp was designed in 1962.</p>`,
      95,
    ],
    [
      "another product's former price",
      `<h1>Harbour lamp</h1><p class="price">€95.00</p><aside><h2>On sale</h2><a href="/m">Mast lamp €70.00 was €95.00</a></aside>`,
      95,
    ],
    [
      "the price of a competitor in the reviews",
      `<h1>Harbour lamp</h1><p class="price">€95.00</p><h2>Reviews</h2><p>The one I had before was €120.00 and broke.</p>`,
      95,
    ],
  ])("stays when the page shows %s", (_, main, price) => {
    expect(priceOf(offer("95.00"), main)).toBe(price);
  });

  it.each([
    ["without a price history", INLINE],
    ["with a table of former prices", INLINE + HISTORY],
    ["with a list of former prices", INLINE + DATES],
  ])("is not given when the page shows it as was in one line, %s", (_, main) => {
    expect(priceOf(offer("465000"), `<h1>Harbour lamp</h1>${main}`)).not.toBe(465_000);
  });

  it.fails.each([
    ["without a price history", INLINE],
    ["with a table of former prices", INLINE + HISTORY],
    ["with a list of former prices", INLINE + DATES],
  ])("gives way to the present price in one line with was, %s", (_, main) => {
    expect(priceOf(offer("465000"), `<h1>Harbour lamp</h1>${main}`)).toBe(449_000);
  });
});

describe("former and present price in one line", () => {
  const both = (price: string, lang: string, line: string): unknown =>
    readObject(page(offer(price), `<h1>Harbour lamp</h1>${line}`, lang), {
      price: NUMBER,
      original_price: NUMBER,
    });

  it.each([
    ["en", `<p>Now €99, was €129</p>`],
    ["en", `<p>€99 <span class="text-sm">was €129</span></p>`],
    ["en", `<p class="price">€99</p><p>was €129</p>`],
  ])("keep the declared present price: %s %s", (lang, line) => {
    expect(both("99", lang, line)).toMatchObject({ price: 99 });
  });

  it.each([
    ["en", `<p>Was €129, now €99</p>`],
    ["en", `<p>Was: €129 Now: €99</p>`],
    ["en", `<p><span>was €129</span> €99</p>`],
    ["de", `<p>Bisher 129 €, jetzt 99 €</p>`],
  ])("do not turn the declared present price into the former one: %s %s", (lang, line) => {
    expect(both("99", lang, line)).not.toMatchObject({ original_price: 99 });
  });

  it.each([
    ["en", `<p>RRP €129 <b>€99</b></p>`],
    ["en", `<p><b>€99</b> instead of €129</p>`],
    ["en", `<p>Reduced from €129 to €99</p>`],
    ["de", `<p><span>Früher 129 €</span> <span>99 €</span></p>`],
  ])("do not give the declared former price as the present one: %s %s", (lang, line) => {
    expect(priceOf(offer("129"), `<h1>Harbour lamp</h1>${line}`, lang) ?? 99).toBe(99);
  });

  it.fails.each([
    ["en", `<p class="price">€99</p><p>Reduced by €30 from €129</p>`],
    ["de", `<p>UVP 129,00 € <b>99,00 €</b></p>`],
    ["fr", `<p>Avant 129 € <b>99 €</b></p>`],
    ["nl", `<p>van 129 € voor 99 €</p>`],
  ])("do not give the declared former price as the present one: %s %s", (lang, line) => {
    expect(priceOf(offer("129"), `<h1>Harbour lamp</h1>${line}`, lang) ?? 99).toBe(99);
  });
});
