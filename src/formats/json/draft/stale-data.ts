// Detects machine-readable data that the page contradicts, such as the price or the date of an
// earlier version: the page is right, and the rest of that data only counts where it is shown.
import { parseNumber } from "../../../page-model/parse-number.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf, Thing, Value } from "../declared/finding.ts";
import { parseName, type Name } from "../names/names.ts";
import { findCurrentPrices } from "../visible/visible-prices.ts";
import { selectPlacesOfType, type VisibleScope } from "../visible/visible-scope.ts";

/** Dates of an event or an offer, which its page shows. */
const SHOWN_DATES: ReadonlySet<string> = new Set(["startDate", "endDate", "validThrough"]);
const PUBLISHING = ["published", "modified"];
/** Properties that stay when prices, dates and places change. */
const STABLE_CONCEPTS = [
  "name",
  "brand",
  "sku",
  "gtin",
  "mpn",
  "isbn",
  "company",
  "organizer",
  "author",
  "publisher",
  "currency",
  "list price",
];
/** Properties of the page itself. */
const OF_PAGE = ["url", "image", "images", "logo", "language", "site"];
/** Characters of a text that is a stamp: "Published on 21 November 2025". */
const MAX_STAMP = 60;
/** More stamps belong to comments or other items. */
const MAX_STAMPS = 3;
/** Characters beside a price that is a text of its own: a unit, a badge. */
const MAX_BESIDE = 12;
/** Characters between the heading and the price of its item. */
const MAX_BELOW_HEADING = 1_500;
const MAX_DEPTH = 3;
/** Characters of a line with a labeled date. */
const MAX_LABELED_STAMP = 120;
const VERSION = /\d+(?:\.\d+){1,3}/g;
/** Numbers of the data that must be missing on the page. */
const MIN_MISSING = 2;
/** Smaller numbers occur on every page, so they prove nothing. */
export const MIN_SPECIFIC_NUMBER = 10;
/** Words and signs beside numbers of the same kind. */
const COUNTED =
  /\d[\d.,]*\)?\s?(?:\p{L}+\s)?(?:reviews?|ratings?|votes?|bewertungen|avis|notes|opinion|opini|recension|valora|avalia|beoordel|ocen|hodnocen|отзыв|件|レビュー|条评|則評|개|omdöme|anmeld|yorum)/iu;
const MINUTES = /\d\s?(?:min|m\b|h\b|std|ч|分|분|dk)/iu;
const ENERGY = /\d\s?(?:k?cal|kj)\b/iu;
/** Properties with numbers that pages show, and how pages write such numbers. */
const FACTS: Readonly<Record<string, RegExp>> = {
  ratingCount: COUNTED,
  reviewCount: COUNTED,
  prepTime: MINUTES,
  cookTime: MINUTES,
  totalTime: MINUTES,
  calories: ENERGY,
};
const RATING_ONLY: Readonly<Record<string, RegExp>> = { ratingValue: /./ };
/** "4.2", but not "4.25" and "1.234". */
const DECIMAL = /(?<![\d.,])\d[.,]\d(?![\d.,])/;
/** Properties whose things have such numbers. */
const PARTS: ReadonlySet<string> = new Set("aggregateRating nutrition".split(" "));
const DURATION = /^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?/;
/** A number without a measure behind it. */
const FREE_NUMBER =
  /(?<![\d.,])\d[\d.,'’\u00A0\u202F]{0,18}(?![\d.,'’])(?!\s?(?:[cmk]?m|inch|in|k?g|mg|oz|lb|m?l|cl|dl|°[CF]?|%)(?![\p{L}\d]))/gu;
