import { expect, test } from "vitest";
import type { Reading } from "../content-text.ts";
import { bestPassages, passagesOf, rankPassages } from "./rank.ts";

const reading = (markdown: string, language = "en"): Reading => ({
  language,
  title: "",
  paragraphs: [],
  markdown,
});
const TEXT = `# Ferries

The ferry to the island leaves at nine.

## Prices

Adults pay twelve euros, children half of that.

## Dogs

Dogs travel for free when they are on a lead. Dogs are welcome.`;

test("keeps a heading with the text that follows it", () => {
  expect(passagesOf(TEXT)).toEqual([
    "# Ferries\nThe ferry to the island leaves at nine.",
    "## Prices\nAdults pay twelve euros, children half of that.",
    "## Dogs\nDogs travel for free when they are on a lead. Dogs are welcome.",
  ]);
});

test("ranks the passage with the page's rare words first and ignores question words", () => {
  const passages = rankPassages(reading(TEXT), "What do the children pay?");
  expect(bestPassages(passages, 1)[0]?.text).toContain("children half");
  expect(bestPassages(rankPassages(reading(TEXT), "Is a dog allowed?"), 3)).toHaveLength(1);
  expect(bestPassages(rankPassages(reading(TEXT), "quantum physics"), 3)).toEqual([]);
});

test("ranks passages without spaces between words", () => {
  const passages = rankPassages(
    reading("船は九時に出ます。\n\n料金は十二ユーロです。", "ja"),
    "料金はいくらですか",
  );
  expect(bestPassages(passages, 1)[0]?.text).toContain("料金は十二ユーロ");
});

test("returns a repeated passage only once", () => {
  const twice = reading(
    `${TEXT}\n\n## Ferries again\n\nAdults pay twelve euros, children half of that.`,
  );
  const best = bestPassages(rankPassages(twice, "What do the children pay?"), 3);
  expect(best.filter(({ text }) => text.includes("children half"))).toHaveLength(1);
});
