// Quantities with units: a property that names its unit, such as `net_weight_g`, gets the number in
// that unit or none.
import table from "./measures.json" with { type: "json" };
import { parseNumber, toSigned } from "../../../page-model/parse-number.ts";

export type Unit = {
  /** Physical dimension: length, mass, area … */
  readonly dimension: string;
  /** Size in the dimension's base unit. */
  readonly size: number;
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(table).flatMap(([dimension, units]) =>
    Object.values(units as Readonly<Record<string, readonly (string | number)[]>>).flatMap(
      ([size, ...names]) =>
        names.map((name) => [String(name), { dimension, size: Number(size) }] as const),
    ),
  ),
);

/** The unit that a text of letters and signs means, plurals included. */
export function parseUnit(written: string): Unit | undefined {
  const name = written.trim().toLowerCase().replace(/\.$/, "");
  return UNITS.get(name) ?? UNITS.get(name.replace(/s$/, ""));
}

export type UnitSuffix = {
  readonly unit: Unit;
  /** Words of the property without those of the unit. */
  readonly words: readonly string[];
};

/** The unit at the end of a property's words; longest first, so that `sq ft` is not `ft`. */
export function splitUnit(words: readonly string[]): UnitSuffix | undefined {
  for (const length of [2, 1]) {
    if (words.length <= length || words.at(-length - 1) === "per") continue;
    const [named, rest] = [words.slice(-length), words.slice(0, -length)];
    const unit =
      parseSuffix(named.join(" "), rest) ?? (length > 1 ? parseUnit(named.join("/")) : undefined);
    if (unit !== undefined && !NOT_UNIT_SUFFIXES.has(words.at(-1) ?? ""))
      return { unit, words: rest };
  }
  return undefined;
}

/** The unit of a last word that means another one, or none, behind other words: "f", "mb". */
export function parseSuffix(word: string, before: readonly string[]): Unit | undefined {
  if (word === "f")
    return before.some((each) => TEMPERATURE_WORDS.has(each)) ? parseUnit("°f") : undefined;
  if (word === "pa")
    return before.some((each) => PRESSURE_WORDS.has(each)) ? UNITS.get("pa") : undefined;
  if (word === "mb" && before.some((each) => PRESSURE_WORDS.has(each))) return parseUnit("mbar");
  return parseUnit(word);
}

/** They end names without a unit: "logged in", "vitamin a", "interest pa". */
const NOT_UNIT_SUFFIXES: ReadonlySet<string> = new Set(["in", "a", "t"]);
/** Words of temperatures, before "f" for Fahrenheit. */
const TEMPERATURE_WORDS: ReadonlySet<string> = new Set(
  "temp temperature high low max min maximum minimum feel like dew point heat chill".split(" "),
);
/** Words of pressures, before "mb" for millibar. */
const PRESSURE_WORDS: ReadonlySet<string> = new Set(
  "pressure suction vacuum barometer barometric luftdruck druck pression presion pressione druk tryck".split(
    " ",
  ),
);

