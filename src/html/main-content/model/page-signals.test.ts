import { describe, expect, it } from "vitest";
import { NO_HINTS } from "../../evidence/page-hints.ts";
import { parseHtml } from "../../parse/parse.ts";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage } from "../blocks/blocks.ts";
import { gatherElementFacts } from "../blocks/element-facts.ts";
import { readPageSignals, SIGNAL_NAMES } from "./page-signals.ts";

function readSignals(url: string, html = "<p>text</p>", hints = NO_HINTS): Record<string, number> {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const numbers = readPageSignals(url, hints, gatherElementFacts(page).itemTypes);
  expect(numbers).toHaveLength(SIGNAL_NAMES.length);
  return Object.fromEntries(SIGNAL_NAMES.map((name, at) => [name, numbers[at]!]));
}

describe("readPageSignals", () => {
  it("finds page kinds in words of host and path, and their position", () => {
    expect(readSignals("https://docs.example.org/en/reference/io.html")).toMatchObject({
      "host-docs": 1,
      "path-docs": 2,
      "path-forum": 0,
      "path-depth": 3,
    });
    expect(readSignals("https://example.org/viewtopic.php?t=12")).toMatchObject({
      "path-forum": 1,
      "has-query": 1,
    });
  });

  it("reads dates and digits of the address", () => {
    expect(readSignals("https://example.org/2024/05/17/high-water")).toMatchObject({
      "path-date": 1,
    });
    expect(readSignals("https://example.org/p/item-4711")).toMatchObject({
      "slug-digits": 4,
      "path-product": 1,
    });
  });

  it("reads types from linked data, microdata and the head", () => {
    const hints = {
      ...NO_HINTS,
      openGraphType: "article",
      dataTypes: new Set(["Product", "Unheard"]),
    };
    const html = '<div itemscope itemtype="https://schema.org/Comment"><p>text</p></div>';
    expect(readSignals("https://example.org/", html, hints)).toMatchObject({
      "og-type": 1,
      "data-product": 1,
      "microdata-forum": 1,
      "data-forum": 0,
    });
  });

  it("accepts any text as an address", () => {
    for (const url of ["", "about:blank", "http://", "not an address", "https://[::1]/x"])
      expect(Object.values(readSignals(url)).every(Number.isFinite)).toBe(true);
  });
});
