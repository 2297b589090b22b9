// The two steps of a conversion: evidence for the verdict, then the formats of the accepted page.
import { describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { filterVerdictClasses, type CaptureFacts } from "../html/evidence/verdict.ts";
import { derive } from "./derive.ts";
import type { DeriveInput, VerdictOptions } from "./derivation.ts";

const FACTS: CaptureFacts = {
  statusCode: 200,
  bodyBytes: 900,
  headers: [],
  isRendered: false,
  isFile: false,
  isBlankFile: false,
  missing: undefined,
};
const CHALLENGE: Partial<CaptureFacts> = {
  statusCode: 403,
  headers: [["cf-mitigated", "challenge"]],
};
const NEVER = filterVerdictClasses(() => false);
const html = "<title>Just a moment...</title><p>Checking your browser.</p>";
const formats: DeriveInput["formats"] = [{ type: "markdown" }, { type: "links" }];

const convert = (
  judging: Partial<Omit<VerdictOptions, "facts">>,
  facts: Partial<CaptureFacts> = {},
) =>
  derive(
    deriveInput(html, {
      formats,
      explain: true,
      reads: true,
      judging: { retryOn: NEVER, withholds: true, facts: { ...FACTS, ...facts }, ...judging },
    }),
  );

describe("deriving the formats of a judged page", () => {
  it("derives no format of a page that is fetched again in another way", () => {
    const derived = convert(
      { retryOn: filterVerdictClasses(({ remedy }) => remedy === "any") },
      CHALLENGE,
    );
    expect(derived).toMatchObject({ skipped: "retry", document: {}, evidence: { words: 6 } });
    expect(Object.keys(derived.steps)).not.toContain("markdown");
    expect(Object.keys(derived.steps)).not.toContain("content");
    expect([derived.reading, derived.explanation]).toEqual([undefined, undefined]);
  });

  it("derives no format of a certain block page whose text is withheld", () => {
    const derived = convert({}, CHALLENGE);
    expect(derived).toMatchObject({ skipped: "withheld", document: {} });
    expect(Object.keys(derived.steps)).not.toContain("markdown");
    expect(derived.metadata["title"]).toBe("Just a moment...");
  });

  it("derives the formats of a block page whose text is returned", () => {
    const { skipped, document } = convert({ withholds: false }, CHALLENGE);
    expect(skipped).toBeUndefined();
    expect(document.markdown).toContain("Checking your browser.");
  });

  it("derives the formats of a page when no further attempt follows its verdict", () => {
    const retryOn = filterVerdictClasses(({ kind }) => kind === "empty_shell");
    expect(convert({ retryOn }, { statusCode: 404 }).document.links).toEqual([]);
  });
});
