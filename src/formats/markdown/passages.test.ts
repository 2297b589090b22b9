import { describe, expect, it } from "vitest";
import { loadStem } from "../../ranking/stems.ts";
import { findPassages, splitPassages } from "./passages.ts";
import { splitSections } from "./sections.ts";

const FILLER = "The watch has a bright screen, a band of rubber and a box of card. ".repeat(10);
const PAGE = [
  "# Watches",
  `Heart of the matter: the rate of sales is high. ${FILLER}`,
  FILLER,
  `The HR monitor of the blue watch is right within 2 beats. ${FILLER}`,
  FILLER,
].join("\n\n");

describe("passages of a page", () => {
  const passages = splitPassages(PAGE, splitSections(PAGE));

  it("finds a passage that abbreviates consecutive words of the question", async () => {
    const stem = await loadStem("en");
    const ask = (question: string): string =>
      findPassages(passages, question, { main: 5_000, outside: 0 }, stem)
        .map(({ text }) => text)
        .join("\n");
    expect(ask("What is the error of the heart rate?")).toContain("The HR monitor");
    // Words that are no neighbors have no abbreviation.
    const other = ask("Is the rate of the heart high?");
    expect(other).toContain("Heart of the matter");
    expect(other).not.toContain("The HR monitor");
  });
});
