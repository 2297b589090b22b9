// Ranks pages by their passages: BM25 with weighted fields (Robertson and Zaragoza 2009, section
// 3.5) over the best passage and over the whole page.
import { HEADING_MARK } from "./page-text.ts";
import type { RankedTerm } from "./lookup.ts";
import type { Stem } from "../ranking/stems.ts";
import { visitIdentifiers, foldName } from "./identifiers.ts";
import { fold, isLoneCharacter, isPair } from "./words.ts";

/** A page to rank. */
export type RankedPage = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
};

/** A term with its rarity among all pages. */
export type WeighedTerm = RankedTerm & { readonly rarity: number };

export type Ranking = {
  readonly score: number;
  /** The passage that fits best, as plain text; "" when the page has no text. */
  readonly passage: string;
};

/** Target length of a passage, characters: a longer passage ends after its line. */
const PASSAGE_CHARACTERS = 1_200;
const MIN_PASSAGE_CHARACTERS = 300;

/** Field weights: each occurrence counts as this many in the text. */
const WEIGHTS = { title: 4, heading: 3.5, url: 1.5, description: 1.5 };
/** Saturation of repeated terms, and length normalization of passages and pages. */
const TERM_SATURATION = 2;
const PASSAGE_LENGTH_NORMALIZATION = 0.4;
const PAGE_LENGTH_NORMALIZATION = 0.4;
/** Share of the whole page in the score. */
const PAGE_SHARE = 0.6;
/** Factor of a whole identifier compared with a word of the same rarity. */
const IDENTIFIER_BOOST = 1.2;
/** Typical length of a page's text, characters. */
const MEAN_PAGE_CHARACTERS = 6_000;

export type Passage = { readonly heading: string; readonly text: string };

/** Splits an indexed text at headings and after long runs of lines. */
export function splitPassages(text: string): Passage[] {
  const passages: Passage[] = [];
  let heading = "";
  let lines: string[] = [];
  let length = 0;
  const end = (): void => {
    if (lines.length > 0) passages.push({ heading, text: lines.join("\n") });
    lines = [];
    length = 0;
  };
  for (const line of text.split("\n")) {
    const isHeading = line.startsWith(HEADING_MARK);
    if (length > (isHeading ? MIN_PASSAGE_CHARACTERS : PASSAGE_CHARACTERS)) end();
    if (isHeading && length === 0) heading = line.slice(HEADING_MARK.length);
    const plain = isHeading ? line.slice(HEADING_MARK.length) : line;
    // One long line, such as the text of HTML, is cut too.
    for (let from = 0; from < plain.length; from += 2 * PASSAGE_CHARACTERS) {
      if (from > 0) end();
      const part = plain.slice(from, from + 2 * PASSAGE_CHARACTERS);
      lines.push(part);
      length += part.length;
    }
  }
  end();
  return passages;
}

/** Counts the terms of a text. `stem` is that of the page's language. */
function countTerms(text: string, terms: readonly WeighedTerm[], stem: Stem): number[] {
  const folded = /^\p{ASCII}*$/u.test(text) ? text.toLowerCase() : fold(text);
  return terms.map((term) =>
    term.isIdentifier ? countName(folded, term.forms[0] ?? "") : countForms(folded, term, stem),
  );
}

function countName(folded: string, name: string): number {
  const [first = ""] = name.split(/[_.-]/, 1);
  if (first === "" || !folded.includes(first)) return 0;
  let count = 0;
  visitIdentifiers(folded, (found) => {
    if (foldName(found) === name) count += 1;
    return true;
  });
  return count;
}

const LETTER = /[\p{L}\p{N}]/u;

function countForms(folded: string, { forms }: WeighedTerm, stem: Stem): number {
  const [shortest = ""] = forms.toSorted((one, other) => one.length - other.length);
  const isUnspaced = isPair(shortest) || isLoneCharacter(shortest);
  // A stem may end in other letters than its word: "copi" of "copy".
  const start = isUnspaced ? shortest : shortest.slice(0, Math.max(3, shortest.length - 2));
  if (start === "") return 0;
  let count = 0;
  for (let at = folded.indexOf(start); at >= 0; at = folded.indexOf(start, at + start.length)) {
    if (isUnspaced) {
      count += 1;
      continue;
    }
    if (at > 0 && isLetter(folded, at - 1)) continue;
    let end = at + start.length;
    while (end < folded.length && isLetter(folded, end)) end += 1;
    const word = folded.slice(at, end);
    if (forms.includes(word) || forms.includes(stem(word))) count += 1;
  }
  return count;
}

function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) return true;
  return code > 127 && LETTER.test(text[at] ?? "");
}

/** Scores a page for the terms of a query. */
export function rankPage(page: RankedPage, terms: readonly WeighedTerm[], stem: Stem): Ranking {
  const title = countTerms(page.title, terms, stem);
  const url = countTerms(readUrlText(page.url), terms, stem);
  const description = countTerms(page.description, terms, stem);
  const fields = terms.map(
    (_, at) =>
      WEIGHTS.title * Math.min(1, title[at] ?? 0) +
      WEIGHTS.url * Math.min(1, url[at] ?? 0) +
      WEIGHTS.description * Math.min(1, description[at] ?? 0),
  );
  const whole = [...fields];
  let best = { score: computeScore(fields, terms, 1), passage: "" };
  let heading = "";
  let inHeading: number[] = terms.map(() => 0);
  for (const passage of splitPassages(page.text)) {
    if (passage.heading !== heading) {
      heading = passage.heading;
      inHeading = countTerms(heading, terms, stem);
    }
    const inText = countTerms(passage.text, terms, stem);
    const counts = inText.map((count, at) => {
      whole[at] = (whole[at] ?? 0) + count;
      return (fields[at] ?? 0) + count + WEIGHTS.heading * Math.min(1, inHeading[at] ?? 0);
    });
    if (inText.every((count) => count === 0)) continue;
    const norm =
      1 -
      PASSAGE_LENGTH_NORMALIZATION +
      PASSAGE_LENGTH_NORMALIZATION * (passage.text.length / PASSAGE_CHARACTERS);
    const score = computeScore(counts, terms, norm);
    if (score > best.score || best.passage === "") best = { score, passage: passage.text };
  }
  const pageNorm =
    1 -
    PAGE_LENGTH_NORMALIZATION +
    PAGE_LENGTH_NORMALIZATION * Math.log2(1 + page.text.length / MEAN_PAGE_CHARACTERS);
  return {
    score: best.score + PAGE_SHARE * computeScore(whole, terms, pageNorm),
    passage: best.passage,
  };
}

/** BM25 of weighted counts, times the share of the query's rarity that occurs. */
function computeScore(
  counts: readonly number[],
  terms: readonly WeighedTerm[],
  norm: number,
): number {
  let score = 0;
  let had = 0;
  let all = 0;
  for (const [at, { rarity, isIdentifier }] of terms.entries()) {
    const count = counts[at] ?? 0;
    const weight = isIdentifier ? rarity * IDENTIFIER_BOOST : rarity;
    all += weight;
    if (count === 0) continue;
    had += weight;
    score += (weight * count * (TERM_SATURATION + 1)) / (count + TERM_SATURATION * norm);
  }
  return all === 0 ? 0 : score * (had / all);
}

function readUrlText(address: string): string {
  const url = URL.parse(address);
  if (url === null) return "";
  try {
    return decodeURIComponent(`${url.hostname} ${url.pathname}${url.search}`).slice(0, 500);
  } catch {
    return `${url.hostname} ${url.pathname}`.slice(0, 500);
  }
}
