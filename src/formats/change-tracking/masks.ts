// Masks text that changes without an edit: ages, counters, clocks, keys in links. All patterns are
// bounded, so that no page makes them slow.
import { findCounters } from "./counters.ts";
import { CLOCKS, COUNTDOWNS, STAMPS, UNITS } from "./moments.ts";

/** Kind of a difference that is not an edit. */
export type NoiseKind = "whitespace" | "age" | "counter" | "clock" | "link" | "rotation";

export type MaskedLine = {
  /** Without whitespace, with masks in place of volatile text. */
  readonly key: string;
  readonly masks: readonly { readonly kind: NoiseKind; readonly text: string }[];
};

const AMOUNT = String.raw`(?:\d{1,4}|an?|one|a few|few|ein(?:em|er|en)?|un[ae]?|een)`;

const AGES: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:about |over |almost |less than )?${AMOUNT}\s?(?:${UNITS})(?:,? (?:and )?\d{1,2}\s?(?:${UNITS}))? (?:ago|atrás|fa|geleden|назад)(?![\p{L}\d])`,
    "giu",
  ),
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:vor|il y a|hace|há) (?:etwa |über |environ |unos |cerca de )?${AMOUNT}\s?(?:${UNITS})(?![\p{L}\d])`,
    "giu",
  ),
  /\d{1,4}\s?(?:秒|分钟|分鐘|分|小时|小時|時間|天|日|周|週間|か月|ヶ月|个月|個月|年)\s?前/gu,
  /\d{1,4}\s?(?:초|분|시간|일|주|개월|년) ?전/gu,
  /(?<![\p{L}\d])(?:just now|moments? ago|(?:earlier )?today(?: at \d{1,2}:\d{2}(?: ?[ap]m)?)?|yesterday(?: at \d{1,2}:\d{2}(?: ?[ap]m)?)?|gerade eben|gestern|heute|à l[’']instant|hier|aujourd[’']hui|ahora mismo|ayer|hoy|ieri|oggi|gisteren|vandaag|вчера|сегодня|только что|昨天|今天|昨日|今日)(?![\p{L}\d])/giu,
];

/** Versions of assets, such as style.css?v=3; other addresses use the same names for content. */
const ASSET_KEYS =
  /(?<=\.(?:css|m?js|png|jpe?g|gif|webp|avif|svg|ico|woff2?)\?)(?:v|ver|version|rev|build|hash|t|h)=[\w.~%-]{1,100}/giu;

/** Hashes in the names of style sheets and scripts. Pictures are content, and so are their names. */
const ASSET_HASHES =
  /(?<=[\w-][.-])(?=[\da-f]{0,31}\d)[\da-f]{6,40}(?=(?:\.min)?\.(?:css|m?js)(?![\w.]))/giu;

/** Query parameters that change on each visit. */
const LINK_KEYS =
  /(?<=[?&;])(?:amp;)?(?:phpsessid|jsessionid|sid|session(?:_?id)?|_|ts|timestamp|cb|cache(?:bust(?:er)?)?|nocache|rand(?:om)?|nonce|csrf(?:_?token)?|token|utm_[a-z]{1,20}|fbclid|gclid)=[\w.~%-]{1,500}/giu;
const SESSION_PATH = /;jsessionid=[\w.!-]{1,200}/giu;

type Mask = { readonly kind: NoiseKind; readonly patterns: readonly RegExp[] };

const LINKS: Mask = { kind: "link", patterns: [LINK_KEYS, ASSET_KEYS, ASSET_HASHES, SESSION_PATH] };
const TIMES: Mask = { kind: "clock", patterns: [...CLOCKS, ...STAMPS, ...COUNTDOWNS] };
const RELATIVE_TIMES: Mask = { kind: "age", patterns: AGES };

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const GERMAN = ["jan", "feb", "mär", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];
const FRENCH = ["jan", "fév", "mar", "avr", "mai", "jui", "jui", "aoû", "sep", "oct", "nov", "déc"];

const DATES: readonly { readonly pattern: RegExp; readonly order: string }[] = [
  { pattern: /(?<!\d)(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/gu, order: "ymd" },
  { pattern: /(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/gu, order: "dmy" },
  { pattern: /(?<!\d)(\d{1,2})\/(\d{1,2})\/(\d{4})(?!\d)/gu, order: "slashed" },
  {
    pattern: /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?\s(\p{L}{3,10})\.?,?\s(\d{4})(?!\d)/gu,
    order: "dmy",
  },
  {
    pattern: /(?<!\p{L})(\p{L}{3,10})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)/gu,
    order: "mdy",
  },
];
/** Text around today's date: weekday and time. */
const WEEKDAY =
  /(?:(?:mon|tues?|wednes|thurs?|fri|satur|sun|mon|diens|donners|frei|sams|sonn)(?:day|tag)|mittwoch|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|(?<!\p{L})(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim)\.?),?\s*$/iu;
const TIME =
  /^(?:,|T|\s|at|um|à|-|–|\|)*\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:\s?[ap]\.?m\.?)?(?:\s?(?:Z|UTC|GMT|CES?T|[+-]\d{2}:?\d{2}|Uhr))?/iu;

