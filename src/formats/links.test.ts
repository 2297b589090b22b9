import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { derive } from "./derive.ts";
import type { DeriveInput } from "./derivation.ts";

const TEXT =
  "<p>A lamp of brass and blue glass for the desk or the shelf, made by hand in the village.</p>";
const PAGE = `<!doctype html><html><head><title>Lamps</title></head><body>
  <nav class="menu"><a href="/">Home</a> <a href="/lamps">Lamps</a></nav>
  <main><article><h1>Lamps</h1>${TEXT}<a href="/blue">Blue</a> <a href="/red">Red</a>${TEXT}</article></main>
  <div style="display:none"><a href="/hidden">Hidden</a></div>
  <footer><a href="/terms">Terms</a> <a href="/">Home</a></footer></body></html>`;

const linksOf = (options: Partial<DeriveInput>): string[] =>
  (
    derive(deriveInput(PAGE, { formats: [{ type: "links" }], ...options })).document.links ?? []
  ).map((link) => new URL(link).pathname);
const ALL = ["/", "/lamps", "/blue", "/red", "/hidden", "/terms"];

describe("links format", () => {
  it("lists all links of the page in order with and without onlyMainContent", () => {
    expect(linksOf({ onlyMainContent: true })).toEqual(ALL);
    expect(linksOf({ onlyMainContent: false })).toEqual(ALL);
  });

  it("lists all links beside formats of the main content", () => {
    const formats: DeriveInput["formats"] = [
      { type: "links" },
      { type: "html" },
      { type: "markdown" },
    ];
    expect(linksOf({ onlyMainContent: true, formats })).toEqual(ALL);
  });

  it("applies includeTags and excludeTags to links", () => {
    expect(linksOf({ includeTags: ["article"] })).toEqual(["/blue", "/red"]);
    expect(linksOf({ excludeTags: ["nav", "footer"] })).toEqual(["/blue", "/red", "/hidden"]);
    expect(linksOf({ includeTags: [".absent"] })).toEqual([]);
  });
});
