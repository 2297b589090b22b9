// Recognizes short texts whose meaning is certain without a label: a license, a language, a degree,
// a kind of employment, a position, a version, a weekday, a time of day, a duration.
import vocabulary from "./known-values.json" with { type: "json" };
import type { Name } from "../names/names.ts";
import { parseDuration } from "./coerce.ts";
import { isWeekday } from "./weekdays.ts";

export type KnownKind =
  | "license"
  | "language"
  | "degree"
  | "employment type"
  | "job"
  | "version"
  | "weather"
  | "weekday"
  | "time"
  | "duration";

const MAX_TEXT = 80;
const fold = (text: string): string => text.normalize("NFC").trim().toLowerCase();
const toFoldedSet = (words: readonly string[]): ReadonlySet<string> => new Set(words.map(fold));

const LICENSES = toFoldedSet(vocabulary.licenses);
const CODE_LANGUAGES = toFoldedSet(vocabulary["code languages"]);
const EMPLOYMENT = toFoldedSet(vocabulary["employment types"]);
const DEGREES = toFoldedSet(vocabulary.degrees);
const JOBS = toFoldedSet(vocabulary["job titles"]);
/** Scripts without spaces: the position is at the end of the text. */
const JOBS_WITHOUT_SPACES = vocabulary["job titles"].filter((word) =>
  /[\p{Script=Han}\p{Script=Hangul}]/u.test(word),
);

const WEATHER = new RegExp(`^(?:${vocabulary.weather.join("|")})`, "u");
const WEATHER_SIGNS = new RegExp(vocabulary["weather signs"].join("|"), "u");

const LOCALES = "en de fr es it pt nl pl sv da nb fi cs sk hu ro ru uk tr ja zh ko ar".split(" ");
const LANGUAGES =
  "en de fr es it pt nl pl sv da nb no fi cs sk hu ro bg hr sr sl el tr ru uk ar he fa hi bn ta ur ja zh ko vi th id ms sw ca eu gl ga cy is et lv lt sq mk la eo lb mt af".split(
    " ",
  );

let languageNames: ReadonlySet<string> | undefined;

/** Names of languages in the languages of `LOCALES` and in each language itself. */
function listLanguages(): ReadonlySet<string> {
  if (languageNames !== undefined) return languageNames;
  const names = new Set<string>();
  for (const locale of new Set([...LOCALES, ...LANGUAGES])) {
    const display = new Intl.DisplayNames([locale], { type: "language", fallback: "none" });
    const codes = LOCALES.includes(locale) ? LANGUAGES : [locale];
    for (const code of codes) names.add(fold(display.of(code) ?? ""));
  }
  names.delete("");
  languageNames = names;
  return names;
}

/** "9:30", "9.30", "9h30" and, in French, "9 h 30". */
const TIME = String.raw`(?:[01]?\d|2[0-3])(?:[:.]|\s?h\s?)[0-5]\d`;
const CLOCK = new RegExp(
  String.raw`^${TIME}(?:\s?(?:h|hrs?|uhr|uur|u|am|pm|a\.m\.|p\.m\.))?$`,
  "i",
);
const END = String.raw`(${TIME}(?:\s?[ap]\.?m\.?)?)`;
const HOURS = String.raw`(?:\s?(?:h|hrs?|uhr|uur|u))?`;
const CLOCK_RANGE = new RegExp(
  String.raw`^(?:(?:from|between|von|zwischen|de|entre|dalle|desde|das|van|od|fra|från|kl\.?)\s)?${END}${HOURS}\s?(?:[–—-]|\s(?:to|and|bis|und|à|et|alle|a|y|hasta|às|e|tot|do|til|till|og)\s)\s?${END}${HOURS}$`,
  "i",
);
const VERSION =
  /^v?\d{1,4}\.\d{1,4}(?:\.\d{1,6}){0,2}(?:[-.]?(?:alpha|beta|rc|dev|post|pre|a|b)[.-]?\d{0,4})?$/i;
const DURATION = /^(?:\d{1,4}(?:[.,]\d{1,2})?\s?\p{L}{1,12}\.?)(?:\s?\d{1,4}\s?\p{L}{1,12}\.?)?$/u;
const CALENDAR_DURATION =
  /^\d{1,3}(?:[.,]5)?\s(?:weeks?|wochen?|semaines?|semanas?|months?|monate?|mois|mes(?:es)?|mesi|semesters?|semester|years?|jahre?|ans?|años?|anni|anos?|jaar|lata?|år)$/iu;

/** Returns true if the whole text is a value of the kind. */
export function isKnown(kind: KnownKind, text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  const folded = fold(text);
  switch (kind) {
    case "license":
      return LICENSES.has(folded.replace(/\s(?:license|licence|lizenz)$/, ""));
    case "language":
      return CODE_LANGUAGES.has(folded) || listLanguages().has(folded);
    case "degree":
      return DEGREES.has(folded);
    case "employment type":
      return folded.split(/\s*[,/]\s*/).every((part) => EMPLOYMENT.has(part));
    case "job":
      return isJob(folded);
    case "version":
      return VERSION.test(folded);
    case "weather":
      return isWeather(folded);
    case "weekday":
      return isWeekday(folded);
    case "time":
      return CLOCK.test(folded);
    case "duration":
      return (
        CALENDAR_DURATION.test(folded) ||
        (DURATION.test(folded) && parseDuration(folded) !== undefined)
      );
  }
}