const QUANTITY =
  /(?<![\d.,\p{L}])([-−]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)|[-−]?\d[\d.,'’\u00A0\u202F]{0,14})(?:\s|\u00A0)?(sq\.? ?(?:ft|m)|[\p{L}°%％"″℃㎡][\p{L}\d²³/()]{0,12})?/gu;

/**
 * The number of a text in a unit: "1.45 kW" in watts is 1450. Undefined for another dimension and
 * for several numbers; a bare number counts as given in the unit only if `isBareAllowed`.
 */
export function readAmount(
  text: string,
  unit: Unit,
  isBareAllowed: boolean,
  usesDecimalComma = false,
): number | undefined {
  const found: number[] = [];
  const bare: number[] = [];
  // Accounting style: "(4.9)%" is negative.
  const signed = toSigned(text.slice(0, 300)).replace(
    /^\s*\((\d[\d.,]*)\)\s?(?=\D|$)|^\s*\((\d[\d.,]*\s?%)\)\s*$/u,
    "-$1$2",
  );
  for (const [, digits = "", written = ""] of signed.matchAll(QUANTITY)) {
    const amount = parseNumber(digits, usesDecimalComma ? "money" : "any");
    if (amount === undefined) continue;
    const named = written === "" ? undefined : parseWritten(written, unit);
    if (named === undefined) {
      // "150 PS" is in a unit that is not known here.
      if (!/\p{L}/u.test(written)) bare.push(amount);
    } else if (named.dimension === unit.dimension)
      found.push(roundAmount((amount * named.size) / unit.size));
  }
  const different = [...new Set(found)];
  // The same quantity in two units: metric first, the other converted.
  if (
    different.length === 1 ||
    (different.length === 2 && isClose(different[0] ?? 0, different[1] ?? 0))
  )
    return different[0];
  if (different.length > 1) return undefined;
  return isBareAllowed && bare.length === 1 && !/\p{L}{3}/u.test(text) ? bare[0] : undefined;
}

/** "mb" is a millibar where a pressure is asked for. */
const parseWritten = (written: string, { dimension }: Unit): Unit | undefined =>
  parseUnit(dimension === "pressure" && /^mb$/i.test(written) ? "mbar" : written.replace(".", ""));

export const roundAmount = (amount: number): number => Number(amount.toPrecision(12));
const isClose = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.abs(one) * 0.03;

/** Digits, also in groups of three with spaces between: "38 000". */
const NUMBER = String.raw`\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?!\d)|\d[\d.,'’\u00A0\u202F]{0,14}`;
const RANGE = new RegExp(
  String.raw`(?<!\d[ .,]?)(${NUMBER})\s?([kK](?!\p{L}))?\s?[\p{L}\p{Sc}%]{0,6}\s?(?:[-–—~～]|to|bis|à|a|al|hasta)\s?[\p{L}\p{Sc}]{0,4}\s?(${NUMBER})\s?([kK](?!\p{L}))?`,
  "u",
);

const UP_TO_WORDS = String.raw`(?:up to|max(?:imum|\.)?(?: of)?|at most|less than|under|weniger als|unter|moins de|menos de|bis(?: zu)?|höchstens|jusqu['’]à|hasta|máx(?:imo|\.)?|fino a|até|tot|maximaal|do|op til|upp till)`;
/** One end alone: "up to 15", "bis zu 60". */
const UP_TO = new RegExp(String.raw`^${UP_TO_WORDS}\s(\d[\d.,'’\u00A0\u202F]{0,14})(?!\d)`, "iu");
const BEFORE_UPPER = new RegExp(String.raw`(?<!\p{L})${UP_TO_WORDS}\s*$`, "iu");
const BEFORE_LOWER =
  /(?<!\p{L})(?:from|starting at|at least|more than|over|ab|mindestens|mehr als|über|plus de|más de|oltre|meer dan|minstens|dès|od|från|fra|à partir de|au moins|desde|al menos|da|almeno|vanaf|min(?:imum|\.)?)\s*$/iu;

/** The end of a range that a number is, by the text before it: "up to" or "at least". */
export function findBoundBefore(text: string): "low" | "high" | undefined {
  if (BEFORE_UPPER.test(text)) return "high";
  return BEFORE_LOWER.test(text) ? "low" : undefined;
}

/** True for "from" and the like, and nothing else. */
export const isLowerLimit = (text: string): boolean =>
  BEFORE_LOWER.exec(text)?.[0].length === text.length && text !== "";

/**
 * The lower or upper number of the only range in a text: "£5,000 – 8,000", "$95k–120k", "up to 15".
 */
export function parseBound(text: string, bound: "low" | "high"): number | undefined {
  const upTo = UP_TO.exec(text.trim())?.[1];
  if (upTo !== undefined) return bound === "high" ? parseNumber(upTo, "money") : undefined;
  const [, low = "", lowFactor = "", high = "", highFactor = ""] =
    RANGE.exec(text.slice(0, 300)) ?? [];
  const ends = [parseNumber(low, "money"), parseNumber(high, "money")] as const;
  if (ends[0] === undefined || ends[1] === undefined) return undefined;
  // "95–120k": the factor belongs to both.
  const isShared = highFactor !== "" && lowFactor === "" && ends[0] < 1_000;
  const least = lowFactor !== "" || isShared ? ends[0] * 1_000 : ends[0];
  const most = highFactor === "" ? ends[1] : ends[1] * 1_000;
  if (least > most) return undefined;
  return bound === "low" ? least : most;
}

/** True if a text begins with a range instead of one amount. */
export function isRange(text: string): boolean {
  const start = RANGE.exec(text.slice(0, 60))?.index;
  return start !== undefined && start <= MAX_BEFORE_RANGE && parseBound(text, "low") !== undefined;
}

/** Characters of a sign or code of currency. */
const MAX_BEFORE_RANGE = 4;

const NUMBERS =
  /(?<![\d.,\p{L}])([-−+]|\((?=[\d.,\s\p{Sc}]+\)))?\s?\p{Sc}?\s?(\d{1,3}(?:[ \u00A0\u202F]\d{3})+(?:[.,]\d+)?|\d[\d.,'’]*)/gu;

/** All different numbers in a text as written; amounts in brackets alone are negative. */
export function readNumbers(text: string, usesDecimalComma: boolean): number[] {
  const found = new Set<number>();
  const written = toSigned(text.slice(0, 300));
  for (const [, sign = "", digits = ""] of written.matchAll(NUMBERS)) {
    const amount = parseNumber(digits, usesDecimalComma ? "money" : "any");
    if (amount === undefined) continue;
    found.add(sign === "" || sign === "+" ? amount : -amount);
  }
  return [...found];
}