const DAY_MS = 86_400_000;

/**
 * Masks everything volatile in a line. A date counts as the page's clock only if it is the day of
 * the fetch.
 */
export function maskLine(text: string, fetchedAt: number): MaskedLine {
  const masks: { kind: NoiseKind; text: string }[] = [];
  const mask = (line: string, { kind, patterns }: Mask): string =>
    patterns.reduce(
      (left, pattern) =>
        left.replace(pattern, (found) => {
          masks.push({ kind, text: found });
          return `⟨${kind}⟩`;
        }),
      line,
    );
  // Labeled times go first, because one of two stamps may be from today.
  let masked = mask(mask(text, LINKS), TIMES);
  masked = mask(maskToday(masked, fetchedAt, masks), RELATIVE_TIMES);
  return { key: maskCounters(masked, masks).replaceAll(/\s+/g, ""), masks };
}

function maskCounters(text: string, masks: { kind: NoiseKind; text: string }[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of findCounters(text)) {
    masks.push({ kind: "counter", text: text.slice(start, end) });
    parts.push(text.slice(done, start), "⟨counter⟩");
    done = end;
  }
  return done === 0 ? text : parts.join("") + text.slice(done);
}

function maskToday(
  text: string,
  fetchedAt: number,
  masks: { kind: NoiseKind; text: string }[],
): string {
  let masked = text;
  for (const { pattern, order } of DATES) {
    // Joined once at the end, because a line may be as long as a page and contain only dates.
    const parts: string[] = [];
    let done = 0;
    for (const match of masked.matchAll(pattern)) {
      if (match.index < done || !isDay(match, order, fetchedAt)) continue;
      const end = match.index + match[0].length;
      const before = WEEKDAY.exec(masked.slice(Math.max(done, match.index - 16), match.index))?.[0];
      const after = TIME.exec(masked.slice(end, end + 48))?.[0] ?? "";
      const start = match.index - (before?.length ?? 0);
      masks.push({ kind: "clock", text: masked.slice(start, end + after.length) });
      parts.push(masked.slice(done, start), "⟨clock⟩");
      done = end + after.length;
    }
    if (done > 0) masked = parts.join("") + masked.slice(done);
  }
  return masked;
}

/** True if the date is within a day of the fetch, in any time zone. */
function isDay(match: RegExpMatchArray, order: string, fetchedAt: number): boolean {
  const [, one = "", two = "", three = ""] = match;
  const ways =
    order === "ymd"
      ? [[one, two, three]]
      : order === "dmy"
        ? [[three, two, one]]
        : order === "mdy"
          ? [[three, one, two]]
          : [
              [three, two, one],
              [three, one, two],
            ];
  return ways.some(([year = "", month = "", day = ""]) => {
    const at = Date.UTC(Number(year), findMonth(month), Number(day), 12);
    return Math.abs(at - fetchedAt) <= 1.5 * DAY_MS;
  });
}

/** From 0; NaN for other texts. */
function findMonth(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) - 1;
  const short = text.slice(0, 3).toLowerCase();
  for (const names of [MONTHS, GERMAN, FRENCH]) {
    const index = names.indexOf(short);
    if (index !== -1) return index;
  }
  return Number.NaN;
}

const DIGITS = /\d+(?:[.,'’]\d+)*/g;
const VALUE = /[€$£¥₹%]|\b(?:EUR|USD|GBP|CHF|JPY|v(?:ersion)?|release|build)\b/i;

/** Returns the line with masked numbers, equal for lines that differ only in numbers. */
export const stripNumbers = (key: string): string => key.replaceAll(DIGITS, "#");

/**
 * Returns the only whole number of a line if it could be a counter; undefined for prices,
 * percentages, versions and several numbers.
 */
export function readCounter(text: string): number | undefined {
  if (VALUE.test(text)) return undefined;
  const numbers = text.match(DIGITS) ?? [];
  const [only] = numbers;
  if (only === undefined || numbers.length !== 1) return undefined;
  const grouped = /^\d{1,3}(?:[.,'’]\d{3})+$/.test(only);
  if (!grouped && !/^\d+$/.test(only)) return undefined;
  return Number(only.replaceAll(/\D/g, ""));
}