const NUMBER = /\d[\d.,'’\u00A0\u202F ]{0,18}\d|\d/g;

export class StaleData {
  readonly #scope: VisibleScope;
  readonly #main: Thing | undefined;
  readonly #title: string;
  #isStale: boolean | undefined;
  #numbers: ReadonlySet<number> | undefined;
  #freeNumbers: ReadonlySet<number> | undefined;
  #dates: ReadonlySet<string> | undefined;
  #text: string | undefined;

  /** `main` is the thing that the page is about, `title` the page's own title. */
  constructor(scope: VisibleScope, main: Thing | undefined, title: string) {
    this.#scope = scope;
    this.#main = main;
    this.#title = title;
  }

  /** True if the page shows another value for a property, or contradicts its data elsewhere. */
  rejects({ value, evidence }: Leaf, { concepts }: Name): boolean {
    if (evidence.source !== "json-ld" && evidence.source !== "metadata") return false;
    const isStable = STABLE_CONCEPTS.some((concept) => concepts.has(concept));
    if (isStable && this.isShown(value)) return false;
    if (PUBLISHING.some((concept) => concepts.has(concept)) && !this.isShown(value)) {
      const isContradicted =
        evidence.source === "metadata" ? this.#hasOtherStamp() : this.#hasLabeledStamp(concepts);
      if (isContradicted) return true;
    }
    if (concepts.has("rating") && this.#isOtherRating(Number(value))) return true;
    return this.isStale() && !OF_PAGE.some((concept) => concepts.has(concept));
  }

  /** True if the page contradicts what its data says of the main thing. */
  isStale(): boolean {
    this.#isStale ??= this.#main !== undefined && this.#isOutdated(this.#main);
    return this.#isStale;
  }

  /** True if the page has the value in its text; addresses and long texts count as shown. */
  isShown(value: Leaf["value"]): boolean {
    if (typeof value === "boolean") return true;
    const text = String(value).trim();
    const number = parseNumber(text);
    if (number !== undefined) return this.#listNumbers().has(number);
    if (/^\d{4}-\d{2}-\d{2}/.test(text)) return this.#listDates().has(text.slice(0, 10));
    if (text.length > 200 || /^(?:https?:|\/)/.test(text)) return true;
    const folded = fold(text);
    this.#text ??= fold(`${this.#title} ${this.#scope.model.text}`);
    return folded === "" || this.#text.includes(folded);
  }

  #isOutdated(main: Thing): boolean {
    return this.#contradicts(main, 0) || this.#isOtherVersion(main) || this.#lacksNumbers(main);
  }

  /** True if the title or heading has another version number. */
  #isOtherVersion({ fields }: Thing): boolean {
    const { model } = this.#scope;
    const heading = model.heading === undefined ? "" : model.lineOf(model.heading);
    const named: readonly string[] = `${this.#title} ${heading}`.match(VERSION) ?? [];
    const declared = (fields.get("softwareVersion") ?? []).flatMap((value) =>
      value.kind === "leaf" ? [String(value.value).replace(/^v/i, "")] : [],
    );
    return named.length > 0 && declared.length > 0 && !declared.some((one) => named.includes(one));
  }

  /**
   * True if the page shows numbers of at least two kinds (ratings, counts of reviews, minutes,
   * calories) and none of those that the data has.
   */
  #lacksNumbers(main: Thing): boolean {
    const { text } = this.#scope.model;
    const facts = listFacts(main, 0).filter(
      ({ kind, ways }) =>
        kind.test(text) &&
        ways.length === 1 &&
        ways.every((number) => number >= MIN_SPECIFIC_NUMBER),
    );
    const kinds = [...Map.groupBy(facts, ({ kind }) => kind).values()];
    const lacking = kinds.filter(
      (ofKind) => !ofKind.some(({ ways }) => ways.some((number) => this.#isNumberShown(number))),
    ).length;
    const [rating] = listFacts(main, 0, RATING_ONLY);
    const isOtherRating = rating !== undefined && this.#showsOtherRatings(rating.ways[0] ?? 0);
    const missing = lacking + (isOtherRating ? 1 : 0);
    return missing >= MIN_MISSING && missing > kinds.length - lacking;
  }

  /** True if the page has the number, also rounded; "38 cm" is no count of ratings. */
  #isNumberShown(number: number): boolean {
    const numbers = this.#listFreeNumbers();
    return [number, Math.round(number), Math.floor(number)].some((each) => numbers.has(each));
  }

  /** True if the page shows ratings, but not this one. */
  #showsOtherRatings(rating: number): boolean {
    const shown = selectPlacesOfType(this.#scope, "rating").map(({ value }) => value.amount ?? 0);
    const isWritten =
      !Number.isInteger(rating) ||
      new RegExp(`(?<![\\d.,])${rating}[.,]0`).test(this.#scope.model.text);
    const isShown = shown.includes(rating) || (isWritten && this.#listNumbers().has(rating));
    return !isShown && (shown.length > 0 || DECIMAL.test(this.#scope.model.text));
  }

  #contradicts(thing: Thing, depth: number): boolean {
    return [...thing.fields].some(([key, values]) =>
      values.some((value) => this.#contradictsField(key, value, depth)),
    );
  }

  #contradictsField(key: string, value: Value, depth: number): boolean {
    if (value.kind === "thing")
      return depth < MAX_DEPTH && key === "offers" && this.#contradicts(value, depth + 1);
    if (SHOWN_DATES.has(key)) return this.#listDates().size > 0 && !this.isShown(value.value);
    const number = parseNumber(String(value.value));
    if (number === undefined) return false;
    return key === "price" && this.#isOtherPrice(number);
  }

  #isOtherPrice(price: number): boolean {
    const { model } = this.#scope;
    const { heading } = model;
    if (heading === undefined) return false;
    // A price in a sentence, such as a review, is not shown as one.
    const shown = model.nodes
      .filter(({ parent }) => parent === -1)
      .flatMap((root) => model.pieces(root))
      .flatMap((piece) =>
        model
          .typedValues(piece)
          .filter(
            ({ type, text }) =>
              type === "price" && model.lineOf(piece).length <= text.length + MAX_BESIDE,
          )
          .map(({ amount }) => amount),
      );
    if (shown.includes(price)) return false;
    const current = findCurrentPrices(this.#scope);
    const [first] = current;
    // Once, it may be a price with something added, such as shipping; far away, that of another item.
    const amount = first?.value.amount;
    return (
      first !== undefined &&
      first.node.from >= heading.to &&
      first.node.from - heading.to <= MAX_BELOW_HEADING &&
      shown.filter((each) => each === amount).length >= 2 &&
      current.every(({ value }) => value.amount === amount)
    );
  }

  #isOtherRating(rating: number): boolean {
    const shown = new Set(
      selectPlacesOfType(this.#scope, "rating").map(({ value }) => value.amount),
    );
    const [only] = shown;
    return shown.size === 1 && only !== undefined && Math.abs(only - rating) >= 0.1 - 1e-9;
  }

  /** True if the page has a few stamps and thus shows when it was published. */
  #hasOtherStamp(): boolean {
    const stamps = selectPlacesOfType(this.#scope, "date").filter(
      ({ node }) => node.to - node.from <= MAX_STAMP,
    );
    return stamps.length > 0 && stamps.length <= MAX_STAMPS;
  }

  /** True if the page shows a date of publishing or change: "Published on 23 April 2026". */
  #hasLabeledStamp(concepts: ReadonlySet<string>): boolean {
    const wanted = PUBLISHING.filter((concept) => concepts.has(concept));
    return selectPlacesOfType(this.#scope, "date").some(({ node, value }) => {
      const { model } = this.#scope;
      const around = [node, model.parent(node)].filter((one) => one !== undefined);
      const line = around
        .map((one) => model.lineOf(one))
        .findLast((text) => text.length <= MAX_LABELED_STAMP);
      if (line === undefined) return false;
      const before = line.slice(0, Math.max(0, line.indexOf(value.text))).split(/[·|•–—:]/);
      const label = parseName(before.findLast((part) => part.trim() !== "") ?? "");
      return wanted.some((concept) => label.concepts.has(concept));
    });
  }

  #listDates(): ReadonlySet<string> {
    this.#dates ??= new Set(
      selectPlacesOfType(this.#scope, "date").flatMap(({ value, node }) => [
        (value.unit ?? "").slice(0, 10),
        (node.element.attribs["datetime"] ?? "").slice(0, 10),
      ]),
    );
    return this.#dates;
  }

  #listNumbers(): ReadonlySet<number> {
    return (this.#numbers ??= readNumbers(this.#scope.model.text, NUMBER));
  }

  #listFreeNumbers(): ReadonlySet<number> {
    return (this.#freeNumbers ??= readNumbers(this.#scope.model.text, FREE_NUMBER));
  }
}

