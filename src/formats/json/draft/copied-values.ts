// One place of a page gives one property: `price` and `member_price` are not the same number in the
// same place.
import type { Evidence } from "../declared/finding.ts";
import { parseName, type Name } from "../names/names.ts";

/** Meanings that a longer name keeps: `product_name` is the `name`. */
const GENERIC_CONCEPTS = ["name", "url", "description", "image", "availability"];

/**
 * Lists properties with the value and place of a property whose name they qualify, or of their
 * counterpart, unless the page labels the value with their own name; in a list of `rowWords`, those
 * with the name of a row: the cell below "Region / county" is the county.
 */
export function listCopies(
  value: Readonly<Record<string, unknown>>,
  { placeOf, evidenceOf }: Places,
  isExact: (name: string) => boolean,
  rowWords: readonly string[] = [],
): string[] {
  const filled = Object.keys(value).filter((name) => isScalar(value[name]));
  const all = filled.map((name): Placed => ({
    name,
    parsed: parseName(name),
    place: placeOf(name),
    evidence: evidenceOf(name),
  }));
  const isCopyOf = (one: Placed, other: Placed): boolean => {
    const isElsewhere = one.place === undefined || one.place !== other.place;
    if (one.name === other.name || isElsewhere || !isSame(value[other.name], value[one.name]))
      return false;
    if (namesRows(other.parsed, rowWords) && !namesRows(one.parsed, rowWords)) return true;
    if (isExact(one.name)) return false;
    const isTitle = TITLES.test(one.place ?? "");
    return (
      qualifies(one.parsed, other.parsed) || (isTitle && areCounterparts(one.parsed, other.parsed))
    );
  };
  const isBorrowed = (one: Placed, other: Placed): boolean =>
    one.name !== other.name &&
    one.evidence !== undefined &&
    other.evidence !== undefined &&
    !isExact(one.name) &&
    isUnrelated(one.parsed, other.parsed) &&
    (isTitleOf(one.evidence, other.evidence)
      ? isSameText(value[one.name], value[other.name])
      : one.evidence.ref !== undefined &&
        one.evidence.ref === other.evidence.ref &&
        differOnlyInScale(value[one.name], value[other.name]));
  return all
    .filter((one) => all.some((other) => isCopyOf(one, other) || isBorrowed(one, other)))
    .map(({ name }) => name);
}

/** True for names without a meaning in common, of which none is general. */
const isUnrelated = ({ concepts }: Name, { concepts: others }: Name): boolean =>
  [...concepts].every((concept) => !others.has(concept)) &&
  ![...concepts, ...others].some((concept) => GENERIC_CONCEPTS.includes(concept));

/** True for the title of a row that is the value of another property's column or label. */
const isTitleOf = (one: Evidence, other: Evidence): boolean =>
  one.source === "list" && (other.source === "table" || other.source === "label");

/** The cell below "Team" names no player. */
const isSameText = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && one === other;

/** "1 500 m" is not the altitude and, in centimeters, the depth of the snow. */
function differOnlyInScale(one: unknown, other: unknown): boolean {
  if (typeof one !== "number" || typeof other !== "number" || one * other === 0) return false;
  const power = Math.log10(Math.abs(one / other));
  return power !== 0 && Number.isInteger(power);
}

type Places = {
  /** The source, place and text of a property's value. */
  readonly placeOf: (name: string) => string | undefined;
  readonly evidenceOf: (name: string) => Evidence | undefined;
};

type Placed = {
  readonly name: string;
  readonly parsed: Name;
  readonly place: string | undefined;
  readonly evidence: Evidence | undefined;
};

/** True for the noun of the list: `county` in `counties`. */
const namesRows = ({ words }: Name, rowWords: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => rowWords.includes(word));

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number";

/** A number and its text are one value. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || typeof one !== typeof other;

/** True if a name has all words of another and more. */
const qualifies = (long: Name, short: Name): boolean =>
  long.words.length > short.words.length &&
  short.words.every((word) => long.words.includes(word)) &&
  !GENERIC_CONCEPTS.some((concept) => short.concepts.has(concept));

/** Places of titles and headings; a merged cell of a table is the value of both its columns. */
const TITLES = /^(?:list|section)\n/;

/** `home_team` and `away_team`: one head with different words before it. */
const areCounterparts = ({ words: one }: Name, { words: other }: Name): boolean =>
  one.length === 2 && other.length === 2 && one[1] === other[1] && one[0] !== other[0];
