import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { parseDateText } from "./date-text.ts";
import { readMetadata } from "./index.ts";
import { readLinkedData } from "./json-ld.ts";

describe("readMetadata properties", () => {
  it("never throws, and returns only strings and string lists under own keys", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "<meta name=",
        "<title>",
        "</title>",
        "<time datetime='",
        "<script type='application/ld+json'>",
        '{"@type":"Article",',
        "</script>",
        "<p class=byline>By ",
        "2024-13-99",
        '"',
        ">",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.string(), (pieces, url) => {
        const metadata = readMetadata(parseHtml(pieces.join("")), { url });
        for (const value of Object.values(metadata)) {
          expect([value].flat().every((item) => typeof item === "string")).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("parses every day from 1990 to 2099 in its written forms", () => {
    const days = fc.date({
      min: new Date("1990-01-01"),
      max: new Date("2099-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (day) => {
        const iso = day.toISOString().slice(0, 10);
        const spoken = day.toLocaleDateString("en-US", { dateStyle: "long", timeZone: "UTC" });
        const german = day.toLocaleDateString("de-DE", { dateStyle: "long", timeZone: "UTC" });
        expect([iso, spoken, german].map((text) => parseDateText(text))).toEqual([iso, iso, iso]);
      }),
    );
  });

  it("finds the types of any JSON value and handles any text", () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (json, text) => {
        expect(readLinkedData([`{"@type":"Article","about":${json},}`])[0]?.types).toEqual([
          "Article",
        ]);
        expect(Array.isArray(readLinkedData([text]))).toBe(true);
      }),
    );
  });
});
