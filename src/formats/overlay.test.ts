// The page that --explain renders: every text once, with the step, rule and score that decided on
// it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { derive } from "./derive.ts";
import type { DeriveInput, DerivedDocument } from "./derivation.ts";

const explain = (html: string, more: Partial<DeriveInput> = {}): DerivedDocument =>
  derive(deriveInput(html, { explain: "overlay", ...more }));
const overlay = (html: string, more: Partial<DeriveInput> = {}): string =>
  explain(html, more).explanation?.overlay ?? "";

const TEXT =
  "The harbour was built in three years by people who had never seen the sea before. ".repeat(4);
const PAGE = `<!doctype html><title>Harbour</title><body onload="steal()">
  <nav><a href="/">Home</a> <a href="/about">About us</a> <a href="/shop">Shop</a></nav>
  <main><h1>Harbour</h1><p>${TEXT}</p><p style="display:none">A trap for readers that are no people.</p>
  <p class="promo">Buy a rope today</p><img src="x.png" alt="The old crane" onerror="steal()">
  <p>${TEXT}</p></main><script>steal()</script></body>`;

/** Returns the title of the span that contains these words. */
const noteOn = (page: string, words: string): string =>
  new RegExp(`title="([^"]*)">[^<]*${words}`).exec(page)?.[1] ?? "nowhere";

describe("overlay", () => {
  it("shows for each text the step, rule and score that kept or removed it", () => {
    const page = overlay(PAGE, { excludeTags: [".promo"] });
    expect(noteOn(page, "The harbour was built")).toMatch(
      /^kept · main-content · above the cut, or part of a whole · score [01]\.\d{3}$/,
    );
    expect(noteOn(page, "About us")).toMatch(
      /^removed · main-content · below 0\.\d\d · score 0\.\d{3}$/,
    );
    expect(noteOn(page, "A trap")).toBe("removed · concealed · display:none · 8 words");
    expect(noteOn(page, "Buy a rope")).toBe("removed · exclude-tags · .promo · 4 words");
  });

  it("shows every text of the body in the overlay, and sums the words per step in its legend", () => {
    const page = overlay(PAGE);
    for (const words of ["Home", "Harbour", "A trap", "Buy a rope", "img: The old crane"])
      expect(page).toContain(words);
    expect(page).toContain("<td>removed: concealed</td><td>8 words</td>");
  });

  it("marks text that most pages of the site repeat", () => {
    const long = `<p>${TEXT}</p><p>One more line that every page of this site has in its text.</p>`;
    const html = `<main><h1>Harbour</h1>${long}<p>${TEXT.replaceAll("harbour", "pier")}</p></main>`;
    const { blocks = new Int32Array() } = explain(html, { known: new Int32Array() }).site ?? {};
    const known = blocks.subarray(1, 2);
    const found = explain(html, { known });
    expect(found.site?.dropped).toEqual({ texts: 1, words: 13 });
    expect(noteOn(found.explanation?.overlay ?? "", "One more line")).toContain(
      "removed · main-content · on most pages of the site",
    );
  });

  it("marks a page that is kept whole as kept, and returns no overlay for a file", () => {
    expect(noteOn(overlay(PAGE, { onlyMainContent: false }), "About us")).toBe("kept");
    expect(explain("<feed/>", { mimeType: "application/json" }).explanation?.overlay).toBe(
      undefined,
    );
  });

  it("explains a scrape without Markdown", () => {
    const { explanation } = explain(PAGE, { formats: [{ type: "links" }] });
    expect(explanation?.removals.map(({ step }) => step)).toContain("concealed");
    expect(explanation?.overlay).toContain("A trap");
  });

  it("never copies anything that runs or loads from the page into the overlay, and is deterministic", () => {
    const piece = fc.constantFrom(
      "<script>steal()</script>",
      '<img src="http://evil.example/x" onerror="steal()" alt="<b onclick=x>">',
      '<a href="javascript:steal()">',
      "</a>",
      '<svg onload="steal()"><script>',
      "</svg>",
      '<iframe srcdoc="<script>steal()</script>">',
      '<meta http-equiv="refresh" content="0;url=http://evil.example">',
      '<style>@import "http://evil.example/x.css"</style>',
      '<p style="background:url(http://evil.example/)" hidden>',
      "<table><tr><td colspan=\"2\" onclick='x'>",
      "</table>",
      '<math><mtext><img src=x onerror="steal()">',
      "<noscript><p>",
      "</noscript>",
      '<div data-note="&quot;><script>steal()</script>">',
      "words &lt;script&gt; words ",
      "<template>",
      "<plaintext>",
      '"><script>steal()</script>',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = `<title>x"><script>steal()</script></title>${pieces.join("")}`;
        const page = overlay(html);
        expect(overlay(html)).toBe(page);
        const tags = page.slice(page.indexOf("<body>")).match(/<[a-z][^>]*>/gi) ?? [];
        for (const tag of tags)
          expect(tag).toMatch(
            /^<(?!script|style|iframe|meta|link|object|svg|math|form)[a-z]+\d?(?: (?:class|title|data-note|colspan|rowspan|type|id)="[^"<>]*")*>$/,
          );
      }),
      { numRuns: 60 },
    );
  });
});
