// Converts a text of the page to the schema's type: numbers, durations, dates, addresses, enums.
// Never invents a value: returns undefined if it does not fit.
import { toSigned } from "../../../page-model/parse-number.ts";
import { FRACTIONS } from "./fractions.ts";
import { decodeHTML } from "entities";
import { parseDateText, type NumberOrder } from "../../../html/metadata/date-text.ts";
import { readDateRange } from "./partial-dates.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import vocabulary from "./units.json" with { type: "json" };
import { findSameWeekday } from "./weekdays.ts";

export type CoerceContext = {
  /** Makes an address absolute. */
  readonly resolve: (written: string) => string;
  readonly order: NumberOrder;
  /** Returns the ISO date of a text without a year, by other dates of the page. */
  readonly completeDate?: (text: string) => string | undefined;
  /** Words of the property's name. */
  readonly words: readonly string[];
};

type Scalar = string | number | boolean;

/** Returns the value for a scalar shape. */
export function coerceScalar(
  value: Scalar,
  shape: Shape,
  context: CoerceContext,
): Scalar | undefined {
  if (shape.enum !== undefined) return chooseEnum(value, shape.enum);
  switch (shape.kind) {
    case "string":
      return toText(value, shape, context);
    case "number":
      return toNumber(value, shape, context);
    case "integer": {
      const number = toNumber(value, shape, context);
      return number === undefined ? undefined : Number.isInteger(number) ? number : undefined;
    }
    case "boolean":
      return toBoolean(value);
    case "any":
      return typeof value === "string" ? cleanText(value) || undefined : value;
    default:
      return undefined;
  }
}

const MAX_TEXT = 200_000;
const ENTITY = /&(?:[a-z]+|#\d+|#x[\da-f]+);/i;
const TAG = /<\/?[a-z][^<>]*>/i;

/** Returns text without leftover markup. Breaks and blocks become line breaks. */
export function cleanText(value: string): string {
  let text = value.slice(0, MAX_TEXT);
  if (ENTITY.test(text)) text = decodeHTML(text);
  if (TAG.test(text))
    text = decodeHTML(
      text
        .replaceAll(/<(?:script|style)\b[^<]{0,20000}<\/(?:script|style)\s*>/gi, " ")
        .replaceAll(/<\/?(?:p|br|div|li|ul|ol|h[1-6]|tr)\b[^<>]*>/gi, "\n")
        .replaceAll(/<\/?[a-z][^<>]*>/gi, ""),
    );
  return text
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[\n ]*/g, "\n")
    .trim();
}

function toText(value: Scalar, shape: Shape, context: CoerceContext): string | undefined {
  const text = cleanText(String(value));
  if (text === "") return undefined;
  if (shape.format === undefined && ASKS_FOR_CLOCK.test(shape.description)) return toClock(text);
  switch (shape.format) {
    case "date":
      return (
        chooseEndOfRange(text, context) ??
        parseAnyDate(text, context.order)?.slice(0, 10) ??
        context.completeDate?.(text)
      );
    case "date-time":
      return toDateTime(parseAnyDate(text, context.order));
    case "uri":
    case "url":
    case "uri-reference":
      return toAddress(text, context);
    case "email": {
      return /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,20}/.exec(
        text.replace(/^mailto:/i, ""),
      )?.[0];
    }
    case "duration":
      return /^P(?=\d|T\d)/.test(text) ? text : undefined;
    default:
      if (
        context.words.some((word) => ADDRESS_WORDS.has(word)) &&
        /^(?:https?:)?\/{1,2}\S+$/.test(text)
      )
        return toAddress(text, context);
      return formatLikeExample(text, shape.examples) ?? text;
  }
}

const ASKS_FOR_CLOCK = /\bHH:MM\b|\b24[- ]?h(?:our)?s?\b/i;
const CLOCK = /^(\d{1,2})(?:(?:[:.]|\s?h\s?)(\d{2}))?\s?(?:h|uhr)?\s?([ap])?\.?(?:m\.?)?$/i;

