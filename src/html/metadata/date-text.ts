// Parses dates as pages write them to ISO 8601. A day without a time stays a day; a time keeps its
// offset.

import { readCharCode, measureLength } from "../parse/char-code-at.ts";
import { findOtherDate, isOtherScript, toAsciiDigits } from "./other-scripts.ts";
import monthNames from "./months.json" with { type: "json" };

/** Order of numbers in 3/4/2024: day first (most of the world) or month first (United States). */
export type NumberOrder = "day-first" | "month-first";

const MONTHS: ReadonlyMap<string, number> = new Map(
  monthNames.months.flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
);

const TIME =
  /^[T\s,]{1,3}(?:at\s+|um\s+|à\s+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s{0,2}(Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2})?/i;
const ISO = /(?:^|[^\d])(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/;
const YEAR_FIRST = /(?:^|[^\d])(\d{4})\s?[/.年년]\s?(\d{1,2})\s?[/.月월]\s?(\d{1,2})(?!\d)/;
const DAY_NAME =
  /(?:^|[^\d])(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s\u00a0/-]{1,3}(?:de\s|of\s|d['’])?\s?(\p{L}{3,14})\.?,?[\s\u00a0/-]{0,3}(?:de\s|del\s)?\s?['’]?(\d{4})(?!\d)/gu;
const NAME_DAY =
  /(\p{L}{3,14})\.?[\s\u00a0-]{1,3}(\d{1,2})(?:st|nd|rd|th)?(?:,|\s|-|\.){1,4}(\d{4})(?!\d)/gu;
/** A valid year (see `isYear`). All forms except plain digits contain one. */
const YEAR = /199\d|20\d\d/;
/** Citation style: 2023 Jan 7. */
const YEAR_NAME_DAY = /(?:^|[^\d])(\d{4})\s(\p{L}{3,14})\.?\s(\d{1,2})(?!\d)/u;
const NUMBERS =
  /(?:^|[^\d./-])(\d{1,2})(?:([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})|\s?\|\s?(\d{1,2})\s?\|\s?(\d{4}))(?!\d)/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})(?:[T ]?(\d{2})(\d{2})(\d{2})?Z?)?$/;

/**
 * Finds the first date in a text (up to 300 characters) in many languages and forms, or returns
 * undefined. Returns "2024-11-12", or "2024-11-12T08:30:00+01:00" if there is a time.
 */
export function parseDateText(text: string, order: NumberOrder = "day-first"): string | undefined {
  const given = text.slice(0, 300).trim();
  if (!mayHoldDate(given)) return undefined;
  const other = isOtherScript(given) ? findOtherDate(given) : undefined;
  if (other !== undefined) return toDay(String(other.year), other.month, String(other.day));
  const input = toAsciiDigits(given);
  const digits = parseDigits(input);
  if (digits !== undefined) return digits;
  const named = YEAR.test(input)
    ? (parseIso(input) ?? parseMonthNames(input) ?? parseYearFirst(input) ?? parseCitation(input))
    : undefined;
  return named ?? parseNumbers(input, order);
}

/** True for ASCII digits and those of the scripts in other-scripts.ts. */
export const isDigit = (code: number): boolean =>
  code < 128
    ? code >= 48 && code <= 57
    : (code >= 0x0660 && code <= 0x0669) ||
      (code >= 0x06f0 && code <= 0x06f9) ||
      (code >= 0x0966 && code <= 0x096f) ||
      (code >= 0x0e50 && code <= 0x0e59);

/** Digits of the shortest date: 1/2/24. */
const MIN_DIGITS = 4;

/** True if a text has as many digits as a date. */
export function mayHoldDate(text: string): boolean {
  let digits = 0;
  const length = measureLength(text);
  for (let at = 0; at < length; at++) {
    const code = readCharCode(text, at);
    if (isDigit(code) && ++digits === MIN_DIGITS) return true;
  }
  return false;
}

function parseDigits(input: string): string | undefined {
  if (/^\d{10}(?:\d{3})?$/.test(input)) {
    const time = new Date(Number(input) * (input.length === 10 ? 1_000 : 1));
    return isYear(time.getUTCFullYear()) ? time.toISOString().replace(/\.\d+Z$/, "Z") : undefined;
  }
  const match = COMPACT.exec(input);
  return match === null ? undefined : toDay(match[1], match[2], match[3]);
}

function parseIso(input: string): string | undefined {
  const match = ISO.exec(input);
  if (match === null) return undefined;
  const day = toDay(match[1], match[2], match[3]);
  return day === undefined ? undefined : withTime(day, input.slice(match.index + match[0].length));
}

