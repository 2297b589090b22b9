// Converts a text of the page to the field's type. Undefined if the text does not fit: nothing is
// guessed.
import type { ProgramSource, ScalarType, ValueField } from "../contract/extractors/program.ts";
import { parseDateText } from "../html/metadata/date-text.ts";
import { parseNumber } from "../page-model/parse-number.ts";
import { foldLabel } from "./fold-label.ts";
import { convertUnit, isMinutes, readScale, toMinutes } from "./units.ts";
import type { ExtractorPage } from "./extractor-page.ts";

export type Scalar = string | number | boolean;
type Take = NonNullable<ProgramSource["take"]>;

export const foldBlanks = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const MAX_PARTS = 200;

/**
 * Extracts the parts of a text that `take` selects: one, or all between separators; none if the
 * text lacks them.
 */
export function takeParts(
  text: string,
  take: Take | undefined,
  page: ExtractorPage,
): readonly string[] {
  if (take === undefined) return [text];
  let part = text;
  if (take.after !== undefined) {
    const at = findWords(part, take.after);
    if (at === -1) return [];
    part = part.slice(at + take.after.length);
  }
  if (take.before !== undefined) {
    const at = findWords(part, take.before);
    if (at === -1) return [];
    part = part.slice(0, at);
  }
  if (take.separator === undefined) return readTypedPart(part, take, page);
  const parts = part.split(take.separator, MAX_PARTS);
  if (take.item === undefined) return parts.flatMap((each) => readTypedPart(each, take, page));
  const chosen = parts.at(take.item);
  return chosen === undefined ? [] : readTypedPart(chosen, take, page);
}

function readTypedPart(part: string, { typed }: Take, page: ExtractorPage): readonly string[] {
  if (typed === undefined) return [part.trim()];
  const values = page.model.read(part).filter(({ type }) => type === typed);
  return values.length === 1 ? values.map(({ text }) => text) : [];
}

const isWord = (sign: string | undefined): boolean =>
  sign !== undefined && /[\p{L}\p{N}]/u.test(sign);

/** First position of the words outside longer words. */
function findWords(text: string, words: string): number {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const startsClean = !isWord(words[0]) || !isWord(text[at - 1]);
    const endsClean = !isWord(words.at(-1)) || !isWord(text[at + words.length]);
    if (startsClean && endsClean) return at;
  }
  return -1;
}

export type Conversion = Pick<ValueField, "type" | "format" | "values" | "unit">;

export function convert(
  written: string,
  { type, format, values, unit }: Conversion,
  page: ExtractorPage,
): Scalar | undefined {
  const text = foldBlanks(written);
  if (text === "") return undefined;
  if (values !== undefined) {
    const folded = foldLabel(text);
    for (const [key, value] of Object.entries(values)) if (foldLabel(key) === folded) return value;
    return undefined;
  }
  if (format !== undefined && !hasFormat(text, format, page)) return undefined;
  if (unit === undefined || (type !== "number" && type !== "integer"))
    return toType(text, type, page);
  const amount = toAmount(text, unit, page);
  return type === "integer" && !Number.isInteger(amount) ? undefined : amount;
}

/** Converts a number with a unit. Plain numbers are accepted: their unit may be in a header. */
function toAmount(text: string, unit: string, page: ExtractorPage): number | undefined {
  if (isMinutes(unit)) {
    const minutes = toMinutes(text);
    if (minutes !== undefined) return minutes;
  }
  const number = toNumber(text, page);
  if (number === undefined) return undefined;
  const [typed] = page.model.read(text).filter(({ amount }) => amount !== undefined);
  if (typed?.unit === undefined)
    return typed === undefined && /\p{L}/u.test(text) ? undefined : number;
  return convertUnit(number, typed.unit, unit);
}

function hasFormat(
  text: string,
  format: NonNullable<ValueField["format"]>,
  page: ExtractorPage,
): boolean {
  return page.model
    .read(text)
    .some(({ type, text: found }) => type === format && found.length * 2 >= text.length);
}

function toType(text: string, type: ScalarType, page: ExtractorPage): Scalar | undefined {
  switch (type) {
    case "string":
      return text;
    case "number":
      return toNumber(text, page);
    case "integer": {
      const number = toNumber(text, page);
      return number !== undefined && Number.isInteger(number) ? number : undefined;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : undefined;
    case "date":
      return parseDateText(text, page.model.order);
    case "url":
      return toUrl(text, page);
  }
}

function toUrl(text: string, page: ExtractorPage): string | undefined {
  if (/\s/.test(text) || /^(?:javascript|data):/i.test(text)) return undefined;
  const url = page.resolve(text);
  return url !== undefined && /^(?:https?|mailto|tel|ftp):/i.test(url) ? url : undefined;
}

/** The only number of a text; undefined if it has several. */
export function toNumber(text: string, page: ExtractorPage): number | undefined {
  if (/[½⅓⅔¼¾⅛]/u.test(text)) return undefined;
  const plain = readNumber(text, page);
  if (plain !== undefined) return plain;
  const typed = page.model.read(text).filter(({ amount }) => amount !== undefined);
  const [value] = typed;
  if (typed.length > 1) return undefined;
  if (value?.amount !== undefined) {
    const after = text.slice(value.at + value.text.length);
    // Digits outside the typed value belong to another number.
    if (/\d/.test(text.slice(0, value.at) + after)) return undefined;
    const scale = value.type === "price" ? readScale(after) : 1;
    return scale === 1 ? value.amount : Number((value.amount * scale).toPrecision(12));
  }
  const numbers = [...text.matchAll(/(?<![\p{L}\d.,])[-−+]?\d[\d.,'’\u00A0\u202F]*/gu)];
  return numbers.length === 1
    ? readNumber((numbers[0]?.[0] ?? "").replace(/[.,]$/, ""), page)
    : undefined;
}

/** `1.075` is 1075 in languages that write decimals with a comma, else 1.075. */
function readNumber(text: string, page: ExtractorPage): number | undefined {
  return parseNumber(text, page.model.usesDecimalComma ? "money" : "any");
}
