// Dates that pages write in part: "Sat 9 August" without a year, "18–19 September 2025" as a range.
import { parseDateText, type NumberOrder } from "../../../html/metadata/date-text.ts";
import { findWeekday } from "./weekdays.ts";

/** Longer texts are sentences, whose dates may have any meaning. */
const MAX_TEXT = 60;
const DAY = 86_400_000;
/** Maximum days between a date without a year and the nearest full date of its page. */
const MAX_DISTANCE_WITH_WEEKDAY = 250;
const MAX_DISTANCE = 90;
/** Full dates this close to each other, in days, are about one time. */
const MAX_SPREAD = 60;
/** A weekday with the day of the month is unique within this many days on each side. */
const MAX_DISTANCE_WITHOUT_MONTH = 13;

const DAY_MONTH =
  /(?<![\d.,:/])(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s\u00A0]+(?:de\s|of\s)?(\p{L}{3,14})(?!\p{L})/u;
const MONTH_DAY = /(?<!\p{L})(\p{L}{3,14})\.?[\s\u00A0]+(\d{1,2})(?:st|nd|rd|th)?(?![\d:.,/]*\d)/u;
const NUMBERS = /(?<![\d.,:/-])(\d{1,2})([./])\s?(\d{1,2})(\.?)(?![\d./:])/;
const IDEOGRAPHS = /(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/u;
const DAY_ONLY =
  /^\D{0,16}(\d{1,2})(?:st|nd|rd|th|\.|日)?$|^(\d{1,2})(?:st|nd|rd|th|\.|日)?\D{1,16}$/u;

type MonthDay = { readonly month: number; readonly day: number };

/**
 * Reads the day and month of a text without a year; numbers count only with a weekday or a last
 * dot.
 */
export function readMonthDay(text: string, order: NumberOrder): MonthDay | undefined {
  const written = text.trim();
  if (written.length > MAX_TEXT || /\d{4}/.test(written)) return undefined;
  const [, dayFirst, monthAfter] = DAY_MONTH.exec(written) ?? [];
  const named = toMonthDay(`${dayFirst} ${monthAfter} ${LEAP_YEAR}`, order);
  if (dayFirst !== undefined && named !== undefined) return named;
  const [, monthBefore, dayAfter] = MONTH_DAY.exec(written) ?? [];
  const before = toMonthDay(`${dayAfter} ${monthBefore} ${LEAP_YEAR}`, order);
  if (dayAfter !== undefined && before !== undefined) return before;
  const [, month, day] = IDEOGRAPHS.exec(written) ?? [];
  if (month !== undefined && day !== undefined)
    return toMonthDay(`${LEAP_YEAR}-${month}-${day}`, order);
  const [, first, separator, second, dot] = NUMBERS.exec(written) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const isDate = separator === "." ? dot === "." : findWeekday(written) !== undefined;
  return isDate
    ? toMonthDay(`${first}${separator}${second}${separator}${LEAP_YEAR}`, order)
    : undefined;
}

/** True if a text is a date without a year and at most a weekday: "Sat 9 August", "Mar. 8". */
export function isPartialDate(text: string, order: NumberOrder): boolean {
  const weekday = findWeekday(text);
  if (readMonthDay(text, order) === undefined)
    return weekday !== undefined && DAY_ONLY.test(text.trim());
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const rest = words.filter(
    (word) => findWeekday(word) === undefined && !/^(?:st|nd|rd|th|of|de|the)$/i.test(word),
  );
  return rest.length <= 1;
}

/** A year in which every day of a year exists. */
const LEAP_YEAR = 2024;

function toMonthDay(text: string, order: NumberOrder): MonthDay | undefined {
  const [, month, day] = /^\d{4}-(\d\d)-(\d\d)/.exec(parseDateText(text, order) ?? "") ?? [];
  return month === undefined ? undefined : { month: Number(month), day: Number(day) };
}

/**
 * Returns the ISO date of a text without a year such as "Sat 9 August" or "22.01.", undefined if the
 * year is not certain. `known` are ISO dates that the page shows in full: a weekday selects the year
 * near them; without a weekday, all of them must be about one time, and the date close to it.
 */
export function completeDate(
  text: string,
  known: readonly string[],
  order: NumberOrder,
): string | undefined {
  const times = [...new Set(known)].map((date) => Date.parse(date.slice(0, 10)));
  if (times.length === 0) return undefined;
  const weekday = findWeekday(text);
  const found = readMonthDay(text, order);
  if (found === undefined) return weekday === undefined ? undefined : findDay(text, weekday, times);
  const years = [...new Set(times.map((time) => new Date(time).getUTCFullYear()))];
  const nearby = [...new Set(years.flatMap((year) => [year - 1, year, year + 1]))];
  const dates = nearby
    .map((year) => Date.UTC(year, found.month - 1, found.day))
    .filter((time) => new Date(time).getUTCDate() === found.day);
  const distance = (time: number): number =>
    Math.min(...times.map((each) => Math.abs(each - time))) / DAY;
  if (weekday !== undefined) {
    const fitting = dates.filter(
      (time) =>
        weekday.has(new Date(time).getUTCDay()) && distance(time) <= MAX_DISTANCE_WITH_WEEKDAY,
    );
    // "Mar. 8" is a Tuesday in French, and no day of March.
    return fitting.length === 1 ? toIso(fitting[0]) : findDay(text, weekday, times);
  }
  if ((Math.max(...times) - Math.min(...times)) / DAY > MAX_SPREAD) return undefined;
  const close = dates.filter((time) => distance(time) <= MAX_DISTANCE);
  return close.length === 1 ? toIso(close[0]) : undefined;
}

/** "Mar. 8" on a page that shows "mardi 8 avril 2025". */
function findDay(
  text: string,
  weekday: ReadonlySet<number>,
  times: readonly number[],
): string | undefined {
  const [, last, first] = DAY_ONLY.exec(text.trim()) ?? [];
  const day = last ?? first;
  if (day === undefined) return undefined;
  const fitting = new Set<number>();
  for (const time of times)
    for (let away = -MAX_DISTANCE_WITHOUT_MONTH; away <= MAX_DISTANCE_WITHOUT_MONTH; away += 1) {
      const date = new Date(time + away * DAY);
      if (date.getUTCDate() === Number(day) && weekday.has(date.getUTCDay()))
        fitting.add(date.getTime());
    }
  const [only] = fitting;
  return fitting.size === 1 ? toIso(only) : undefined;
}

const toIso = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString().slice(0, 10);

const DASH = String.raw`\s?(?:[–—-]|to|until|till|bis|au|al|a|tot(?: en met)?|t\/m|do|til|до|～|〜|~)\s?`;
const MONTH = String.raw`(?:de\s|of\s)?\p{L}{3,14}\.?`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|\.)?`;
/** Each has the start, the end and the year of a range: "18–19 September 2025". */
const SAME_MONTH = new RegExp(
  String.raw`(?<![\d.,:/])(\d{1,2})${ORDINAL}${DASH}(\d{1,2})${ORDINAL}[\s\u00A0]+(${MONTH}),?\s(?:de\s|del\s)?(\d{4})(?!\d)`,
  "iu",
);
const MONTH_FIRST = new RegExp(
  String.raw`(?<!\p{L})(\p{L}{3,14})\.?\s(\d{1,2})${ORDINAL}${DASH}(\d{1,2})${ORDINAL},?\s(\d{4})(?!\d)`,
  "iu",
);
const TWO_MONTHS = new RegExp(
  String.raw`(?<![\d.,:/])(\d{1,2}${ORDINAL}\s${MONTH}(?:\s(?:de\s|del\s)?\d{4})?)${DASH}(\d{1,2}${ORDINAL}\s${MONTH},?\s(?:de\s|del\s)?(\d{4}))(?!\d)`,
  "iu",
);
const TWO_MONTHS_FIRST = new RegExp(
  String.raw`(?<!\p{L})(\p{L}{3,14}\.?\s\d{1,2}${ORDINAL}(?:,\s\d{4})?)${DASH}(\p{L}{3,14}\.?\s\d{1,2}${ORDINAL},?\s(\d{4}))(?!\d)`,
  "iu",
);
const TWO_NUMBERS =
  /(?<![\d.,:/-])(\d{1,2}\.\s?(?:\d{1,2}\.(?:\s?\d{4})?)?)\s?(?:[–—-]|bis|do|til)\s?(\d{1,2}\.\s?\d{1,2}\.\s?(\d{4}))(?!\d)/u;

/** Returns the ISO dates of the first and last day of the first range in a text. */
export function readDateRange(
  text: string,
  order: NumberOrder,
): readonly [start: string, end: string] | undefined {
  const written = text.slice(0, 300);
  if (!/\d{4}/.test(written)) return undefined;
  const toDate = (part: string): string | undefined => parseDateText(part, order)?.slice(0, 10);
  const [, first, last, month, year] = SAME_MONTH.exec(written) ?? [];
  const [, name, from, to, ofYear] = MONTH_FIRST.exec(written) ?? [];
  const [, start, end, endYear] =
    TWO_MONTHS.exec(written) ?? TWO_MONTHS_FIRST.exec(written) ?? TWO_NUMBERS.exec(written) ?? [];
  const pairs: readonly (readonly [string, string] | undefined)[] = [
    first && [`${first} ${month} ${year}`, `${last} ${month} ${year}`],
    name && [`${name} ${from}, ${ofYear}`, `${name} ${to}, ${ofYear}`],
    start && end && endYear && [withYear(start, end, endYear), end],
  ].map((pair) => pair as readonly [string, string] | undefined);
  for (const pair of pairs) {
    if (pair === undefined) continue;
    const [opens, closes] = [toDate(pair[0]), toDate(pair[1])];
    if (opens === undefined || closes === undefined) continue;
    if (opens <= closes) return [opens, closes];
    // "28 December – 3 January 2026" starts in the year before.
    const [, before] = /^(\d{4})/.exec(opens) ?? [];
    if (start !== undefined && !/\d{4}/.test(start))
      return [`${Number(before) - 1}${opens.slice(4)}`, closes];
  }
  return undefined;
}

/** "12." and "12.06." take the month and year of "14.06.2026". */
function withYear(start: string, end: string, year: string): string {
  if (/\d{4}/.test(start)) return start;
  const [, month] = /^\d{1,2}\.\s?(\d{1,2})\./.exec(end) ?? [];
  if (/^\d{1,2}\.\s?$/.test(start)) return `${start.trim()}${month}.${year}`;
  return /\d\.\s?$/.test(start) ? `${start.trim()}${year}` : `${start}, ${year}`;
}
