import { describe, expect, it } from "vitest";
import { deriveInput } from "../../../test/derive-input.ts";
import { derive } from "../derive.ts";
import type { DeriveInput } from "../derivation.ts";

const topics = ["wind", "salt", "glass", "brass", "rope", "night"];
const paragraphs = topics
  .map(
    (topic) =>
      `<p>${`What the ${topic} does to a lamp is known to whoever has sailed with one, and the ${topic} of the north is the worst of all. `.repeat(2)}</p>`,
  )
  .join("");
const text = "A lamp for the deck that survives being dropped and forgotten in the rain. ";
const ARTICLE = `<title>Lamps of the deck</title><nav><a href="/">Home</a> <a href="/lamps">Lamps</a></nav>
  <article><h1>Lamps of the deck</h1>${paragraphs}<p><a href="/more">More lamps</a></p></article>`;
const extractionOf = (html: string, more: Partial<DeriveInput> = {}) =>
  derive(deriveInput(html, more)).extraction;

describe("metadata.extraction", () => {
  it("reports confidence, the kind of page and the content size in metadata.extraction", () => {
    const extraction = extractionOf(ARTICLE);
    expect(extraction).toMatchObject({ pageKind: "article" });
    expect(extraction?.confidence).toBeGreaterThan(0.8);
    expect(extraction?.confidence).toBeLessThanOrEqual(1);
    expect(extraction?.words).toBeGreaterThanOrEqual(6 * 2 * 24);
    expect(extraction?.linkShare).toBeLessThan(0.05);
    expect(extraction?.estimatedTokens).toBeGreaterThan(250);
  });

  it("lowers the extraction confidence of a page with little content", () => {
    const links = `<div><a href="/a">One</a> <a href="/b">Two words</a></div>`.repeat(20);
    const extraction = extractionOf(`<title>Index</title>${links}`);
    expect(extraction?.confidence).toBeLessThan(0.8);
    expect(extraction?.linkShare).toBe(1);
  });

  it("reports documentation with a fixed confidence for a page of a known generator", () => {
    const page = `<main class="main"><div class="vp-doc"><h1>Lamps</h1><p>${text.repeat(3)}</p></div></main>`;
    expect(extractionOf(page)).toMatchObject({ pageKind: "documentation", confidence: 0.95 });
  });

  it("reports neither confidence nor kind when main content was not extracted", () => {
    for (const more of [{ onlyMainContent: false }, { includeTags: ["p"] }]) {
      const extraction = extractionOf(ARTICLE, more);
      expect(extraction).not.toHaveProperty("confidence");
      expect(extraction).not.toHaveProperty("pageKind");
      expect(extraction?.words).toBeGreaterThan(250);
    }
  });

  it("leaves out tokens without Markdown, and metadata.extraction without any content", () => {
    expect(extractionOf(ARTICLE, { formats: [{ type: "html" }] })).not.toHaveProperty(
      "estimatedTokens",
    );
    expect(extractionOf(ARTICLE, { formats: [{ type: "rawHtml" }] })).toBeUndefined();
    expect(
      extractionOf("{}", { mimeType: "application/json", contentType: "application/json" }),
    ).toBeUndefined();
  });
});
