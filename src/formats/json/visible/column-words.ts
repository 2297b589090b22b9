// Compares a property with the name of a column word by word, also across languages: `girls_gold` is
// "Gold" below "Medals Girls", `change_absolute` is "absolut" below "Veränderung 2011–2024".
import { parseName, toSingularWords, type Name } from "../names/names.ts";
import { findCore, type WantedProperty } from "./label-match.ts";
import type { NamedCell } from "./visible-scope.ts";

const MAX_WORDS = 12;
/** Words of one term, such as "goals against". */
const MAX_TERM = 3;

/** Words that change nothing in a name. */
const FILLERS: ReadonlySet<string> = new Set(
  "of the a an in at on by for and de del della di du des la le les el los las lo da do der die das den dem im am van het een en et y e i och og au aux number count anzahl zahl nombre numero aantal liczba antal pocet".split(
    " ",
  ),
);

/** Words of a header over several columns that make them another quantity. */
export const OTHER_GROUP =
  /\d|max|min|previous|prior|last|target|forecast|budget|plan|average|mean|home|away|vorjahr|mittel/i;

/**
 * True if the name of a column has each word of a property or a word of the same meaning, and no other
 * words but those of a header over several columns, and fillers.
 */
export function coversProperty(
  wanted: WantedProperty,
  column: Pick<NamedCell, "name" | "lead">,
): boolean {
  // Each row of a table has the same columns.
  const key = JSON.stringify([wanted.base.key, column.name, column.lead, [...wanted.fillers]]);
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const isCovered = compareWords(wanted, column);
  remembered.set(key, isCovered);
  return isCovered;
}

const remembered = new Map<string, boolean>();
const MAX_REMEMBERED = 5_000;

function compareWords(
  { base, fillers }: WantedProperty,
  { name, lead = "" }: Pick<NamedCell, "name" | "lead">,
): boolean {
  const above = toSingularWords(lead);
  const words = [...above, ...toSingularWords(findCore(name.slice(lead.length)))];
  if (base.words.length === 0 || words.length > MAX_WORDS) return false;
  const used = matchTerms(base.words, words, new Set());
  if (used === undefined) return false;
  return words.every((word, at) => {
    if (used.has(at) || FILLERS.has(word) || fillers.has(word)) return true;
    if (at >= above.length) return false;
    // "2011–2024" says between which years something changed.
    return /^\d+$/.test(word) ? base.words[0] === "change" : !OTHER_GROUP.test(word);
  });
}

/** Finds a term of the column for each term of the property; returns the positions of their words. */
function matchTerms(
  asked: readonly string[],
  words: readonly string[],
  used: ReadonlySet<number>,
): ReadonlySet<number> | undefined {
  if (asked.length === 0) return used;
  for (let length = Math.min(MAX_TERM, asked.length); length > 0; length -= 1) {
    const term = parseName(asked.slice(0, length).join(" "));
    for (const positions of listFree(words, used)) {
      const other = parseName(positions.map((at) => words[at] ?? "").join(" "));
      if (!isSameTerm(term, other)) continue;
      const all = matchTerms(asked.slice(length), words, new Set([...used, ...positions]));
      if (all !== undefined) return all;
    }
  }
  return undefined;
}

/** Runs of one to three words that belong to no other term. */
function* listFree(words: readonly string[], used: ReadonlySet<number>): Generator<number[]> {
  for (let start = 0; start < words.length; start += 1)
    for (let length = 1; length <= MAX_TERM && start + length <= words.length; length += 1) {
      const positions = Array.from({ length }, (_, at) => start + at);
      if (positions.some((at) => used.has(at))) break;
      yield positions;
    }
}

const isSameTerm = (one: Name, other: Name): boolean =>
  one.loose === other.loose || [...one.concepts].some((concept) => other.concepts.has(concept));
