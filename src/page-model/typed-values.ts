// Values whose type is visible in their notation: prices, dates, e-mail addresses, phone numbers,
// ratings, counts.
import { mayHoldDate, parseDateText, type NumberOrder } from "../html/metadata/date-text.ts";
import { CURRENCY_CODES, resolveCurrency } from "./currency.ts";
import { parseNumber, toSigned } from "./parse-number.ts";

export type ValueType =
  | "price"
  | "date"
  | "email"
  | "phone"
  | "rating"
  | "percent"
  | "quantity"
  | "number";

export type TypedValue = {
  readonly type: ValueType;
  /** The words of the page. */
  readonly text: string;
  /** Offset in the text that was read. */
  readonly at: number;
  /** The amount, where the type has one. */
  readonly amount?: number;
  /**
   * ISO 4217 code of a price (none where several countries use its sign and the page does not say
   * which), the unit or counted noun of a quantity, the ISO date of a date.
   */
  readonly unit?: string;
  /** Best possible rating, if stated. */
  readonly best?: number;
};

/** Longer texts are prose: only their beginning is read. */
const MAX_TEXT = 2_000;
const MAX_VALUES = 24;

const CODES = CURRENCY_CODES.join("|");
/** Returns the code of a price's sign or code; undefined if it is not certain. */
type CurrencyReader = (mark: string) => string | undefined;

