// Dates in Arabic, Hebrew, Persian, Hindi and Thai: their digits, month names and calendars.
import names from "./other-scripts.json" with { type: "json" };

const toMap = (months: readonly (readonly string[])[]): ReadonlyMap<string, number> =>
  new Map(months.flatMap((spellings, at) => spellings.map((name) => [name, at + 1] as const)));
const MONTHS = toMap(names.months);
const JALALI = toMap(names.jalali);

/** Digits of the scripts, as ranges of ten from these characters. */
const ZEROS = [0x0660, 0x06f0, 0x0966, 0x0e50];
const DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u0e50-\u0e59]/g;
const PERSIAN_DIGIT = /[\u06f0-\u06f9]/;
/** Letters or digits of the scripts. */
const OTHER_SCRIPT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Thai}]/u;
/** Marks of direction, and the character that joins nothing. */
const MARKS = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Writes the digits of other scripts as ASCII digits. */
export const toAsciiDigits = (text: string): string =>
  text.replace(DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? 0));
  });

/** True for texts in one of these scripts. */
export const isOtherScript = (text: string): boolean => OTHER_SCRIPT.test(text);

/** Day, month of one or two words, year. The year may follow an era: "พ.ศ. 2567". */
const DAY_MONTH_YEAR =
  /(?<!\d)(\d{1,2})[\s־-]{1,3}(?:ב|من )?([\p{L}\p{M}./]{2,20}(?: [\p{L}\p{M}]{3,8})?)[\s,،]{1,3}(?:พ\.ศ\.\s?|ค\.ศ\.\s?|سال )?(\d{4})(?!\d)/gu;
const MONTH_DAY_YEAR =
  /([\p{L}\p{M}./]{2,20}(?: [\p{L}\p{M}]{3,8})?)\s(\d{1,2})[\s,،]{1,3}(\d{4})(?!\d)/gu;
const YEAR_FIRST = /(?<!\d)(1[34]\d\d)[/-](\d{1,2})[/-](\d{1,2})(?!\d)/;

export type Day = { readonly year: number; readonly month: number; readonly day: number };

/** Finds the first date of a text in one of these scripts. */
export function findOtherDate(text: string): Day | undefined {
  const input = toAsciiDigits(text.replace(MARKS, ""));
  for (const [, day, name = "", year] of input.matchAll(DAY_MONTH_YEAR)) {
    const found = toDate(Number(year), name, Number(day));
    if (found !== undefined) return found;
  }
  for (const [, name = "", day, year] of input.matchAll(MONTH_DAY_YEAR)) {
    const found = toDate(Number(year), name, Number(day));
    if (found !== undefined) return found;
  }
  const numbers = PERSIAN_DIGIT.test(text) ? YEAR_FIRST.exec(input) : null;
  return numbers === null
    ? undefined
    : convertJalali(Number(numbers[1]), Number(numbers[2]), Number(numbers[3]));
}

/** Difference between the Thai Buddhist and the common year, and the years that are accepted. */
const BUDDHIST_YEAR_OFFSET = 543;
const MIN_BUDDHIST = 2533;

function toDate(year: number, name: string, day: number): Day | undefined {
  const jalali = findMonth(JALALI, name);
  if (jalali !== undefined && year < 1500) return convertJalali(year, jalali, day);
  const month = findMonth(MONTHS, name);
  if (month === undefined) return undefined;
  return { year: year >= MIN_BUDDHIST ? year - BUDDHIST_YEAR_OFFSET : year, month, day };
}

/** A name may be followed by another word or name, and a Hebrew name may have the prefix "in". */
function findMonth(months: ReadonlyMap<string, number>, name: string): number | undefined {
  const whole = months.get(name);
  if (whole !== undefined) return whole;
  const [first = ""] = name.split(/[ /]/);
  return months.get(first) ?? (first.startsWith("ב") ? months.get(first.slice(1)) : undefined);
}

/** Years of a leap cycle, and days before a year and month of the Persian calendar. */
const LEAP_CYCLE_YEARS = 33;
const DAY_MS = 86_400_000;
/** 1 Farvardin 1375 was 20 March 1996, the first year of a cycle of eight leap years. */
const EPOCH = { year: 1375, ms: Date.UTC(1996, 2, 20) };
/** Leap years of the cycle that starts in the epoch's year. */
const LEAPS = [0, 4, 8, 12, 16, 20, 24, 28];

const isLeap = (year: number): boolean =>
  LEAPS.includes((((year - EPOCH.year) % LEAP_CYCLE_YEARS) + LEAP_CYCLE_YEARS) % LEAP_CYCLE_YEARS);

/** Converts a day of the Persian calendar of 1343 to 1474. */
function convertJalali(year: number, month: number, day: number): Day | undefined {
  if (year < 1343 || year > 1474 || month < 1 || month > 12 || day < 1) return undefined;
  if (day > (month <= 6 ? 31 : 30) || (month === 12 && day === 30 && !isLeap(year)))
    return undefined;
  let days = 0;
  for (let at = EPOCH.year; at < year; at++) days += isLeap(at) ? 366 : 365;
  for (let at = year; at < EPOCH.year; at++) days -= isLeap(at) ? 366 : 365;
  days += month <= 7 ? (month - 1) * 31 : 186 + (month - 7) * 30;
  const date = new Date(EPOCH.ms + (days + day - 1) * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
