// The values with which a part of a template was seen. A value that the page does not show may still
// decide what it shows, such as a flag. So a page is read from its data only if every value was seen
// before, or took several others without effect.
import { isObject } from "../../runtime/is-object.ts";
import type { Path } from "./value-index.ts";

type Scalar = string | number | boolean | null | undefined;
export type Leaves = ReadonlyMap<string, readonly Scalar[]>;
export type Usage = {
  /** Lists whose entries have values of their own. */
  readonly lists: ReadonlySet<string>;
  /** Values that are shown. */
  readonly shown: ReadonlySet<string>;
};

type Seen = {
  readonly kinds: Set<string>;
  /** Texts, as long as they are few: they may be the values of an enumeration. */
  readonly texts: Set<string>;
  longest: number;
  smallest: number;
  largest: number;
};

const MISSING = "missing";
const MAX_TEXTS = 8;
/** So many values without effect show that further ones have none either. */
const MIN_LONG_VALUES = 2;
const MIN_SHORT_VALUES = 4;
/** So many pages tell two alternatives apart: among few, values differ by chance. */
const MIN_PAGES = 8;
const MIN_PAGES_EACH = 3;
/** Shorter texts are not cut. */
const UNCUT_LENGTH = 30;

/** Indexes do not count: the values of all entries of a list stand together. */
export const toKey = (path: Path): string =>
  path.map((step) => (typeof step === "number" ? "*" : step)).join("\u001F");

/** Lists the values below `root`, without those of the lists. */
export function listLeaves(root: unknown, lists: ReadonlySet<string>): Leaves {
  const leaves = new Map<string, Scalar[]>();
  const add = (key: string, value: Scalar): void => {
    const known = leaves.get(key);
    if (known === undefined) leaves.set(key, [value]);
    else known.push(value);
  };
  const visit = (value: unknown, path: Path): void => {
    const key = toKey(path);
    if (Array.isArray(value)) {
      add(toKey([...path, "length"]), value.length);
      if (!lists.has(key)) for (const [at, item] of value.entries()) visit(item, [...path, at]);
    } else if (isObject(value)) {
      add(key, true);
      for (const [name, item] of Object.entries(value)) visit(item, [...path, name]);
    } else if (!lists.has(toKey([...path, "lines"]))) add(key, value as Scalar);
  };
  visit(root, []);
  return leaves;
}

export class SeenValues {
  readonly #seen = new Map<string, Seen>();
  #pages = 0;

