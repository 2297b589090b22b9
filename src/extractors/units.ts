// Numbers with units: conversions between sizes of the same quantity, without rounding.
import { parseNumber } from "../page-model/parse-number.ts";

const MINUTES = /^(?:min|mins|minutes?|minuten?|minut[aiy]?|minutos?|minuti|мин|分|분|m)\.?$/iu;
const HOURS =
  /^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore|ora|godz|godzin[ay]?|ч|час\p{L}{0,2}|時間|시간)\.?$/iu;
/** Factors to the first unit of each row. */
const METRIC: readonly Readonly<Record<string, number>>[] = [
  { mg: 0.001, g: 1, kg: 1_000, t: 1_000_000 },
  { mm: 1, cm: 10, m: 1_000, km: 1_000_000 },
  { ml: 1, cl: 10, dl: 100, l: 1_000 },
];

export const isMinutes = (unit: string): boolean => MINUTES.test(unit);

const MIN_STEM = 3;

/**
 * Same unit: equal but for case and a final dot, or two forms of one word, such as review and
 * reviews.
 */
export function isSameUnit(one: string, other: string): boolean {
  const [left, right] = [one, other].map((unit) => unit.toLowerCase().replace(/\.$/, ""));
  if (left === undefined || right === undefined) return false;
  if (left === right || (isMinutes(left) && isMinutes(right))) return true;
  const stem = Math.min(left.length, right.length, 5);
  return (
    stem >= MIN_STEM &&
    left.slice(0, Math.max(MIN_STEM, stem - 1)) === right.slice(0, Math.max(MIN_STEM, stem - 1))
  );
}

/** Converts an amount to another unit; undefined if the units measure different quantities. */
export function convertUnit(amount: number, from: string, to: string): number | undefined {
  if (isSameUnit(from, to)) return amount;
  const row = METRIC.find((units) => Object.hasOwn(units, from) && Object.hasOwn(units, to));
  const [factor, divisor] = [row?.[from], row?.[to]];
  if (factor === undefined || divisor === undefined) return undefined;
  return Number(((amount * factor) / divisor).toPrecision(12));
}

/** Minutes of a text such as `1 h 45` or `1 godz. 32 min`; undefined for anything else. */
export function toMinutes(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d{1,4}(?:[.,]\d{1,2})?)\s?([\p{L}]{0,9}\.?)/gu)];
  if (parts.length === 0 || parts.length > 2 || text.length > 40) return undefined;
  if (
    parts.reduce((left, [part]) => left.replace(part, ""), text).replaceAll(/[\s,:und]+/g, "") !==
    ""
  )
    return undefined;
  let minutes = 0;
  for (const [at, [, digits = "", unit = ""]] of parts.entries()) {
    const amount = parseNumber(digits);
    if (amount === undefined) return undefined;
    const isRest = at === 1 && unit === "" && HOURS.test(parts[0]?.[2] ?? "");
    if (HOURS.test(unit)) minutes += amount * 60;
    else if (isMinutes(unit) || isRest) minutes += amount;
    else return undefined;
  }
  return minutes;
}

/** Units in descriptions and values, by quantity. */
const KINDS: readonly Readonly<Record<string, RegExp>>[] = [
  {
    "m²": /(?<![\p{L}\d])(?:m2|m²|sqm|sq\.? ?m|square met(?:re|er)s?|quadratmeter|mètres? carrés?|metros? cuadrados?|qm)(?![\p{L}\d])/iu,
    "sq ft": /(?<![\p{L}\d])(?:sq\.? ?ft|ft²|square f(?:ee|oo)t|sqft)(?![\p{L}\d])/iu,
    acre: /(?<![\p{L}\d])acres?(?![\p{L}\d])/iu,
    ha: /(?<![\p{L}\d])(?:ha|hectares?|hektar)(?![\p{L}\d])/iu,
  },
  {
    kg: /(?<![\p{L}\d])(?:kg|kilograms?|kilogramm)(?![\p{L}\d])/iu,
    g: /(?<![\p{L}\d])(?:g|grams?|gramm|grammes?)(?![\p{L}\d])/iu,
    lb: /(?<![\p{L}\d])(?:lbs?|pounds? of weight)(?![\p{L}\d])/iu,
    oz: /(?<![\p{L}\d])(?:oz|ounces?)(?![\p{L}\d])/iu,
  },
  {
    km: /(?<![\p{L}\d])(?:km|kilomet(?:re|er)s?)(?![\p{L}\d])/iu,
    mi: /(?<![\p{L}\d])(?:mi|miles?)(?![\p{L}\d])/iu,
  },
  {
    h: /(?<![\p{L}\d])(?:h|hours?|stunden|heures|horas)(?![\p{L}\d])/iu,
    min: /(?<![\p{L}\d])(?:min|minutes?|minuten|minutos)(?![\p{L}\d])/iu,
    d: /(?<![\p{L}\d])(?:days?|tage|jours|días)(?![\p{L}\d])/iu,
  },
];

/**
 * Returns the unit requested by a description if the value has another unit of the same kind;
 * otherwise undefined.
 */
export function findUnitConflict(description: string, written: string): string | undefined {
  const words = description.replaceAll("_", " ");
  for (const kind of KINDS) {
    const [asked, given] = [words, written].map((text) =>
      Object.entries(kind).flatMap(([unit, pattern]) => (pattern.test(text) ? [unit] : [])),
    );
    const [only] = asked ?? [];
    if (
      only !== undefined &&
      asked?.length === 1 &&
      (given?.length ?? 0) > 0 &&
      !given?.includes(only)
    )
      return only;
  }
  return undefined;
}

const SCALES: readonly (readonly [pattern: RegExp, factor: number])[] = [
  [/^\s?(?:k|tsd\.?|tys\.?|thousand|тыс\.?)(?!\p{L})/iu, 1_000],
  [/^\s?(?:m|mn|mio\.?|mln\.?|millions?|millionen|млн\.?)(?!\p{L})/iu, 1_000_000],
  [/^\s?(?:bn|billions?|mrd\.?|mld\.?|млрд\.?)(?!\p{L})/iu, 1_000_000_000],
];

/** Returns the multiplier of an amount of money: 1.2m, 450k. */
export const readScale = (rest: string): number =>
  SCALES.find(([pattern]) => pattern.test(rest))?.[1] ?? 1;