/** One code alone: several are a menu. */
const CODE_AFTER = new RegExp(
  String.raw`^[\s\u00A0\u202F]{0,2}(${CODES})(?![A-Za-z]|\s(?:${CODES}))`,
);
const CODE_BEFORE = new RegExp(String.raw`(?<![A-Za-z])(${CODES})[\s\u00A0\u202F]{0,2}$`);
const SIGNS = String.raw`(?:US|AU|CA|NZ|HK|[ACRS])?\$|[€£¥₹₽₩₪₺₴฿₫₱₦₸₼]|R\$|Rs\.?|S?Fr\.|Rp\.?|KSh|(?:${CODES})(?![A-Za-z])`;
const SIGNS_AFTER = String.raw`[€£¥₹₽₩₪₺₴฿₫₱₦₸₼円元원đ]|\$|zł|Kč|Ft(?![A-Za-z])|lei(?![A-Za-z])|kr\.?(?![A-Za-z])|TL(?![A-Za-z])|руб\.?|грн\.?|лв\.?|б\.\s?р\.?|د\.إ|ر\.س|(?:${CODES})(?![A-Za-z])`;
const NUMBER = String.raw`\d[\d.,'’\u00A0\u202F ]{0,18}\d|\d`;
const PRICE_BEFORE = new RegExp(
  String.raw`(?<![A-Za-z\d])([-−–(]?)(${SIGNS})[\s\u00A0\u202F]?(${NUMBER})(?:,-|,–|\.-)?`,
  "gu",
);
const PRICE_AFTER = new RegExp(
  String.raw`(?<![A-Za-z\d.,])([-−–(]?)(${NUMBER})(?:,-|,–)?[\s\u00A0\u202F]?(${SIGNS_AFTER})`,
  "gu",
);
/** Whole amounts without a sign: "299,-", "1 299:-". */
const PRICE_WITH_DASH = new RegExp(
  String.raw`(?<![\p{L}\d.,:/-])((?:\d{1,3}(?:[.\u00A0\u202F ]\d{3})+|\d{1,6}))(?:,-|:-|,–|\.–|,—)(?![\p{L}\d-])`,
  "gu",
);
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const PHONE = /(?<![\d\w.,/-])(?:\+|\(|00|0)[\d\s().\u00A0/–-]{6,24}\d(?![\d\w])/g;
/** "(2006–2013" are years. */
const YEARS = /^\(?(?:19|20)\d\d\s?[–-]\s?(?:19|20)\d\d\)?$/;
const RATING =
  /(?<![\d.,])(\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|of|von|sur|de|su|из|av|z|van)\s?(5|10|100)(?:[.,]0)?(?![\d.,]\d|\d)/giu;
const STARS =
  /(?<![\d.,])(\d(?:[.,]\d{1,2})?)\s?(?:★|⭐|stars?\b|Sternen?\b|étoiles?\b|estrellas?\b)/giu;
const PERCENT = /(?<![\d.,])((?:[-−+]|^\s*[-−\u2011–‒]\s?)?\d{1,4}(?:[.,]\d{1,4})?)\s?[%％]/gu;
const COUNTED =
  /(?<![\d.,\p{L}])(\d{1,3}(?: \d{3})+|\d[\d.,'’\u00A0\u202F]{0,12})(?:\s|\u00A0)?((?:[kKM]|(?<=\d)m)(?![\p{L}\d²³]))?\s?([\p{L}²³°µ"″][\p{L}\p{M}²³°/.-]{0,24})/gu;

/**
 * Typed values in a text, in order, at most 24. Overlapping matches are returned once: a price is
 * not also a number, the digits of a date are not a quantity. `currencyOf` returns the code of a
 * sign on the page.
 */
export function readTypedValues(
  text: string,
  order: NumberOrder,
  currencyOf: CurrencyReader = resolveCurrency,
): TypedValue[] {
  const input = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  const found: TypedValue[] = [];
  if (input.includes("@"))
    for (const match of input.matchAll(EMAIL))
      found.push({ type: "email", text: match[0], at: match.index });
  if (!/[\d★⭐]/u.test(input)) return found;
  const taken: (readonly [from: number, to: number])[] = found.map(toSpan);
  const add = (value: TypedValue): void => {
    const span = toSpan(value);
    if (taken.some(([from, to]) => span[0] < to && from < span[1])) return;
    taken.push(span);
    found.push(value);
  };
  readPrices(input, currencyOf, add);
  readRatings(input, add);
  readDates(input, order, add);
  for (const match of input.matchAll(PHONE)) {
    const digits = match[0].replaceAll(/\D/g, "").length;
    if (YEARS.test(match[0])) continue;
    if (digits >= 7 && digits <= 15 && /[\s().+-]/.test(match[0]))
      add({ type: "phone", text: match[0].trim(), at: match.index });
  }
  for (const match of input.matchAll(PERCENT)) {
    const amount = parseNumber(toSigned(match[1] ?? ""));
    if (amount !== undefined) add({ type: "percent", text: match[0], at: match.index, amount });
  }
  for (const match of input.matchAll(COUNTED)) readQuantity(match, add);
  return found.toSorted((one, other) => one.at - other.at).slice(0, MAX_VALUES);
}

const toSpan = ({ at, text }: TypedValue): readonly [number, number] => [at, at + text.length];

function readPrices(
  input: string,
  currencyOf: CurrencyReader,
  add: (value: TypedValue) => void,
): void {
  for (const match of input.matchAll(PRICE_BEFORE)) {
    const [whole, sign = "", mark = "", digits = ""] = match;
    addPrice(whole, sign, mark, digits, match.index);
  }
  for (const match of input.matchAll(PRICE_AFTER)) {
    const [whole, sign = "", digits = "", mark = ""] = match;
    addPrice(whole, sign, mark, digits, match.index);
  }
  for (const match of input.matchAll(PRICE_WITH_DASH))
    addPrice(match[0], "", "", match[1] ?? "", match.index);

  function addPrice(whole: string, sign: string, mark: string, digits: string, at: number): void {
    const amount = parseNumber(digits, "money");
    if (amount === undefined) return;
    // A code beside the sign selects its currency: "$12.00 CAD".
    const end = at + whole.length;
    const [, code] =
      CODE_AFTER.exec(input.slice(end, end + 8)) ??
      CODE_BEFORE.exec(input.slice(Math.max(0, at - 8), at)) ??
      [];
    const currency = code ?? currencyOf(mark);
    const isNegative =
      sign === "-" || sign === "−" || (sign === "(" && input[at + whole.length] === ")");
    const text = sign === "(" || sign === "–" ? whole.slice(1) : whole;
    add({
      type: "price",
      text: text.trim(),
      at: at + whole.length - text.length,
      amount: isNegative ? -amount : amount,
      ...(currency === undefined ? {} : { unit: currency }),
    });
  }
}

/** Five stars, of which some are filled: "★★★★☆". */
const GLYPHS = /(?<![★⭐☆✩])([★⭐]{1,5})([☆✩]{0,5})(?![★⭐☆✩])/gu;
const STAR_COUNT = 5;

function readRatings(input: string, add: (value: TypedValue) => void): void {
  for (const { 0: text, 1: filled = "", 2: open = "", index: at } of input.matchAll(GLYPHS)) {
    const amount = filled.length;
    if (amount + open.length === STAR_COUNT)
      add({ type: "rating", text, at, amount, best: STAR_COUNT });
  }
  for (const match of input.matchAll(RATING)) {
    const amount = parseNumber(match[1] ?? "");
    const best = Number(match[2]);
    if (amount !== undefined && amount <= best)
      add({ type: "rating", text: match[0], at: match.index, amount, best });
  }
  for (const match of input.matchAll(STARS)) {
    const amount = parseNumber(match[1] ?? "");
    if (amount !== undefined && amount <= 5)
      add({ type: "rating", text: match[0], at: match.index, amount });
  }
}

/** Words between which a date may occur; the text after a date is read separately. */
const DATE_WINDOW_WORDS = 60;

function readDates(input: string, order: NumberOrder, add: (value: TypedValue) => void): void {
  if (!mayHoldDate(input)) return;
  // A date has a year or two numbers: look around each group of digits once.
  for (let at = 0; at < input.length; at += DATE_WINDOW_WORDS / 2) {
    const part = input.slice(at, at + DATE_WINDOW_WORDS);
    if (!mayHoldDate(part)) continue;
    const iso = parseDateText(part, order);
    if (iso === undefined) continue;
    const span = findDateSpan(part, iso, order);
    add({ type: "date", text: part.slice(span[0], span[1]), at: at + span[0], unit: iso });
  }
}

/** The shortest part of a text that still reads as the same date. */
function findDateSpan(part: string, iso: string, order: NumberOrder): [number, number] {
  let from = 0;
  let to = part.length;
  const words = [...part.matchAll(/\S+/g)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  for (const [start] of words) {
    if (parseDateText(part.slice(start, to), order) !== iso) break;
    from = start;
  }
  for (const [, end] of words.toReversed()) {
    if (end <= from || parseDateText(part.slice(from, end), order) !== iso) break;
    to = end;
  }
  const lead = LABEL_LEAD.exec(part.slice(from, to))?.[0].length ?? 0;
  if (lead > 0 && parseDateText(part.slice(from + lead, to), order) === iso) from += lead;
  // The first half of the day does not change the time, but belongs to it.
  return [from, to + (HALF_OF_DAY.exec(part.slice(to))?.[0].length ?? 0)];
}

/** A name or label that a sign without spaces joins to a date. */
const LABEL_LEAD = /^.*[^\d\s][:：|｜](?=\d)/;
const HALF_OF_DAY = /^\s?[ap]\.?m\b\.?/i;

function readQuantity(match: RegExpExecArray, add: (value: TypedValue) => void): void {
  const [whole, digits = "", factor = "", noun = ""] = match;
  const amount = parseNumber(digits);
  if (amount === undefined || noun === "") return;
  const scaled = factor === "" ? amount : amount * (/k/i.test(factor) ? 1_000 : 1_000_000);
  add({ type: "quantity", text: whole, at: match.index, amount: scaled, unit: noun });
}
