import { expect, test } from "vitest";
import type { ContentReading } from "../page/content-text.ts";
import { selectBestPassages, splitPassages, rankPassages } from "./rank.ts";

const reading = (markdown: string, language = "en"): ContentReading => ({
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
  expect(splitPassages(TEXT)).toEqual([
    "# Ferries\nThe ferry to the island leaves at nine.",
    "## Prices\nAdults pay twelve euros, children half of that.",
    "## Dogs\nDogs travel for free when they are on a lead. Dogs are welcome.",
  ]);
});

test("ranks the passage with the page's rare words first and ignores question words", () => {
  const passages = rankPassages(reading(TEXT), "What do the children pay?");
  expect(selectBestPassages(passages, 1)[0]?.text).toContain("children half");
  expect(selectBestPassages(rankPassages(reading(TEXT), "Is a dog allowed?"), 3)).toHaveLength(1);
  expect(selectBestPassages(rankPassages(reading(TEXT), "quantum physics"), 3)).toEqual([]);
});

test("ranks passages without spaces between words", () => {
  const passages = rankPassages(
    reading("船は九時に出ます。\n\n料金は十二ユーロです。", "ja"),
    "料金はいくらですか",
  );
  expect(selectBestPassages(passages, 1)[0]?.text).toContain("料金は十二ユーロ");
});

test("returns a repeated passage only once", () => {
  const twice = reading(
    `${TEXT}\n\n## Ferries again\n\nAdults pay twelve euros, children half of that.`,
  );
  const best = selectBestPassages(rankPassages(twice, "What do the children pay?"), 3);
  expect(best.filter(({ text }) => text.includes("children half"))).toHaveLength(1);
});

test("keeps the name of a definition in bold with its explanation", () => {
  const manual =
    "Intro text.\n\n**str.removeprefix(*prefix*)**\n\nReturns the string without its prefix.\n\n**str.other()**\n\nDoes nothing.";
  expect(splitPassages(manual)[1]).toBe(
    "**str.removeprefix(*prefix*)**\nReturns the string without its prefix.",
  );
  const [best] = selectBestPassages(
    rankPassages(reading(manual), "What does str.removeprefix do?"),
    1,
  );
  expect(best?.text).toContain("without its prefix");
});

test.each([
  [
    "de",
    "Der Hund bellt.\n\nDie Kündigungsfrist beträgt drei Monate.",
    "Wie lang ist die Kündigungsfrist?",
    "drei Monate",
  ],
  [
    "fr",
    "Le chat dort.\n\nLe délai de résiliation est de trois mois.",
    "Quel est le délai de résiliation ?",
    "trois mois",
  ],
  [
    "es",
    "El perro ladra.\n\nEl plazo de cancelación es de tres meses.",
    "¿Cuál es el plazo de cancelación?",
    "tres meses",
  ],
  ["ru", "Собака лает.\n\nСрок отмены составляет три месяца.", "Какой срок отмены?", "три месяца"],
  ["zh", "狗在叫。\n\n取消期限为三个月。", "取消期限是什么？", "三个月"],
  ["ja", "犬が吠える。\n\n解約期間は三か月です。", "解約期間は何ですか", "三か月"],
])("finds the passage that answers a question in %s", (language, markdown, asked, expected) => {
  const best = selectBestPassages(rankPassages(reading(markdown, language), asked), 3);
  expect(best.map(({ text }) => text)).toEqual([expect.stringContaining(expected)]);
});
