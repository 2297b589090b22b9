// Short texts on which a pattern with ambiguous repetitions takes seconds or more.
import { describe, expect, it } from "vitest";
import { cost } from "../../../../test/growth.ts";
import {
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

/** CPU milliseconds: each of these texts took at least two seconds with such a pattern. */
const MAX_MS = 500;

const read =
  (main: string, name: string, type: object = STRING) =>
  (): void =>
    void readObject(pageOf("en", main), { [name]: type });

describe("values in hostile texts", () => {
  it.each<readonly [string, () => void]>([
    [
      "a version range",
      () => {
        const item = `<li><h3>quill</h3><p>&gt;1-1.1${"-1.1".repeat(40)}!</p></li>`;
        readRows(pageOf("en", `<h2>Dependencies</h2><ul>${item.repeat(3)}</ul>`), "dependencies", {
          name: STRING,
          version: STRING,
          version_range: STRING,
        });
      },
    ],
    ["a name", read(`<h3>Contact</h3><p>${"A".repeat(90)}!</p>`, "contact_name")],
    [
      "a sentence",
      read(`<p>Our warranty ${"in,".repeat(40)}x 2 years.</p>`, "warranty_years", {
        type: "number",
      }),
    ],
    [
      "a title",
      () => {
        const head = `<meta property="og:title" content="a${" ".repeat(4_000)}|">`;
        const html = pageOf("en", "<h1>Stool</h1>").replace("<title>", `${head}<title>`);
        readObject(html, { site_name: STRING });
      },
    ],
    [
      "a copyright line",
      () => {
        const footer = `<p>© ${"\u00A0 ".repeat(4_000)}2</p>`;
        readObject(pageOf("en", "<h1>Stool</h1>", footer), { site_name: STRING });
      },
    ],
    [
      "a statement",
      read(`<p>${"Breakfast (no, not, ".repeat(6)}included</p>`, "breakfast_included", {
        type: "boolean",
      }),
    ],
    [
      "an ingredient",
      () => {
        const item = `<li>${"1 1/2-1 1/2 ".repeat(12)}g</li>`;
        readRows(pageOf("en", `<h2>Ingredients</h2><ul>${item.repeat(3)}</ul>`), "ingredients", {
          name: STRING,
          amount: { type: "number" },
        });
      },
    ],
    [
      "a header",
      () => {
        const header = "first second 1. quarter jan - june ".repeat(40);
        const table = `<table><tr><th></th><th>${header}2025</th><th>${header}2024</th></tr><tr><td>Revenue</td><td>1</td><td>2</td></tr></table>`;
        readObject(pageOf("en", table), { revenue_h1_2025: { type: "number" } });
      },
    ],
  ])("are read from %s in less than half a second", (_, work) => {
    expect(cost(work)).toBeLessThan(MAX_MS);
  });
});
