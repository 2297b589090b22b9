// Verifies that a model's answer is on the page. Quotes are searched in the text that the model
// saw, ignoring case, punctuation and whitespace; a value must be in its quote. Numbers, units,
// dates and durations are normalized first.
import { resolveCurrency } from "../../../page-model/currency.ts";
import { readNumbers, hasDate, type StatedNumber } from "../../model/stated-values.ts";
import { splitUnit, parseUnit, type Unit } from "../values/measures.ts";
import { toSingularWords } from "../names/names.ts";
import { isNumberOf, listContextWords } from "./number-context.ts";
import { shorten, type Evidence } from "../declared/finding.ts";
import { escape } from "../../../runtime/json-schema/pointer.ts";

/** Keeps letters and digits of any script in lower case, with single spaces between. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

export class PageText {
  readonly written: string;
  readonly lower: string;
  readonly folded: string;
  #numbers: ReadonlyMap<number, readonly StatedNumber[]> | undefined;

  constructor(written: string) {
    this.written = written;
    this.lower = written.toLowerCase();
    this.folded = ` ${foldText(written)} `;
  }

  /** Places of the numbers that could be `amount`, in the property's unit if it has one. */
  numbers(amount: number, unit: Unit | undefined): readonly StatedNumber[] {
    this.#numbers ??= this.#readNumbers();
    const exact = (this.#numbers.get(roundAmount(amount)) ?? []).filter(
      (stated) => unit === undefined || !isOtherUnit(stated, unit),
    );
    const percent = (this.#numbers.get(roundAmount(amount * 100)) ?? []).filter(isPercent);
    const converted =
      unit === undefined
        ? []
        : [...new Set([...this.#numbers.values()].flat())].filter((stated) =>
            isConverted(stated, amount, unit),
          );
    return [...exact, ...percent, ...converted];
  }

  #readNumbers(): Map<number, StatedNumber[]> {
    const found = new Map<number, StatedNumber[]>();
    for (const stated of readNumbers(this.written))
      for (const amount of stated.amounts) {
        const known = found.get(roundAmount(amount));
        if (known === undefined) found.set(roundAmount(amount), [stated]);
        else known.push(stated);
      }
    return found;
  }
}

const roundAmount = (amount: number): number => Number(amount.toPrecision(10));
const isPercent = ({ unit }: StatedNumber): boolean => unit.startsWith("%");

/** A value in another unit: 1.45 kg are not 1.45 g. */
function isOtherUnit({ unit: written }: StatedNumber, unit: Unit): boolean {
  const stated = written === "" ? undefined : parseUnit(written);
  return stated?.dimension === unit.dimension && stated.size !== unit.size;
}

function isConverted(
  { amounts, unit: written }: StatedNumber,
  amount: number,
  unit: Unit,
): boolean {
  const stated = written === "" ? undefined : parseUnit(written);
  return (
    stated?.dimension === unit.dimension &&
    amounts.some(
      (one) => Math.abs((one * stated.size) / unit.size - amount) <= Math.abs(amount) * 1e-6,
    )
  );
}

/** The property that a value is for. */
export type Property = {
  readonly name: string;
  readonly description?: string;
  /** One of a few words that the page need not contain. */
  readonly isEnum?: boolean;
};

/** Returns every scalar value with its pointer. */
export function listLeaves(
  value: unknown,
  pointer = "",
): { readonly pointer: string; readonly value: string | number | boolean }[] {
  if (Array.isArray(value))
    return value.flatMap((item, at) => listLeaves(item, `${pointer}/${at}`));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      listLeaves(inner, `${pointer}/${escape(key)}`),
    );
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [{ pointer, value }]
    : [];
}

/**
 * Finds the value on the page, or a quote that supports it. Without a quote, booleans and enum
 * words are never found, and a number only beside a label, column or sign of its property.
 */
export function findEvidence(
  value: string | number | boolean,
  quote: string | undefined,
  page: PageText,
  property: Property = { name: "" },
): Evidence | undefined {
  const unit = splitUnit(toSingularWords(property.name))?.unit;
  if (quote !== undefined && isIn(quote, page) && supports(quote, value, unit, property))
    return { source: "model", text: shorten(quote) };
  if (typeof value === "boolean" || property.isEnum === true) return undefined;
  if (typeof value === "number") return findNumber(value, unit, page, property);
  if (isShown(value, page)) return { source: "model", text: quoteAround(value, page) };
  const number = /^[-+]?[\d\s.,'’]+$/.test(value) ? parseNumber(value) : undefined;
  return number === undefined ? undefined : findNumber(number, unit, page, property);
}

/** The only number of a text. */
const parseNumber = (text: string): number | undefined => {
  const [only, ...others] = readNumbers(text);
  return others.length === 0 ? only?.amounts[0] : undefined;
};

function findNumber(
  value: number,
  unit: Unit | undefined,
  page: PageText,
  { name, description }: Property,
): Evidence | undefined {
  const words = listContextWords(name, description);
  const place = page
    .numbers(value, unit)
    .find(({ at, end }) => isNumberOf(name, words, page.written, at, end));
  if (place === undefined) return undefined;
  const text = page.written.slice(Math.max(0, place.at - 40), place.end + 40);
  return { source: "model", text: shorten(text.replaceAll(/\s+/g, " ").trim()) };
}

function isIn(text: string, page: PageText): boolean {
  const folded = foldText(text);
  return folded !== "" && page.folded.includes(folded.length < 4 ? ` ${folded} ` : folded);
}

/** True if the text is on the page or, for an address, in a link. */
function isShown(text: string, page: PageText): boolean {
  if (/^https?:\/\//.test(text))
    return (
      page.written.includes(text) || page.written.includes(text.replace(/^https?:\/\/[^/]+/, "("))
    );
  const folded = foldText(text);
  if (folded === "") return false;
  if (page.folded.includes(` ${folded} `)) return true;
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return hasDate(page.written, text);
  return /^[A-Z]{3}$/.test(text) && hasCurrency(text, page);
}

/** A sign of this currency only. `$` is shared. */
function hasCurrency(code: string, { written }: PageText): boolean {
  const signs = written.match(/(?:US|CA?|AU?|NZ|HK|S|R)?\$|\p{Sc}|zł|Kč|Ft|руб|円|元|원/gu) ?? [];
  return [...new Set(signs)].some((sign) => resolveCurrency(sign) === code);
}

/**
 * True if the quote contains the value: a number exactly, a text with most of its words. Booleans
 * and enum words rely on the quote alone.
 */
function supports(
  quote: string,
  value: string | number | boolean,
  unit: Unit | undefined,
  { isEnum = false }: Property,
): boolean {
  if (typeof value === "boolean" || isEnum) return true;
  if (typeof value === "number") return new PageText(quote).numbers(value, unit).length > 0;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value) || /^[^\s@]+@[^\s@]+$/.test(value))
    return quote.toLowerCase().includes(value.toLowerCase());
  if (/^\d{4}-\d{2}-\d{2}/.test(value)) return hasDate(quote, value);
  const said = ` ${foldText(quote)} `;
  const words = foldText(value)
    .split(" ")
    .filter((word) => word !== "");
  const found = words.filter(
    (word) => said.includes(` ${word} `) || (word.length > 3 && said.includes(word)),
  ).length;
  return words.length > 0 && found * 2 >= words.length;
}

function quoteAround(text: string, { written, lower }: PageText): string {
  const at = lower.indexOf(text.toLowerCase());
  if (at === -1) return shorten(text);
  return shorten(
    written
      .slice(Math.max(0, at - 40), at + text.length + 40)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}