/** Short, without digits and signs of a sentence, and with a word for a position. */
function isJob(folded: string): boolean {
  if (folded.length > 60 || /[\d.!?:@]/.test(folded)) return false;
  const words = folded.split(/[^\p{L}\p{M}-]+/u).filter((word) => word !== "");
  if (words.length > 7) return false;
  return (
    words.some((word) => JOBS.has(word)) ||
    JOBS_WITHOUT_SPACES.some((word) => folded.endsWith(word))
  );
}

/** At most six words, one of them for weather: "Sunny intervals", "leichter Regen". */
function isWeather(folded: string): boolean {
  if (/[\d.!?:@]/.test(folded)) return false;
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}]/u.test(folded))
    return folded.length <= 12 && WEATHER_SIGNS.test(folded);
  const words = folded.split(/[^\p{L}\p{M}]+/u).filter((word) => word !== "");
  return words.length <= 6 && words.some((word) => WEATHER.test(word));
}

/**
 * The two ends of a span of time such as "18:00–20:30"; in "1:15–2:45 pm" both are in the
 * afternoon.
 */
export function clockRange(text: string): readonly [string, string] | undefined {
  const [, start, end] = CLOCK_RANGE.exec(text.trim()) ?? [];
  if (start === undefined || end === undefined) return undefined;
  const half = /\s?[ap]\.?m\.?$/i.exec(end)?.[0] ?? "";
  if (half === "" || /m\.?$/i.test(start)) return [start, end];
  // "10:45–1:15 pm" crosses noon.
  const crosses = toMinutes(start) > toMinutes(end) && toMinutes(start) < NOON;
  return [`${start}${crosses ? half.replace("p", "a").replace("P", "A") : half}`, end];
}

const NOON = 12 * 60;

/** Minutes since the last noon or midnight. */
function toMinutes(time: string): number {
  const [, hours = "", minutes = ""] = /^(\d{1,2})(?:[:.]|\s?h\s?)(\d\d)/i.exec(time) ?? [];
  return (Number(hours) % 12) * 60 + Number(minutes);
}

/** "18:30 h" and "18:30 Uhr" are 18:30. */
export const clockIn = (text: string): string =>
  text.trim().replace(/\s?(?:h|hrs?|uhr|uur|u)$/i, "");

const DEGREE_WORDS = wordSet("degree award qualification abschluss diplome grado laurea titulo");
const DAY_WORDS = wordSet("day weekday dag tag wochentag jour dia giorno dzien den");
const TIME_WORDS = wordSet(
  "time hora hour uhrzeit zeit heure ora tid kl depart departs departure abfahrt arrive arrives arrival ankunft",
);
const DURATION_WORDS = wordSet("duration runtime length dauer duree duracion durata minutes");
const WEATHER_WORDS = wordSet("condition sky outlook wetter himmel ciel cielo");
const ROLE_WORDS = wordSet("role position funktion fonction cargo puesto ruolo stanowisko funkce");

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

/** Heads of names that are no times: `departure_platform`. */
const PLACE =
  /^(?:platform|track|gate|station|stop|place|city|town|airport|terminal|port|location|gleis|bahnsteig|ort|bahnhof|voie|quai|gare|anden|via|binario|date|day|zone|delay|id|code|number|name)$/;

/** The kind of values a property asks for; undefined for most properties. */
export function findKnownKind({ words, concepts }: Name, isNumber: boolean): KnownKind | undefined {
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (isNumber) return concepts.has("duration") || has(DURATION_WORDS) ? "duration" : undefined;
  if (concepts.has("weather") || WEATHER_WORDS.has(words.at(-1) ?? "")) return "weather";
  if (concepts.has("license")) return "license";
  if (concepts.has("language")) return "language";
  if (concepts.has("version")) return "version";
  if (
    concepts.has("employment type") ||
    /^(?:type|contract|contrat|contrato)$/.test(words.join(" "))
  )
    return "employment type";
  if (concepts.has("job") || has(ROLE_WORDS)) return "job";
  if (has(DEGREE_WORDS)) return "degree";
  if (words.length === 1 && has(DAY_WORDS)) return "weekday";
  // `time` alone may be that of a recipe, too; its value shows which.
  const isTime = concepts.has("time of day") || !concepts.has("total time");
  if (has(TIME_WORDS) && isTime && !PLACE.test(words.at(-1) ?? "")) return "time";
  if (OPENING.test(words.join(" "))) return "time";
  return concepts.has("duration") ? "duration" : undefined;
}

/** `opens`, `closing_time`. */
const OPENING = /^(?:open|opening|close|closing)(?: time| at)?$/;
