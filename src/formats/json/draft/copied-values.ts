// One place of a page gives one property: `price` and `member_price` are not the same number in the
// same place.
import { parseName, type Name } from "../names/names.ts";

/** Meanings that a longer name keeps: `product_name` is the `name`. */
const KEPT = ["name", "url", "description", "image", "availability"];

/**
 * Lists properties with the value and place of a property whose name they qualify, or of their
 * counterpart, unless the page labels the value with their own name.
 */
export function listCopies(
  value: Readonly<Record<string, unknown>>,
  placeOf: (name: string) => string | undefined,
  isExact: (name: string) => boolean,
): string[] {
  const filled = Object.keys(value).filter((name) => isScalar(value[name]));
  const names = filled.map((name) => ({ name, parsed: parseName(name), place: placeOf(name) }));
  return names
    .filter(
      ({ name, parsed, place }) =>
        place !== undefined &&
        !isExact(name) &&
        names.some(
          (other) =>
            other.name !== name &&
            other.place === place &&
            isSame(value[other.name], value[name]) &&
            (qualifies(parsed, other.parsed) ||
              (TITLES.test(place) && areCounterparts(parsed, other.parsed))),
        ),
    )
    .map(({ name }) => name);
}

const isScalar = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number";

/** A number and its text are one value. */
const isSame = (one: unknown, other: unknown): boolean =>
  one === other || typeof one !== typeof other;

/** True if a name has all words of another and more. */
const qualifies = (long: Name, short: Name): boolean =>
  long.words.length > short.words.length &&
  short.words.every((word) => long.words.includes(word)) &&
  !KEPT.some((concept) => short.concepts.has(concept));

/** Places of titles and headings; a merged cell of a table is the value of both its columns. */
const TITLES = /^(?:list|section)\n/;

/** `home_team` and `away_team`: one head with different words before it. */
const areCounterparts = ({ words: one }: Name, { words: other }: Name): boolean =>
  one.length === 2 && other.length === 2 && one[1] === other[1] && one[0] !== other[0];
