// One place of a page gives one property: `price` and `member_price` are not the same number in the
// same place.
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
  placeOf: (name: string) => string | undefined,
  isExact: (name: string) => boolean,
  rowWords: readonly string[] = [],
): string[] {
  const filled = Object.keys(value).filter((name) => isScalar(value[name]));
  const all = filled.map((name): Placed => ({
    name,
    parsed: parseName(name),
    place: placeOf(name),
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
  return all.filter((one) => all.some((other) => isCopyOf(one, other))).map(({ name }) => name);
}

type Placed = { readonly name: string; readonly parsed: Name; readonly place: string | undefined };

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
