// Numbers, durations and dates that a text states, normalized: `£184.00` is 184, `1h 52m` is 112
// minutes, `12.4K` is 12400.
import { mayHoldDate, parseDateText } from "../../html/metadata/date-text.ts";
import { parseNumber } from "../../page-model/parse-number.ts";

export type StatedNumber = {
  /** Possible readings of the digits: two if a mark can be decimal or thousands. */
  readonly amounts: readonly number[];
  readonly at: number;
  readonly end: number;
  /** The word or sign behind it, such as a unit. */
  readonly unit: string;
};

const NUMBER =
  /(?<![\d.,\p{L}])([-−+]|\((?=[\d.,\s\p{Sc}]{1,24}\)))?\s?\p{Sc}?\s?(\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:[.,]\d{1,6})?|\d[\d.,'’]{0,24})(?:\s?(million|billion|mio|mrd|k|m|bn)(?![\p{L}\d]))?\s?([\p{L}%°²³µ″"/]{0,16})/giu;
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  mio: 1e6,
  million: 1e6,
  bn: 1e9,
  mrd: 1e9,
  billion: 1e9,
};

/** Numbers of a text in their order, durations among them in minutes and in seconds. */
export function readNumbers(text: string): StatedNumber[] {
  const found: StatedNumber[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const [whole, sign = "", digits = "", scale = "", unit = ""] = match;
    const written = digits.replace(/[.,'’]+$/, "");
    const readings = new Set(
      [
        parseNumber(written, "any"),
        parseNumber(written, "money"),
        parseDecimalComma(written),
      ].filter((one) => one !== undefined),
    );
    const factor = SCALES[scale.toLowerCase()] ?? 1;
    const signs = sign === "" || sign === "+" ? [1] : [-1, 1];
    const amounts = new Set<number>();
    for (const reading of readings)
      for (const each of signs) {
        amounts.add(round(reading * factor * each));
        // "5 m" may be meters.
        if (factor !== 1) amounts.add(reading * each);
      }
    if (amounts.size > 0)
      found.push({
        amounts: [...amounts],
        at: match.index,
        end: match.index + whole.length,
        unit: factor === 1 ? unit : `${scale}${unit}`,
      });
  }
  return [...found, ...readDurations(text)].toSorted((one, other) => one.at - other.at);
}

/** `1,234` as 1.234, for pages with decimal commas. */
const parseDecimalComma = (written: string): number | undefined =>
  /^\d{1,3},\d{3}$/.test(written) ? Number(written.replace(",", ".")) : undefined;

const round = (amount: number): number => Number(amount.toPrecision(12));

const DURATION =
  /(?<![\d:.,])(?:(\d{1,4})\s?(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|ore|ч)\.?(?:\s?,?(?:and|und|et|y|e)?\s?(\d{1,2})\s?(?:m|mins?|minutes?|minuten|minutos?|minuti|мин)?\.?)?|(\d{1,2}):(\d{2})(?::(\d{2}))?|PT(?:(\d{1,4})H)?(?:(\d{1,4})M)?(?:(\d{1,4})S)?)(?![\p{L}\d:])/giu;

function readDurations(text: string): StatedNumber[] {
  return [...text.matchAll(DURATION)].flatMap((match): StatedNumber[] => {
    const [whole, hours, minutes, first, second, third, isoHours, isoMinutes, isoSeconds] = match;
    if (!/\d/.test(whole)) return [];
    const amounts =
      first !== undefined
        ? third === undefined
          ? [60 * Number(first) + Number(second)]
          : [toSeconds(first, second, third), toSeconds(first, second, third) / 60]
        : hours === undefined
          ? [
              toSeconds(isoHours, isoMinutes, isoSeconds),
              toSeconds(isoHours, isoMinutes, isoSeconds) / 60,
            ]
          : [60 * Number(hours) + Number(minutes ?? 0), toSeconds(hours, minutes, "0")];
    const at = match.index;
    return [{ amounts, at, end: at + whole.length, unit: "" }];
  });
}

const toSeconds = (hours = "0", minutes = "0", rest = "0"): number =>
  3_600 * Number(hours) + 60 * Number(minutes) + Number(rest);

const DATE_WINDOW_CHARACTERS = 48;
const MAX_DATES = 2_000;

/** ISO dates in a text; both readings of ambiguous ones. */
export function readDates(text: string): Set<string> {
  const found = new Set<string>();
  let looked = 0;
  for (const { index } of text.matchAll(/(?<!\d)\d{1,4}(?!\d)/g)) {
    looked += 1;
    if (looked > MAX_DATES) break;
    for (const from of [index, Math.max(0, index - 24)]) {
      const part = text.slice(from, from + DATE_WINDOW_CHARACTERS);
      if (!mayHoldDate(part)) continue;
      for (const order of ["day-first", "month-first"] as const) {
        const date = parseDateText(part, order);
        if (date !== undefined) found.add(date.slice(0, 10));
      }
    }
  }
  return found;
}

const MONTH_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "ru", "tr"];
let months: readonly ReadonlySet<string>[] | undefined;

/** Names of the months in many languages, by their number from 0. */
function listMonthNames(): readonly ReadonlySet<string>[] {
  return Array.from({ length: 12 }, (_, month) => {
    const date = new Date(Date.UTC(2026, month, 15));
    const names = MONTH_LANGUAGES.flatMap((language) =>
      (["long", "short"] as const).flatMap((style) => [
        new Intl.DateTimeFormat(language, { month: style, timeZone: "UTC" }).format(date),
        // With a day, some languages decline the name of the month.
        new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" }).format(
          date,
        ),
      ]),
    );
    return new Set(names.flatMap((name) => name.toLowerCase().match(/\p{L}{3,}/gu) ?? []));
  });
}

const YEAR_WINDOW_CHARACTERS = 28;

/** True if a text states an ISO date: its year with day and month beside it, by name or number. */
export function hasDate(text: string, iso: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  months ??= listMonthNames();
  const names = months[Number(month) - 1] ?? new Set<string>();
  for (let at = text.indexOf(year); at !== -1; at = text.indexOf(year, at + year.length)) {
    const near = text
      .slice(Math.max(0, at - YEAR_WINDOW_CHARACTERS), at + year.length + YEAR_WINDOW_CHARACTERS)
      .toLowerCase();
    const numbers = near.match(/\d+/g)?.map(Number) ?? [];
    if (!numbers.includes(Number(day))) continue;
    const words = near.match(/\p{L}{3,}/gu) ?? [];
    if (words.some((word) => names.has(word))) return true;
    if (isNumeric(near, Number(year), Number(month), Number(day))) return true;
  }
  return false;
}

/** A date in numbers in any usual order. */
function isNumeric(text: string, year: number, month: number, day: number): boolean {
  for (const [, first, second, third] of text.matchAll(
    /(?<!\d)(\d{1,4})\s?[./年-]\s?(\d{1,2})\s?[./月-]\s?(\d{1,4})(?!\d)/gu,
  )) {
    const parts = [Number(first), Number(second), Number(third)];
    if (parts[0] === year && parts[1] === month && parts[2] === day) return true;
    if (parts[2] === year && parts[0] === day && parts[1] === month) return true;
    if (parts[2] === year && parts[0] === month && parts[1] === day) return true;
  }
  return false;
}
