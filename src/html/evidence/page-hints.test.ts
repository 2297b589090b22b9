import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { readPageHints } from "./page-hints.ts";

describe("readPageHints", () => {
  it("reads title, type and descriptions from the head", () => {
    const hints = readPageHints(
      parseHtml(`<html><head><title>A bridge</title><meta property="og:type" content="article">
<meta name="description" content="How it was built."><meta property="og:description" content="And why."></head><body><svg><title>icon</title></svg></body></html>`),
    );
    expect(hints).toMatchObject({
      title: "A bridge",
      description: "How it was built.\nAnd why.",
    });
  });

  it("reads the description from linked data anywhere in the page", () => {
    const data = JSON.stringify({
      "@type": "NewsArticle",
      description: 'A "short" text,\nüber <b>alles</b>.',
    });
    const hints = readPageHints(
      parseHtml(`<div><script type="application/ld+json">${data}</script></div>`),
    );
    expect(hints.linkedDataType).toBe(1);
    expect(hints.description.replaceAll(/\s+/g, " ")).toBe('A "short" text, über alles .');
  });

  it("recognizes a product in linked data", () => {
    const data = '{"@context":"https://schema.org","@type":"Product","description":"\\u00dcber"}';
    expect(
      readPageHints(parseHtml(`<script type="application/ld+json">${data}</script>`)),
    ).toMatchObject({
      linkedDataType: 3,
      description: "Über",
    });
  });

  it("returns an empty description when linked data is broken", () => {
    expect(
      readPageHints(
        parseHtml('<script type="application/ld+json">{"description": "no end</script>'),
      ).description,
    ).toBe("");
  });
});
