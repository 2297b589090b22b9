// Finds passages of a page that answer a question.
import { scoreTexts, WeightedWords } from "../../ranking/bm25.ts";
import type { Stem } from "../../ranking/stems.ts";
import { toWords } from "../../ranking/words.ts";
import type { Section } from "./sections.ts";
import { stripLinksOutsideCode } from "./strip-links.ts";
import { countTokens } from "../../ranking/model-tokens.ts";

export type Passage = {
  /** Undefined outside of the main content, which has no sections. */
  readonly section: number | undefined;
  /** Its heading and those above it. */
  readonly path: readonly string[];
  readonly start: number;
  readonly text: string;
};

/** Share of the score that counts outside of the main content, where menus repeat its words. */
const OUTSIDE_WEIGHT = 0.5;
/** About a long paragraph. */
const PASSAGE_CHARACTERS = 700;
const HEADING_WEIGHT = 2;
/** An abbreviation may stand for other words. */
const ABBREVIATED_WEIGHT = 0.7;
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
export function splitPassages(
  markdown: string,
  sections: readonly Section[],
  isOutside = false,
): Passage[] {
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
        passages.push({
          section: isOutside ? undefined : section.number,
          path,
          start: section.start + from,
          text,
        });
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

/**
 * Matches words that share a prefix and differ by at most two letters, where the language of the
 * page is unknown: "price" and "prices".
 */
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

const MIN_INITIALS = 2;
const MAX_INITIALS = 5;

/**
 * Lists the abbreviations that consecutive words of a question may have, with these words: the
 * "heart rate" of a question is the "HR" of a text.
 */
function listAbbreviations(question: string): Map<string, readonly string[]> {
  const words = toWords(question);
  const found = new Map<string, readonly string[]>();
  for (let from = 0; from < words.length; from++)
    for (let count = MIN_INITIALS; count <= MAX_INITIALS && from + count <= words.length; count++) {
      const run = words.slice(from, from + count);
      if (COMMON.has(run.at(-1) ?? "")) continue;
      if (COMMON.has(run[0] ?? "")) break;
      found.set(run.map((word) => word.charAt(0).toUpperCase()).join(""), run);
    }
  return found;
}

/** Capitals that stand alone. */
const CAPITALS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\p{Lu}{${MIN_INITIALS},${MAX_INITIALS}}(?![\p{L}\p{N}])`,
  "gu",
);

/** The words of the question that a text abbreviates. */
const listAbbreviated = (
  text: string,
  abbreviations: ReadonlyMap<string, readonly string[]>,
): string[] =>
  (text.match(CAPITALS) ?? []).flatMap((capitals) => abbreviations.get(capitals) ?? []);

/** Tokens for passages of the main content, and outside of it. */
export type PassageBudget = { readonly main: number; readonly outside: number };

/** Returns the best passages that fit, in page order, those outside of the main content last. */
export function findPassages(
  passages: readonly Passage[],
  question: string,
  budget: PassageBudget,
  stem: Stem,
): Passage[] {
  const abbreviations = listAbbreviations(question);
  const weighted = passages.map(({ text, path }) => {
    const words = new WeightedWords();
    words.add(toWords(text).map(stem), 1);
    words.add(listAbbreviated(text, abbreviations).map(stem), ABBREVIATED_WEIGHT);
    words.add(toWords(path.join(" ")).map(stem), HEADING_WEIGHT);
    return words;
  });
  const asked = [...new Set(listQuestionWords(question).map(stem))].map((word) =>
    weighted.map(({ counts }) => getAmount(counts, word)),
  );
  const scores = scoreTexts(
    weighted.map(({ length }) => length),
    asked,
  ).map((score, index) =>
    passages[index]?.section === undefined ? score * OUTSIDE_WEIGHT : score,
  );
  const ranked = [...passages.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0));
  const best = scores[ranked[0] ?? 0] ?? 0;
  const chosen: Passage[] = [];
  const left = { ...budget };
  for (const index of ranked) {
    const passage = passages[index];
    if (passage === undefined || (scores[index] ?? 0) < best / WEAKEST_SHARE) break;
    const tokens = countTokens(passage.text) + countTokens(passage.path.join(" ")) + 12;
    const place = passage.section === undefined ? "outside" : "main";
    // A smaller one may still fit.
    if (tokens > left[place] && chosen.length > 0) continue;
    chosen.push(passage);
    left[place] -= tokens;
  }
  const isOutside = ({ section }: Passage): number => (section === undefined ? 1 : 0);
  return chosen.sort((one, other) => isOutside(one) - isOutside(other) || one.start - other.start);
}