function parseMonthNames(input: string): string | undefined {
  for (const match of input.matchAll(NAME_DAY)) {
    const day = toDay(match[3], MONTHS.get((match[1] ?? "").toLowerCase()), match[2]);
    if (day !== undefined) return withTime(day, input.slice(match.index + match[0].length));
  }
  for (const match of input.matchAll(DAY_NAME)) {
    const day = toDay(match[3], MONTHS.get((match[2] ?? "").toLowerCase()), match[1]);
    if (day !== undefined) return withTime(day, input.slice(match.index + match[0].length));
  }
  return undefined;
}

function parseYearFirst(input: string): string | undefined {
  const match = YEAR_FIRST.exec(input);
  return match === null ? undefined : toDay(match[1], match[2], match[3]);
}

function parseCitation(input: string): string | undefined {
  const match = YEAR_NAME_DAY.exec(input);
  return match === null
    ? undefined
    : toDay(match[1], MONTHS.get((match[2] ?? "").toLowerCase()), match[3]);
}

function parseNumbers(input: string, order: NumberOrder): string | undefined {
  const match = NUMBERS.exec(input);
  if (match === null) return undefined;
  const [, first, separator, second = match[5], yearText = match[6] ?? ""] = match;
  if (yearText.length === 2 && !isShortDate(match, input)) return undefined;
  const year = yearText.length === 2 ? `20${yearText}` : yearText;
  const monthFirst = order === "month-first" && separator !== ".";
  return monthFirst
    ? (toDay(year, first, second) ?? toDay(year, second, first))
    : (toDay(year, second, first) ?? toDay(year, first, second));
}

/** Text before 6.2.14 that makes it a section or version number. */
const NUMBERED =
  /(?:^|[\s(])(?:v|ver|version|rev|release|rel|section|sect|chapter|ch|table|figure|fig|§)[.:]?\s{0,2}$/i;

/**
 * True if three numbers with a two-digit last one are a date: two digits each if separated by dots,
 * and not in the future.
 */
function isShortDate(match: RegExpExecArray, input: string): boolean {
  const [whole, first = "", separator, second = "", year = ""] = match;
  if (separator === "-" || Number(year) > (new Date().getUTCFullYear() % 100) + 1) return false;
  if (separator !== ".") return true;
  if (first.length < 2 || second.length < 2) return false;
  const start = match.index + whole.length - (first.length + second.length + year.length + 2);
  return !NUMBERED.test(input.slice(0, start));
}

function withTime(day: string, rest: string): string {
  const match = TIME.exec(rest);
  if (match === null) return day;
  const [whole, written = "", minute = "", second = "00", zone = ""] = match;
  const hour = toHour(written, rest.slice(whole.length));
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return day;
  const offset = /^[+-]/.test(zone)
    ? zone.replace(/^(.\d{2}):?(\d{2})$/, "$1:$2")
    : zone === ""
      ? ""
      : "Z";
  return `${day}T${hour.padStart(2, "0")}:${minute}:${second}${offset}`;
}

/** Returns the hour of a day of 24 hours. `after` follows the time: " PM", " a.m.". */
function toHour(written: string, after: string): string {
  const half = /^\s?([ap])\.?m(?!\p{L})/iu.exec(after)?.[1]?.toLowerCase();
  if (half === undefined || Number(written) > 12) return written;
  return String((Number(written) % 12) + (half === "p" ? 12 : 0));
}

function toDay(
  yearText: string | undefined,
  month: string | number | undefined,
  dayText: string | undefined,
): string | undefined {
  const year = Number(yearText);
  const monthNumber = Number(month);
  const day = Number(dayText);
  if (!isYear(year) || !(monthNumber >= 1 && monthNumber <= 12) || !(day >= 1)) return undefined;
  if (day > new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()) return undefined;
  return `${year}-${String(monthNumber).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function isYear(year: number): boolean {
  return year >= 1990 && year <= 2099;
}

/**
 * Returns the date in a URL path (/2024/11/12/, /2024-11-12- or /2024/november/12/), or undefined.
 */
export function parseUrlDate(url: string): string | undefined {
  const match =
    /[/_-](\d{4})([/_-])(\d{1,2})\2(\d{1,2})(?=[/_.-]|$)/.exec(url) ??
    /\/(\d{4})()(\d{2})(\d{2})(?=[/_-])/.exec(url);
  if (match !== null) return toDay(match[1], match[3], match[4]);
  const named = /\/(\d{4})\/([a-z]{3,9})\/(\d{1,2})(?=\/|$)/i.exec(url);
  return named === null
    ? undefined
    : toDay(named[1], MONTHS.get((named[2] ?? "").toLowerCase()), named[3]);
}

/**
 * Returns the number order of a page by language and host: month first only in American English.
 */
export function numberOrder(language: string | undefined, host: string): NumberOrder {
  const tag = (language ?? "en").toLowerCase();
  if (!tag.startsWith("en")) return "day-first";
  if (/^en[-_](?!us)/.test(tag) || /\.(?:uk|au|nz|ie|in|za)$/.test(host)) return "day-first";
  return "month-first";
}
