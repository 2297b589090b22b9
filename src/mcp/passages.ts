// Finds passages of a page that answer a question.
import { scoreTexts, WeightedWords } from "../ranking/bm25.ts";
import { toWords } from "../ranking/words.ts";
import type { Section } from "./sections.ts";
import { stripLinksOutsideCode } from "./strip-links.ts";
import { countTokens } from "../ranking/model-tokens.ts";

export type Passage = {
  readonly section: number;
  /** Its heading and those above it. */
  readonly path: readonly string[];
  readonly start: number;
  readonly text: string;
};

/** About a long paragraph. */
const PASSAGE_CHARACTERS = 700;
const HEADING_WEIGHT = 2;
/** Passages with less than this part of the best score are left out. */
const WEAKEST_SHARE = 16;
/** Stop words of questions. */
const COMMON = new Set(
  "a an and are as at be by can do does did for from has have how i if in is it its of on or s that the their there this to was were what when where which who why will with you your".split(
    " ",
  ),
);

/**
 * Splits sections into paragraphs, tables and code; short ones are merged and long ones divided.
 * Links become their texts: targets would take half of the budget in many manuals.
 */
export function splitPassages(markdown: string, sections: readonly Section[]): Passage[] {
  return sections.flatMap((section) => {
    const passages: Passage[] = [];
    const path = [...section.path, section.heading];
    const body = markdown.slice(section.start, section.end);
    let fence: string | undefined;
    const add = (from: number, to: number): void => {
      const stripped = stripLinksOutsideCode(body.slice(from, to), fence);
      fence = stripped.open;
      const text = stripped.text.trim();
      if (text !== "" && !/^#{1,6} [^\n]*$/.test(text))
        passages.push({ section: section.number, path, start: section.start + from, text });
    };
    let start = 0;
    let end = 0;
    for (const line of body.split(/(?<=\n)/)) {
      const isBreak = line.trim() === "" || end - start + line.length > 2 * PASSAGE_CHARACTERS;
      if (isBreak && end - start >= PASSAGE_CHARACTERS) {
        add(start, end);
        start = end;
      }
      end += line.length;
      while (end - start > 3 * PASSAGE_CHARACTERS) {
        add(start, start + 2 * PASSAGE_CHARACTERS);
        start += 2 * PASSAGE_CHARACTERS;
      }
    }
    add(start, end);
    return passages;
  });
}

const listQuestionWords = (question: string): string[] => {
  const all = [...new Set(toWords(question))];
  const telling = all.filter((word) => !COMMON.has(word));
  return telling.length > 0 ? telling : all;
};

/** Matches words that share a prefix and differ by at most two letters: "price" and "prices". */
const getAmount = (counts: ReadonlyMap<string, number>, word: string): number => {
  const exact = counts.get(word);
  if (exact !== undefined) return exact;
  if (word.length < 4) return 0;
  let near = 0;
  for (const [other, count] of counts)
    if (
      Math.abs(other.length - word.length) <= 2 &&
      other.length >= 4 &&
      (other.startsWith(word) || word.startsWith(other))
    )
      near += count * 0.7;
  return near;
};

/** Returns the best passages that fit, in page order. */
export function findPassages(
  passages: readonly Passage[],
  question: string,
  budget: number,
): Passage[] {
  const weighted = passages.map(({ text, path }) => {
    const words = new WeightedWords();
    words.add(toWords(text), 1);
    words.add(toWords(path.join(" ")), HEADING_WEIGHT);
    return words;
  });
  const asked = listQuestionWords(question).map((word) =>
    weighted.map(({ counts }) => getAmount(counts, word)),
  );
  const scores = scoreTexts(
    weighted.map(({ length }) => length),
    asked,
  );
  const ranked = [...passages.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  const best = scores[ranked[0] ?? 0] ?? 0;
  const chosen: Passage[] = [];
  let used = 0;
  for (const index of ranked) {
    const passage = passages[index];
    if (passage === undefined || (scores[index] ?? 0) < best / WEAKEST_SHARE) break;
    const tokens = countTokens(passage.text) + countTokens(passage.path.join(" ")) + 12;
    // A smaller one may still fit.
    if (used + tokens > budget && chosen.length > 0) continue;
    chosen.push(passage);
    used += tokens;
  }
  return chosen.sort((one, other) => one.start - other.start);
}
