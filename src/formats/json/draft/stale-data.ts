// Tells machine-readable data that the page contradicts, such as the price or the date of an
// earlier version: the page is right, and the rest of that data only counts where it is shown.
import { parseNumber } from "../../../page-model/parse-number.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf, Thing, Value } from "../declared/finding.ts";
import type { Name } from "../names/names.ts";
import { findCurrentPrices } from "../visible/visible-prices.ts";
import { selectPlacesOfType, type VisibleScope } from "../visible/visible-scope.ts";

/** Dates of an event or an offer, which its page shows. */
const SHOWN_DATES: ReadonlySet<string> = new Set(["startDate", "endDate", "validThrough"]);
const PUBLISHING = ["published", "modified"];
/** Properties that stay when prices, dates and places change. */
const LASTING = [
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
const NUMBER = /\d[\d.,'’\u00A0\u202F ]{0,18}\d|\d/g;

export class StaleData {
  readonly #scope: VisibleScope;
  readonly #main: Thing | undefined;
  readonly #title: string;
  #isStale: boolean | undefined;
  #numbers: ReadonlySet<number> | undefined;
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
    const isLasting = LASTING.some((concept) => concepts.has(concept));
    if (isLasting && this.isShown(value)) return false;
    if (evidence.source === "metadata" && PUBLISHING.some((concept) => concepts.has(concept)))
      return !this.isShown(value) && this.#hasOtherStamp();
    if (concepts.has("rating") && this.#isOtherRating(Number(value))) return true;
    this.#isStale ??= this.#main !== undefined && this.#contradicts(this.#main, 0);
    return this.#isStale && !OF_PAGE.some((concept) => concepts.has(concept));
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
    this.#numbers ??= new Set(
      [...this.#scope.model.text.matchAll(NUMBER)].flatMap(([written]) =>
        [parseNumber(written), parseNumber(written, "money")].filter(
          (number) => number !== undefined,
        ),
      ),
    );
    return this.#numbers;
  }
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
