import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { NodeTree } from "./node-tree.ts";

const currencyOf = (body: string, head = "", lang = "en"): string | undefined => {
  const page = `<!doctype html><html lang="${lang}"><head>${head}</head><body>${body}</body></html>`;
  const tree = new NodeTree(parseHtml(page));
  const price = tree.nodes
    .flatMap((node) => tree.typedValues(node))
    .find(({ type }) => type === "price");
  expect(price).toBeDefined();
  return price?.unit;
};

describe("currencies of prices", () => {
  it.each([
    ["the page says nothing", "<p>$12.50</p>", "", "en"],
    ["the sign is that of four countries", "<p>129 kr</p>", "", "en"],
    ["the page names several that use the sign", "<p>$12.50</p><p>USD CAD AUD</p>", "", "en"],
    [
      "the declared one has another sign",
      "<p>$12.50</p>",
      '<meta property="product:price:currency" content="EUR">',
      "en",
    ],
    [
      "the regions of the page disagree",
      "<p>$5</p>",
      '<meta property="og:locale" content="en_US">',
      "en-CA",
    ],
  ])("finds no currency for a shared sign when %s", (_, body, head, lang) => {
    expect(currencyOf(body, head, lang)).toBeUndefined();
  });

  it.each([
    ["€ 12,50", "EUR"],
    ["US$12.50", "USD"],
    ["A$12.50", "AUD"],
    ["$12.50 CAD", "CAD"],
    ["CAD $12.50", "CAD"],
    ["12.50 USD", "USD"],
    ["R$ 12,50", "BRL"],
  ])("reads the currency of %s from the price itself", (price, code) => {
    expect(currencyOf(`<p>${price}</p>`)).toBe(code);
  });

  it.each([
    [
      "JSON-LD",
      "<p>$5</p>",
      '<script type="application/ld+json">{"offers":{"priceCurrency":"CAD"}}</script>',
      "en-US",
      "CAD",
    ],
    [
      "embedded state",
      "<p>$5</p>",
      '<script>self.__next_f.push([1,"{\\"currencyCode\\":\\"NZD\\"}"])</script>',
      "en",
      "NZD",
    ],
    [
      "a meta element",
      "<p>$5</p>",
      '<meta property="og:price:currency" content="AUD">',
      "en",
      "AUD",
    ],
    ["microdata", '<p>$5</p><meta itemprop="priceCurrency" content="SGD">', "", "en", "SGD"],
    ["a note on the page", "<p>$5</p><footer>All prices in USD</footer>", "", "en", "USD"],
    [
      "a sign with its country",
      "<p>$5</p><footer>Free delivery over C$50</footer>",
      "",
      "en",
      "CAD",
    ],
    ["the region of the language", "<p>$5</p>", "", "en-AU", "AUD"],
    ["the language of one country", "<p>129 kr</p>", "", "sv", "SEK"],
    ["the language of one country", "<p>¥1,200</p>", "", "ja", "JPY"],
  ])("reads the currency of a shared sign from %s", (_, body, head, lang, code) => {
    expect(currencyOf(body, head, lang)).toBe(code);
  });
});