  copy(): SeenValues {
    const copied = new SeenValues();
    copied.#pages = this.#pages;
    for (const [key, seen] of this.#seen)
      copied.#seen.set(key, {
        ...seen,
        kinds: new Set(seen.kinds),
        texts: new Set(seen.texts),
      });
    return copied;
  }

  add(leaves: Leaves, now: number): void {
    for (const [key, seen] of this.#seen) if (!leaves.has(key)) seen.kinds.add(MISSING);
    for (const [key, values] of leaves) {
      let seen = this.#seen.get(key);
      if (seen === undefined) {
        seen = {
          kinds: new Set(this.#pages > 0 ? [MISSING] : []),
          texts: new Set(),
          longest: 0,
          smallest: Number.POSITIVE_INFINITY,
          largest: Number.NEGATIVE_INFINITY,
        };
        this.#seen.set(key, seen);
      }
      for (const value of values) recordValue(seen, value, now);
    }
    this.#pages += 1;
  }

  isAlways(key: string, kind: string): boolean {
    const kinds = this.#seen.get(key)?.kinds;
    return kinds?.size === 1 && kinds.has(kind);
  }

  /** Returns the first value that could change the page, or undefined. */
  findUnknown(leaves: Leaves, { shown, lists }: Usage, now: number): string | undefined {
    for (const [key, seen] of this.#seen)
      if (!leaves.has(key) && !seen.kinds.has(MISSING) && !isOfList(key, lists)) return key;
    for (const [key, values] of leaves) {
      const seen = this.#seen.get(key);
      if (seen === undefined) return key;
      for (const value of values) if (!isKnown(key, value, seen, shown.has(key), now)) return key;
    }
    return undefined;
  }

  /**
   * True if the values decide for this and against the other: some value tells the two apart, and
   * every value that does agrees.
   */
  isPreferred(other: SeenValues, leaves: Leaves, { lists, shown }: Usage, now: number): boolean {
    const pages = this.#pages + other.#pages;
    if (pages < MIN_PAGES || Math.min(this.#pages, other.#pages) < MIN_PAGES_EACH) return false;
    let isDecided = false;
    for (const key of new Set([...this.#seen.keys(), ...other.#seen.keys()])) {
      if (isOfList(key, lists)) continue;
      const pair = [this.#seen.get(key), other.#seen.get(key)] as const;
      const found = separateValues(key, pair, leaves.get(key), {
        now,
        pages,
        isShown: shown.has(key),
      });
      if (found === "same") continue;
      if (found !== 0) return false;
      isDecided = true;
    }
    return isDecided;
  }
}

function recordValue(seen: Seen, value: Scalar, now: number): void {
  seen.kinds.add(toKind(value, now));
  const text = String(value);
  if (seen.texts.size < MAX_TEXTS) seen.texts.add(text);
  seen.longest = Math.max(seen.longest, text.length);
  if (typeof value === "number") {
    seen.smallest = Math.min(seen.smallest, value);
    seen.largest = Math.max(seen.largest, value);
  }
}

const isOfList = (key: string, lists: ReadonlySet<string>): boolean => {
  for (const list of lists) if (key.startsWith(`${list}\u001F*`)) return true;
  return false;
};

function isKnown(key: string, value: Scalar, seen: Seen, isShown: boolean, now: number): boolean {
  if (!seen.kinds.has(toKind(value, now))) return false;
  const text = String(value);
  if (isQuantity(key, value) && !(value >= seen.smallest && value <= seen.largest)) return false;
  if (isShown) return /<\w/.test(text) || text.length <= Math.max(UNCUT_LENGTH, seen.longest);
  return (
    seen.texts.has(text) || seen.texts.size >= (isLong(value) ? MIN_LONG_VALUES : MIN_SHORT_VALUES)
  );
}

/** Numbers that no page compares with others. */
const IDENTITY =
  /(?:^|[^a-z])(?:ids?|uid|key|hash|version|rev|code|sku|ean|gtin|isbn|zip|phone|page|index|position|path|segments|href)(?:$|[^a-z])|[a-z](?:Id|ID|At|Code|Key|Index)(?:$|[^a-zA-Z])/;

const isQuantity = (key: string, value: Scalar): value is number =>
  typeof value === "number" && !IDENTITY.test(key) && !isTime(value);

/** Ids, dates, addresses and sentences, on which no page decides. */
const isLong = (value: Scalar): boolean =>
  typeof value === "number"
    ? !Number.isInteger(value) || Math.abs(value) >= 10_000
    : typeof value === "string" && (value.length > 24 || /\d/.test(value));

const DAY_MS = 86_400_000;
const AGES: readonly number[] = [-7, -1, 0, 1, 7, 31, 92, 366];
const isTime = (value: number): boolean => Number.isInteger(value) && value > 1e12 && value < 4e12;

function toKind(value: Scalar, now: number): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    if (value.trim() === "") return "empty";
    const time = /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value) ? Date.parse(value) : Number.NaN;
    return Number.isNaN(time) ? "text" : toAge(time, now);
  }
  if (isTime(value)) return toAge(value, now);
  if (value === 0) return "zero";
  if (value === 1) return "one";
  return value < 0 ? "negative" : "number";
}

/** Pages decide by the age of a date: over, today, new. */
function toAge(time: number, now: number): string {
  const days = (now - time) / DAY_MS;
  return `date ${AGES.filter((limit) => days > limit).length}`;
}

function separateValues(
  key: string,
  seen: readonly [Seen | undefined, Seen | undefined],
  values: readonly Scalar[] | undefined,
  { now, pages, isShown }: { now: number; pages: number; isShown: boolean },
): number | "same" | "unclear" {
  const kinds = seen.map((each) => each?.kinds ?? new Set([MISSING]));
  const current = new Set(
    values === undefined ? [MISSING] : values.map((value) => toKind(value, now)),
  );
  if (areDisjoint(kinds)) return pickOne(kinds.map((each) => isSubset(current, each)));
  const [value] = values ?? [];
  const [one, other] = seen;
  if (values?.length !== 1 || one === undefined || other === undefined) return "same";
  const known = [one, other];
  if (isQuantity(key, value)) {
    const ranges = known.map(({ smallest, largest }) => [smallest, largest] as const);
    if (!areDisjointRanges(ranges)) return "same";
    return pickOne(ranges.map(([from, to]) => value >= from && value <= to));
  }
  const isWord = typeof value === "string" && !isLong(value);
  const texts = known.map((each) => each.texts);
  const count = texts.reduce((sum, { size }) => sum + size, 0);
  // Values of an enumeration return.
  if (!isWord || isShown || count * 2 > pages || texts.some(({ size }) => size >= MAX_TEXTS))
    return "same";
  return areDisjoint(texts) ? pickOne(texts.map((each) => each.has(value))) : "same";
}

const pickOne = (fits: readonly boolean[]): number | "unclear" => {
  const at = fits.indexOf(true);
  return at < 0 || fits.lastIndexOf(true) !== at ? "unclear" : at;
};

const isSubset = (part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean => {
  for (const item of part) if (!whole.has(item)) return false;
  return true;
};

function areDisjoint(sets: readonly ReadonlySet<string>[]): boolean {
  const all = new Set<string>();
  for (const set of sets)
    for (const item of set) {
      if (all.has(item)) return false;
      all.add(item);
    }
  return true;
}

function areDisjointRanges(ranges: readonly (readonly [number, number])[]): boolean {
  const sorted = ranges.toSorted(([one], [other]) => one - other);
  return sorted.every(([from], at) => at === 0 || from > (sorted[at - 1]?.[1] ?? from));
}