/** With minutes, or full hours with their sign: "10:30", "3 pm", "15 Uhr". */
const CLOCKS =
  /(?<![\d:.,])(?:\d{1,2}(?:[:.]|\s?h\s?)\d{2}(?![\d:.,]\d)(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?(?:[ap]\.?m\b\.?|uhr\b))/giu;

/**
 * A time of day in 24 hours, also the only one in a text: "1:15 p.m." is 13:15, "bis 10:30 Uhr"
 * 10:30.
 */
function toClock(text: string): string | undefined {
  const stated = /^\d{4}-\d\d-\d\d[T ](\d\d:\d\d)/.exec(text)?.[1];
  // An hour in UTC is not the one that the page shows.
  if (stated !== undefined) return /(?:Z|[+-]00:?00)$/.test(text) ? undefined : stated;
  const local = text.replaceAll(/(?:UTC|GMT)\s?[+−-]\s?\d{1,2}(?::?\d{2})?/g, " ");
  const clocks = local.match(CLOCKS) ?? [];
  const only = clocks.length === 1 ? clocks[0] : text;
  const [, written = "", minutes = "00", half = ""] = CLOCK.exec(only.trim()) ?? [];
  const hours = Number(written);
  if (written === "" || hours > (half === "" ? 23 : 12) || Number(minutes) > 59) return undefined;
  const shift = half === "" ? hours : (hours % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(shift).padStart(2, "0")}:${minutes}`;
}

const ADDRESS_WORDS = new Set([
  "url",
  "link",
  "image",
  "photo",
  "picture",
  "thumbnail",
  "logo",
  "href",
  "website",
]);

/**
 * Parses dates in the usual publication range, and older ones, such as birthdays, by mapping them
 * to a year of the same length.
 */
function parseAnyDate(text: string, order: NumberOrder): string | undefined {
  const found = parseDateText(text, order);
  const year = /(?<!\d)(1[0-8]\d\d|19[0-8]\d)(?!\d)/.exec(text)?.[1];
  if (found !== undefined || year === undefined) return found;
  const isLeap = new Date(Date.UTC(Number(year), 2, 0)).getUTCDate() === 29;
  const near = isLeap ? "1996" : "1997";
  return parseDateText(text.replace(year, near), order)?.replace(near, year);
}

/** Names of the last day of a range; other dates are its first day. */
const LAST =
  /^(?:end|until|to|till|finish|close|closing|last|through|bis|ende|fin|fine|fim|einde|slut|koniec|konec)$/;

const chooseEndOfRange = (text: string, { order, words }: CoerceContext): string | undefined =>
  readDateRange(text, order)?.[words.some((word) => LAST.test(word)) ? 1 : 0];

/** A date-time needs a time and an offset; a day alone is not enough. */
const toDateTime = (date: string | undefined): string | undefined =>
  date !== undefined && /T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})$/.test(date)
    ? date.replace(/T(\d{2}:\d{2})(?=Z|[+-])/, "T$1:00")
    : undefined;

function toAddress(text: string, { resolve }: CoerceContext): string | undefined {
  if (/\s/.test(text) || text === "#") return undefined;
  const url = URL.parse(resolve(text));
  return url !== null && /^(?:https?|mailto|tel|ftp):$/.test(url.protocol)
    ? resolve(text)
    : undefined;
}

/**
 * Writes a bare number in the form of the schema's example: with "4 servings" as the example, "6"
 * becomes "6 servings". Undefined for other texts and examples, which keep their own noun.
 */
function formatLikeExample(text: string, examples: readonly string[]): string | undefined {
  const unit = /^\d+\s+(\p{L}+)$/u.exec(examples[0] ?? "")?.[1];
  return unit !== undefined && /^\d{1,6}$/.test(text) ? `${text} ${unit}` : undefined;
}

const TIME_UNITS: ReadonlyMap<string, number> = new Map(
  Object.entries(vocabulary.time).flatMap(([unit, names]) =>
    names.map(
      (name) => [name, { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 }[unit] ?? 1] as const,
    ),
  ),
);
const ISO_DURATION =
  /^\s*[+-]?P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?\s*$/i;

/**
 * Returns the seconds of a duration: ISO 8601, "1 hr 20 min", "1½ Stunden", "2:30 h", or the longer
 * end of a range. Returns undefined without a unit.
 */
export function parseDuration(text: string): number | undefined {
  const iso = ISO_DURATION.exec(text);
  if (iso !== null && /\d/.test(text)) {
    const [, days = "0", hours = "0", minutes = "0", seconds = "0"] = iso;
    return Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  }
  if (text.length > 300) return undefined;
  const clock = /(\d{1,2}):(\d{2})\s*(?:h|hrs?|hours?|std|uur|ore)\b/i.exec(text);
  if (clock !== null) return Number(clock[1]) * 3_600 + Number(clock[2]) * 60;
  let total: number | undefined;
  let smallest = Infinity;
  const spans = ungroup(text).replaceAll(/(\d+)\s*(?:[-–]|to|bis|à)\s*(?=\d)/g, "");
  for (const match of spans.matchAll(
    /(\d+(?:[.,]\d+)?)?\s*([½¼¾⅓⅔])?\s*(\p{L}+|[時分日天]+)\.?/gu,
  )) {
    const [, whole, fraction, word = ""] = match;
    if (whole === undefined && fraction === undefined) continue;
    const unit = TIME_UNITS.get(word.toLowerCase()) ?? (/^h\d*$/i.test(word) ? 3_600 : undefined);
    if (unit === undefined) continue;
    // "20 minutes … 40 minutes" are two durations.
    if (unit >= smallest) break;
    smallest = unit;
    const count = Number((whole ?? "0").replace(",", ".")) + (FRACTIONS[fraction ?? ""] ?? 0);
    total = (total ?? 0) + count * unit;
    const minutes =
      unit === 3_600 ? readMinutes(spans.slice(match.index + match[0].length)) : undefined;
    if (minutes !== undefined) return total + minutes * 60;
  }
  return total;
}

/**
 * The minutes behind an hour: "1h30", "1 h 50 avec entracte"; "1 h 50 min" has a unit of its own.
 */
function readMinutes(text: string): number | undefined {
  const [, one] = /^\s*(\d{1,2})(?!\s*[\p{L}\d.,])/u.exec(text) ?? [];
  const [, two, word = ""] = /^\s?(\d{2})\s(\p{L}{3,})/u.exec(text) ?? [];
  const minutes = one ?? (TIME_UNITS.has(word.toLowerCase()) ? undefined : two);
  return minutes === undefined ? undefined : Number(minutes);
}

function toNumber(value: Scalar, shape: Shape, context: CoerceContext): number | undefined {
  if (typeof value === "boolean") return undefined;
  // "–20 %" is a discount of 20.
  const isDiscount = context.words.some((word) => DISCOUNT.test(word));
  if (typeof value === "number") return isDiscount ? Math.abs(value) : value;
  const words = dropPeriods(context.words);
  const unit = findTimeUnit(shape, words);
  const text = cleanText(value);
  if (FREE_OF_CHARGE.test(text))
    return context.words.some((word) => MONEY.has(word)) ? 0 : undefined;
  const calendar = words.map((word) => CALENDAR[word]).find((found) => found !== undefined);
  if (calendar !== undefined && !words.includes("per")) return countTimeUnits(text, calendar);
  if (unit !== undefined) {
    const seconds = parseDuration(text);
    if (seconds !== undefined) return Math.round((seconds / unit) * 100) / 100;
    // A bare number has the requested unit. Generators write "not given" as zero minutes.
    return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
  }
  const number = findFirstNumber(text);
  return isDiscount && number !== undefined ? Math.abs(number) : number;
}

const DISCOUNT = /^(?:discount|saving|rabatt|remise|descuento|sconto|korting)$/;

const QUALIFIER = /^(?:prior|previous|last|current|latest|fiscal|financial|full|reporting)$/;

/** Words without "prior year" and the like, which say when, not how long. */
export const dropPeriods = (words: readonly string[]): readonly string[] =>
  words.filter((word, at) => CALENDAR[word] === undefined || !QUALIFIER.test(words[at - 1] ?? ""));

/** A price of nothing, as a whole text. */
export const FREE_OF_CHARGE =
  /^(?:free(?: of charge| entry| admission)?|kostenlos|kostenfrei|gratis|eintritt frei|gratuit|entrée libre|gratuito|entrada (?:libre|gratuita)|ingresso (?:gratuito|libero)|bezpłatnie|bezpłatny|zdarma|ingyenes|ücretsiz|бесплатно|безкоштовно|無料|免费|免費|무료|مجاني|مجانا|חינם)[.!]?$/iu;
const MONEY: ReadonlySet<string> = new Set(
  "price cost fee rate fare admission ticket entry tuition charge rent preis kosten gebuhr eintritt prix tarif precio coste entrada prezzo costo ingresso preco custo prijs cena koszt oplata poplatek pris retrieval shipping delivery".split(
    " ",
  ),
);

/** Months of the calendar units without a fixed number of days. */
const CALENDAR: Readonly<Record<string, number>> = { month: 1, year: 12 };
const CALENDAR_COUNT =
  /(\d+(?:[.,]\d+)?)\s?(month|monat|mois|mes|year|jahr|an|año|ann|year|month)\p{L}*/giu;

const GROUPED =
  /(?<=(?<![\d.,])\d{1,3})(?:['’\u00A0\u202F](?=\d{3}(?![\d.,]))|,(?=\d{3}\s?(?:days?|weeks?|months?|years?|hours?|minutes?)(?!\p{L}))|\.(?=\d{3}\s?(?:tage?n?|stunden|minuten|monat|jahr|días?|dias?|jours|giorni|dagen))|(?<=^\d{1,3}) (?=\d{3}\s?(?:jours|heures|minutes|mois|ans|dagar|dni|дн)))/giu;

/** "1,000 days", "1.000 Tage" and "1 000 jours" have one number; "12 120 Minuten" may have two. */
const ungroup = (text: string): string => text.replaceAll(GROUPED, "");

/**
 * Returns the number of months or years in a text: "2 years" in months is 24. A bare number is
 * taken as given.
 */
function countTimeUnits(text: string, months: number): number | undefined {
  const counts = [...ungroup(text).slice(0, 200).matchAll(CALENDAR_COUNT)].map(
    ([, count = "", unit = ""]) => {
      const size = /^m/i.test(unit) ? 1 : 12;
      return (Number(count.replace(",", ".")) * size) / months;
    },
  );
  if (counts.length > 0) return new Set(counts).size === 1 ? counts[0] : undefined;
  return /^\d{1,4}$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the seconds per unit of a duration property, by its description and name; minutes if no
 * unit is named.
 */
function findTimeUnit(shape: Shape, words: readonly string[]): number | undefined {
  const said = `${shape.description} ${words.join(" ")}`.toLowerCase();
  const isTime =
    words.some((word) => word === "time" || word === "duration" || TIME_WORDS.test(word)) ||
    /\bin (?:seconds|minutes|hours|days)\b/.test(said);
  if (!isTime) return undefined;
  const named = TIME_WORDS.exec(said)?.[1];
  return { second: 1, minute: 60, min: 60, hour: 3_600, day: 86_400 }[named ?? "minute"];
}

const TIME_WORDS = /\b(second|minute|min|hour|day)s?\b/;

/** Maximum characters of a number. */
const MAX_NUMBER_CHARACTERS = 100;

/** Returns the first number in a text, with either style of thousands and decimal separators. */
export function findFirstNumber(text: string): number | undefined {
  const match = /[-−]?\d[\d.,'’\s\u00A0\u202F]{0,200}/.exec(toSigned(text));
  if (match === null) return undefined;
  let digits = match[0]
    .replace("−", "-")
    .replaceAll(/(?<=\d)['’\s\u00A0\u202F](?=\d{3}(?!\d))/g, "")
    .trim();
  digits = /^[-\d.,]+/.exec(digits)?.[0].replace(/[.,]+$/, "") ?? "";
  if (digits.length > MAX_NUMBER_CHARACTERS) return undefined;
  const comma = digits.lastIndexOf(",");
  const dot = digits.lastIndexOf(".");
  if (comma !== -1 && dot !== -1) {
    digits =
      comma > dot ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", "");
  } else if (comma !== -1) {
    const groups = digits.split(",");
    const isGrouped = groups.slice(1).every((group) => group.length === 3);
    digits = isGrouped ? groups.join("") : groups.length === 2 ? groups.join(".") : "";
  } else if (dot !== -1 && digits.split(".").length > 2) digits = digits.replaceAll(".", "");
  const number = digits === "" ? Number.NaN : Number(digits);
  return Number.isFinite(number) ? number : undefined;
}

const YES =
  /^(?:[✓✔☑]|true|yes|y|ja|oui|s[ií]|in[\s_-]?stock|instock|available|limitedavailability|onlineonly|instoreonly|verfügbar|auf lager|lieferbar|en stock|disponible|disponibile|onlineeventattendancemode|telecommute|remote)(?!\p{L})/iu;
const NO =
  /^(?:[✗✘✕☒×–—-](?=$)|false|no|n|nein|non|out[\s_-]?of[\s_-]?stock|outofstock|soldout|sold out|discontinued|unavailable|not available|ausverkauft|nicht verfügbar|épuisé|agotado|esaurito)(?!\p{L})/iu;

function toBoolean(value: Scalar): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value)
    .replace(/^https?:\/\/schema\.org\//, "")
    .trim();
  if (NO.test(text) || text === "0") return false;
  return YES.test(text) || text === "1" ? true : undefined;
}

function chooseEnum(value: Scalar, allowed: readonly unknown[]): Scalar | undefined {
  const toPlainText = (text: unknown): string =>
    String(text)
      .replace(/^https?:\/\/schema\.org\//, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "");
  const given = toPlainText(value);
  if (given === "") return undefined;
  const scalars = allowed.filter(
    (entry): entry is Scalar => entry !== null && typeof entry !== "object",
  );
  return (
    scalars.find((entry) => toPlainText(entry) === given) ??
    // Matches "Full-time position" for "full-time", but not a word inside another.
    scalars.find(
      (entry) => typeof entry === "string" && entry.length > 2 && hasWords(String(value), entry),
    ) ??
    findSameWeekday(String(value), scalars)
  );
}

function hasWords(text: string, words: string): boolean {
  const fold = (part: string): string =>
    ` ${part
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .join(" ")} `;
  return fold(text).includes(fold(words));
}
