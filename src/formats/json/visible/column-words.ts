// Compares a property with the name of a column word by word, also across languages: `girls_gold`
// is "Gold" below "Medals Girls", `change_absolute` is "absolut" below "Veränderung 2011–2024".
import { parseName, toSingularWords, type Name } from "../names/names.ts";
import { findCore, type WantedProperty } from "./label-match.ts";
import type { NamedCell, TableColumn } from "./visible-scope.ts";

const MAX_WORDS = 12;
/** Words of a property that are compared. */
const MAX_ASKED = 5;
/** Terms that are tried for one column: repeated words can be assigned in very many ways. */
const MAX_STEPS = 500;
/** Words of one term, such as "goals against". */
const MAX_TERM = 3;

/** Words that change nothing in a name; "for" and "in" do: "Votes for", "Time in", "Team A". */
const FILLERS: ReadonlySet<string> = new Set(
  "of the de del della di du des la le les el los las lo da do der die das den dem van het een".split(
    " ",
  ),
);
/** Words that lead to the next one: "Price for adults"; at the end they mean something. */
const LEADING: ReadonlySet<string> = new Set(
  "for in at on by to per für im bei am por en al para per zum zur met bij".split(" "),
);
/**
 * Words for a part of what a header over several columns counts: "of which women", "w tym kobiety".
 */
const PART_OF: ReadonlySet<string> = new Set(
  "which thereof including incl davon darunter dont cui cuales quais waarvan w tym heraf herav därav darav z toho".split(
    " ",
  ),
);
/** A column that has all of what the header over it and others counts. */
const ALL =
  /^(?:total|all|insgesamt|gesamt|zusammen|ensemble|totale|totaal|ogółem|razem|totalt|summa|i alt|celkem|всего|合計|総数|合计|합계|yhteensä|összesen)$/iu;

/** Words that join two of a property: "Imię i nazwisko"; alone they may be a letter: "Team A". */
const CONJUNCTIONS: ReadonlySet<string> = new Set("and und et en y e i a og och oraz".split(" "));
/** Words that only say that a value is a number. */
const NUMBER_FILLERS: ReadonlySet<string> = new Set(
  "number count anzahl zahl nombre numero aantal liczba antal pocet".split(" "),
);

/** Words of a header over several columns that make them another quantity. */
export const OTHER_GROUP =
  /\d|(?<!\p{L})(?:max(?:im(?:um|al))?|min(?:im(?:um|al))?|previous|prior|last|target(?:ed|s)?|forecast(?:ed|s)?|budget(?:ed|s)?|plan(?:ned|s|wert)?|averages?|avg|means?|home|away|vorjahr\p{L}{0,12}|(?:jahres|monats|tages)?mittel(?:wert)?)(?!\p{L})/iu;

/**
 * True if the name of a column has each word of a property or a word of the same meaning, and no
 * other words but those of a header over several columns, and fillers.
 */
export function coversProperty(wanted: WantedProperty, column: ComparedColumn): boolean {
  const { columns } = column;
  if (columns === undefined) return compareWords(wanted, column);
  // Each row of a table has the same columns.
  let known = remembered.get(columns);
  if (known === undefined) remembered.set(columns, (known = new Map()));
  const { base, fillers, isNumber } = wanted;
  const key = JSON.stringify([base.key, isNumber, column.name, column.lead, [...fillers]]);
  let isCovered = known.get(key);
  if (isCovered === undefined) known.set(key, (isCovered = compareWords(wanted, column)));
  return isCovered;
}

type ComparedColumn = Pick<NamedCell, "name" | "lead" | "columns">;

/** "in %" below the name of what is measured. */
const IN_UNIT = /^(?:in|en|em)\s(?=[%％\p{Sc}])/iu;

/** Comparisons by the columns of a table. */
const remembered = new WeakMap<readonly TableColumn[], Map<string, boolean>>();

function compareWords(
  { base, fillers, isNumber }: WantedProperty,
  { name, lead = "", columns = [] }: ComparedColumn,
): boolean {
  const above = toSingularWords(lead);
  const core = findCore(name.slice(lead.length).replace(IN_UNIT, ""));
  const leaf = lead !== "" && ALL.test(core) && !base.words.includes("total") ? "" : core;
  const words = [...above, ...toSingularWords(leaf)];
  // "48 h" is `48h`.
  const asked = base.words.flatMap((word) => word.split(/(?<=^\d+)(?=h$)/));
  if (asked.length === 0 || asked.length > MAX_ASKED || words.length > MAX_WORDS) return false;
  const used = matchTerms(asked, words, new Set(), { left: MAX_STEPS });
  if (used === undefined) return false;
  const isPlain = (word: string): boolean =>
    FILLERS.has(word) ||
    fillers.has(word) ||
    (above.length > 0 && PART_OF.has(word)) ||
    (isNumber && NUMBER_FILLERS.has(word));
  return words.every((word, at) => {
    if (used.has(at) || isPlain(word)) return true;
    if (LEADING.has(word) && used.has(at + 1)) return true;
    if (CONJUNCTIONS.has(word) && used.has(at - 1) && used.has(at + 1)) return true;
    if (at >= above.length) return false;
    // "2011–2024" says between which years something changed.
    return /^\d+$/.test(word)
      ? asked[0] === "change" && !hasOtherPeriod(lead, columns)
      : !OTHER_GROUP.test(word);
  });
}

/** True if another header over several columns differs in its numbers alone. */
function hasOtherPeriod(lead: string, columns: readonly TableColumn[]): boolean {
  const toWords = (text: string): string => text.replaceAll(/\d+/g, "0").trim();
  return columns.some(
    ({ lead: other = "" }) => other !== lead && other !== "" && toWords(other) === toWords(lead),
  );
}

/**
 * Finds a term of the column for each term of the property; returns the positions of their words,
 * undefined for none, or when no steps are left.
 */
function matchTerms(
  asked: readonly string[],
  words: readonly string[],
  used: ReadonlySet<number>,
  steps: { left: number },
): ReadonlySet<number> | undefined {
  if (asked.length === 0) return used;
  for (let length = Math.min(MAX_TERM, asked.length); length > 0; length -= 1) {
    const term = parseName(asked.slice(0, length).join(" "));
    for (const positions of listFree(words, used)) {
      const other = parseName(positions.map((at) => words[at] ?? "").join(" "));
      if (!isSameTerm(term, other)) continue;
      steps.left -= 1;
      if (steps.left < 0) return undefined;
      const all = matchTerms(asked.slice(length), words, new Set([...used, ...positions]), steps);
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