const readNumbers = (text: string, pattern: RegExp): ReadonlySet<number> =>
  new Set(
    [...text.matchAll(pattern)].flatMap(([written]) =>
      [parseNumber(written), parseNumber(written, "money")].filter(
        (number) => number !== undefined,
      ),
    ),
  );

type Fact = { readonly kind: RegExp; readonly ways: readonly number[] };

/** The numbers of each such property; a duration has its minutes and its hours with minutes. */
function listFacts(thing: Thing, depth: number, kinds = FACTS): Fact[] {
  return [...thing.fields].flatMap(([key, values]) =>
    values.flatMap((value): Fact[] => {
      if (value.kind === "thing")
        return PARTS.has(key) && depth < MAX_DEPTH ? listFacts(value, depth + 1, kinds) : [];
      const kind = kinds[key];
      const ways = kind === undefined ? [] : toNumbers(String(value.value));
      return kind === undefined || ways.length === 0 ? [] : [{ kind, ways }];
    }),
  );
}

function toNumbers(text: string): number[] {
  if (/^P\w*\d/.test(text)) {
    const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(text) ?? [];
    const all = (Number(days) * 24 + Number(hours)) * 60 + Number(minutes);
    const whole = Number(days) * 24 + Number(hours);
    return [all, ...(whole > 0 ? [whole] : [])];
  }
  const number = parseNumber(/\d[\d.,]*/.exec(text)?.[0] ?? "");
  return number === undefined || number === 0 ? [] : [number];
}

const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** True if two values of one property contradict each other; one text in the other does not. */
export function differ(one: unknown, other: unknown, { format }: Shape): boolean {
  if (typeof one !== "string" || typeof other !== "string") return one !== other;
  if (format === "date" || format === "date-time") return one.slice(0, 10) !== other.slice(0, 10);
  const [short, long] = [fold(one), fold(other)].toSorted((a, b) => a.length - b.length);
  return short === undefined || long === undefined || !long.includes(short);
}

/** True if one of two names has at least half of the words of the other. */
export function areSimilar(one: unknown, other: unknown): boolean {
  const [words, others] = [one, other].map((name) => new Set(fold(String(name)).split(" ")));
  if (words === undefined || others === undefined) return false;
  const shared = [...words].filter((word) => others.has(word)).length;
  return shared * 2 >= Math.min(words.size, others.size);
}
