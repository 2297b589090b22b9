// Matches labels of a page with properties of a schema.
import { CURRENCY_CODES } from "../../../page-model/currency.ts";
import type { Pair, PairKind } from "../../../page-model/pairs.ts";
import { dropPeriods } from "../values/coerce.ts";
import { parseSuffix, parseUnit, splitUnit, type Unit } from "../values/measures.ts";
import {
  parseName,
  scoreSimilarity,
  splitCurrency,
  withoutWords,
  type Name,
} from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";

/** Kinds of pairs whose label is trusted without another check. */
export const FIRM_PAIRS: ReadonlySet<PairKind> = new Set([
  "term",
  "row",
  "colon",
  "control",
  "spoken",
]);

/** Searched property: its name without unit and filler words, plus words of its description. */
export type WantedProperty = {
  readonly name: Name;
  readonly base: Name;
  readonly unit: Unit | undefined;
  /** The ISO 4217 code at the end of its name: `price_eur`. */
  readonly currency: string | undefined;
  /** A pattern that its label or value must match: `eps_pence` is no amount in pounds. */
  readonly subunit: RegExp | undefined;
  /** The requested end of a range: `salary_min`, `estimate_high`. */
  readonly bound: "low" | "high" | undefined;
  /** True for the whole name of one end of a range: a label must name that end as well. */
  readonly isOneEnd: boolean;
  readonly description: Name;
  readonly typeWords: ReadonlySet<string>;
  /** Words that labels may have beside the property's: those of the type and of the site's name. */
  readonly fillers: ReadonlySet<string>;
  readonly isNumber: boolean;
  /** The name ends in a unit of time, which `base` leaves out: the value must be a time. */
  readonly isInTimeUnit: boolean;
};

const LEADING: ReadonlySet<string> = new Set(["selected", "is", "has", "the"]);

/** Kinds of items before a property that labels name alone: `event_date` is "Date". */
const ITEMS: ReadonlySet<string> = new Set(
  "event concert show exhibition match game meeting course article post movie film book product listing job".split(
    " ",
  ),
);
const OF_ITEM: ReadonlySet<string> = new Set(
  "date time price status location language type code number".split(" "),
);

/** Units of time at the end of a name, in the singular as `Name.words` are. */
const TIME_UNITS: ReadonlySet<string> = new Set(
  "second minute min hour day week month year".split(" "),
);

const LOW: ReadonlySet<string> = new Set(
  "min minimum low lowest lower from mini mindestens minima minimo desde ab od fra".split(" "),
);
const HIGH: ReadonlySet<string> = new Set(
  "max maximum high highest upper to maxi hochstens maxima maximo hasta bis do til".split(" "),
);

/** Words that only mean an end of a range; "from" stands before many prices. */
const LIMIT_PREFIX = /^(?:min|max|low|high)/;
const isEnd = (word: string): boolean => LIMIT_PREFIX.test(word);

/** The property as named and, if the name is one end of a range, the range. */
export function toWanted(
  property: Name,
  shape: Shape,
  typeWords: ReadonlySet<string>,
): WantedProperty[] {
  const bound = property.words.some((word) => LOW.has(word))
    ? "low"
    : property.words.some((word) => HIGH.has(word))
      ? "high"
      : undefined;
  const isOneEnd = bound !== undefined && property.words.length >= 2;
  const whole = buildWanted(property, shape, typeWords, { bound: undefined, isOneEnd });
  if (!isOneEnd) return [whole];
  const words = property.words.filter((word) => !LOW.has(word) && !HIGH.has(word));
  if (words.length === 0) return [whole];
  const range = buildWanted(parseName(words.join(" ")), shape, typeWords, {
    bound,
    isOneEnd: false,
  });
  return [whole, range];
}

function buildWanted(
  property: Name,
  shape: Shape,
  typeWords: ReadonlySet<string>,
  { bound, isOneEnd }: Pick<WantedProperty, "bound" | "isOneEnd">,
): WantedProperty {
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const measure = splitUnit(property.words);
  const plain = isNumber && measure === undefined ? splitCurrency(property.words) : undefined;
  const words = [...(measure?.words ?? plain?.words ?? property.words)];
  // `cook_time_minutes` is the cook time; `opening_hours` is a name of its own.
  const isInTimeUnit =
    isNumber &&
    // `mean_min_c` has its unit already.
    measure === undefined &&
    property.concepts.size === 0 &&
    words.length > 1 &&
    TIME_UNITS.has(words.at(-1) ?? "") &&
    // `revenue_prior_year` is not a duration.
    dropPeriods(words).length === words.length;
  if (isInTimeUnit) words.pop();
  while (words.length > 1 && LEADING.has(words[0] ?? "")) words.shift();
  if (words.length === 2 && ITEMS.has(words[0] ?? "") && OF_ITEM.has(words[1] ?? "")) words.shift();
  // A known name keeps its meaning.
  const own =
    measure === undefined && words.length === property.words.length
      ? property
      : parseName(words.join(" "));
  return {
    name: property,
    base: withoutWords(own, typeWords),
    // `high_c` is a temperature without another word.
    unit:
      measure?.unit ??
      (bound !== undefined && words.length === 1
        ? parseSuffix(words[0] ?? "", property.words)
        : undefined),
    currency: plain?.currency ?? (isNumber ? findCurrency(shape.description) : undefined),
    subunit: plain?.subunit,
    bound,
    isOneEnd,
    description: parseName(shape.description.split(/[.;(]/, 1)[0] ?? ""),
    typeWords,
    fillers: typeWords,
    isNumber,
    isInTimeUnit,
  };
}

/**
 * 0 to 1; 0.9 and more is the same meaning. `pair` is the layout of label and value. A label of
 * alternatives, "Party / list", means what all of them mean.
 */
export function scoreLabelSimilarity(wanted: WantedProperty, text: string, pair?: Pair): number {
  const parts = text.length > MAX_ALTERNATIVES ? [] : text.split(/\s?\/\s/u);
  return Math.max(
    scoreLabel(wanted, text, pair),
    parts.length === 2 ? Math.min(...parts.map((part) => scoreLabel(wanted, part, pair))) : 0,
  );
}

/**
 * The label of a price says whose it is: "Adult" for `adult_price`, and "Erwachsene" for
 * `full_price` too, because "adult price" is a name of the concept "full price".
 */
export function namesPriceOf({ base, isNumber }: WantedProperty, label: string): boolean {
  if (!isNumber) return false;
  const owner = parseName(findCore(label));
  const rest = base.words.filter((word) => !parseName(word).concepts.has("price"));
  if (
    rest.length > 0 &&
    rest.length < base.words.length &&
    scoreSimilarity(parseName(rest.join(" ")), owner) >= 0.9
  )
    return true;
  return [...owner.concepts].some((concept) => {
    const price = parseName(`${concept} price`);
    return price.concepts.size > 0 && scoreSimilarity(base, price) >= 0.9;
  });
}

const MAX_ALTERNATIVES = 60;

function scoreLabel(wanted: WantedProperty, text: string, pair?: Pair): number {
  const whole = parseName(text);
  const core = parseName(findCore(text));
  let best = 0;
  for (const label of whole.key === core.key ? [whole] : [whole, core]) {
    const plain = withoutWords(label, wanted.fillers);
    for (const name of [wanted.name, wanted.base])
      for (const other of [label, plain]) {
        const score = scoreSimilarity(name, other);
        // A label with fewer words than the property names it; one with more words is narrower.
        const isPart =
          other.words.length < name.words.length &&
          hasHead(name, other, wanted.isNumber) &&
          !(wanted.isNumber && lacksAmount(name, other, pair));
        if (score >= 0.9 || (score > best && isPart)) best = Math.max(best, score);
      }
    if (best < 0.9 && isDescribed(wanted, label)) best = 0.9;
    if (best < 0.9 && pair === undefined && isShortened(wanted, label)) best = 0.9;
    // The column "Module" names the rows of `modules`.
    if (
      best < 0.9 &&
      wanted.base.concepts.has("name") &&
      isTypeName(wanted, label, pair === undefined)
    )
      best = 0.9;
  }
  if (best < 0.9 && pair?.kind === "prefix" && isPrefixed(wanted, whole)) best = 0.9;
  // "kg" names no weight, "Calories" names its own.
  if (parseUnit(text) !== undefined && !isNamedByUnit(wanted, whole)) return 0;
  // "Estimate" names a range, not its upper end.
  return wanted.isOneEnd && best < 0.9 && !whole.words.some((word) => isEnd(word)) ? 0 : best;
}

const isNamedByUnit = ({ base, bound }: WantedProperty, label: Name): boolean =>
  bound === undefined && scoreSimilarity(base, label) >= 0.9;

/**
 * True if a label has all words of a property and at most two more: "Rated power" for `power_kw`.
 * It means the property only where the value has its unit, too.
 */
export function isNarrower({ name, base }: WantedProperty, text: string): boolean {
  const { words } = parseName(findCore(text));
  const extra = words.length - base.words.length;
  if (extra < 1 || extra > 2 || name.words.length === base.words.length) return false;
  const added = words.filter((word) => !base.words.includes(word));
  return added.length === extra && !added.some((word) => OTHER_QUANTITY.test(word));
}

/** "Employees at 31 December", "Mitarbeitende zum 31.12.2024". */
const DAY_AT_END = /\s(?:as at|at|on|zum|per|am|au|al|a|op|på|den)\s\d{1,2}[.\s].{0,20}$/iu;

/** Words that make it another quantity: the maximum, the target, that of another time. */
const OTHER_QUANTITY =
  /^(?:shipping|package|packaging|packed|carton|transport|versand|expedition|envio|spedizione|water|sea|wasser|soil|ground|boden|surface|pool|indoor|ressentie?|apparent|perceived|percepita|sensacion|gefuhlte?|min|max|minimum|maximum|lowest|highest|record|peak|mean|average|previous|prior|last|next|old|former|target|forecast|estimated|total|gross|without|non|not|per|\d+)$/;

/** Final words of a name that state the type of its value, which is visible in the value. */
const TYPES: ReadonlySet<string> = new Set(
  "date time day week month hour minute second year email mail phone tel url link number count amount name address text description title id code type percent rate price prix preis precio prezzo preco cena cost fee by on at usd eur gbp bar hpa ects points jahr jahre tag tage monat monate mois an ans mes ano anno anni giorni mese mesi dni mies lat rok dia jaar maand mensuel".split(
    " ",
  ),
);

/** True if a shorter label covers a longer name: `office_hours` does not match "Office". */
function hasHead(name: Name, label: Name, isNumber: boolean): boolean {
  const last = name.words.at(-1) ?? "";
  const first = name.words[0] ?? "";
  return (
    label.words.includes(last) ||
    (TYPES.has(last) && (isNumber || last !== "hour")) ||
    parseUnit(last) !== undefined ||
    (name.concepts.size === 0 && label.words.includes(first) && parseName(first).concepts.size > 0)
  );
}

const MONEY: ReadonlySet<string> = new Set(
  "price prix preis precio prezzo preco cena cost fee".split(" "),
);
const CURRENCY =
  /\p{Sc}|\b[A-Z]{3}\b|\b(?:kr|zł|Kč|Ft|lei)\b|free|gratis|kostenlos|gratuit|included/iu;

/**
 * True for "Field course: 24" and `field_course_fee`: the label leaves out what the value does not
 * show.
 */
const lacksAmount = (name: Name, label: Name, pair: Pair | undefined): boolean => {
  const last = name.words.at(-1) ?? "";
  return (
    MONEY.has(last) &&
    !label.words.includes(last) &&
    pair !== undefined &&
    !CURRENCY.test(pair.value)
  );
};

const CURRENCY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\beuros?\b|€/i, "EUR"],
  [/\bUS dollars?\b|\bUS\$/i, "USD"],
  [/\bpounds? sterling\b|\bBritish pounds?\b|£/i, "GBP"],
  [/\bSwiss francs?\b/i, "CHF"],
];

/**
 * The only currency that a description asks for: "Price in EUR", "Deposit (£)"; no "without the £
 * sign".
 */
function findCurrency(description: string): string | undefined {
  const found = new Set(
    [...description.matchAll(IN_CURRENCY)].flatMap(([, written = ""]) => {
      if (CURRENCY_CODES.includes(written)) return [written];
      return CURRENCY_WORDS.flatMap(([words, code]) => (words.test(written) ? [code] : []));
    }),
  );
  const [only, other] = found;
  return other === undefined ? only : undefined;
}

const IN_CURRENCY =
  /(?:\bin\s|\(|,\s)((?:[A-Z]{3}(?![\p{L}])|euros?|US dollars?|US\$|pounds? sterling|British pounds?|Swiss francs?|[€£])(?=$|[\s.,;)]))/gu;

/** Filler words before a label. */
const FILLING =
  /^(?:next|current|latest|our|your|the|nächste[rs]?|aktuelle[rs]?|prochaine?|próxim[oa]|prossim[oa])\s+/iu;

/** A unit behind the name of a column: "Humidity %", "Rain mm", "Wind km/h". */
const UNIT_AT_END =
  /(?<=\p{L}{2}\.?)\s(?:[%％]|°[CF]?|℃|mm|cm|km|kg|km\/h|m\/s|mph|kn|kts|hPa|mbar|kWh|kW|€|£|\$)$/u;

const IN_BRACKETS = /[([][^()[\]]*[)\]]/g;

/**
 * A label without brackets, units and filling words: "Range (km)", "Weight, kg", "Change in %",
 * "Next start".
 */
export const findCore = (text: string): string => {
  const plain = text
    .replaceAll(IN_BRACKETS, " ")
    // "Sound power (dB(A))" has brackets within brackets.
    .replaceAll(IN_BRACKETS, " ")
    .replace(DAY_AT_END, "")
    .trim();
  const [, named = "", unit = ""] = /^(.+?)\s(?:in|en|i|w|em|v|в)\s(\S{1,8})$/u.exec(plain) ?? [];
  const isMeasured =
    parseUnit(unit) !== undefined || /^(?:\p{Sc}|[A-Z]{3}|zł|Kč|kr|Ft|lei)$/u.test(unit);
  const bare = (isMeasured ? named : plain).replace(FILLING, "").replace(UNIT_AT_END, "");
  const [first = bare, last = ""] = bare.split(/,\s*(?=[^,]*$)/);
  const isUnit = parseUnit(last) !== undefined || /^(?:pence|cents?|%)$/i.test(last);
  return last !== "" && isUnit ? first : bare;
};

/**
 * True for the noun of the list, also in another language: "Partei" names the rows of `parties`.
 */
const isTypeName = (
  { typeWords }: WantedProperty,
  { words, concepts }: Name,
  isColumn: boolean,
): boolean =>
  (words.length > 0 && words.every((word) => typeWords.has(word))) ||
  (isColumn &&
    [...concepts].some(
      (concept) =>
        concept.split(" ").some((word) => typeWords.has(word)) ||
        // "Amount" means fee, but names no row of `fees`.
        (!MONEY.has(concept) &&
          [...typeWords].some((word) => parseName(word).concepts.has(concept))),
    ));

/** The label matches the description, or the property with words of its description. */
function isDescribed({ base, description }: WantedProperty, label: Name): boolean {
  if (description.words.length === 0 || label.words.length === 0) return false;
  if (description.key === label.key) return true;
  const extra = label.words.filter((word) => !base.words.includes(word));
  // "Heizleistung A7/W35" is the heating capacity "at A7/W35".
  const conditions = extra.filter((word) => /\d/.test(word));
  if (conditions.length > 0 && conditions.every((word) => description.words.includes(word))) {
    const rest = label.words.filter((word) => !conditions.includes(word));
    if (scoreSimilarity(base, parseName(rest.join(" "))) >= 0.9) return true;
  }
  const isWhole = base.words.every((word) => label.words.includes(word));
  return isWhole && extra.length <= 2 && extra.every((word) => description.words.includes(word));
}

/** The head of a column cut short, with or without a dot: "Pos" for `position`. */
function isShortened({ base }: WantedProperty, { words }: Name): boolean {
  const [word = ""] = words;
  const [name = ""] = base.words;
  return (
    words.length === 1 &&
    base.words.length === 1 &&
    word.length >= 3 &&
    word.length <= 4 &&
    name.length >= word.length + 3 &&
    name.startsWith(word)
  );
}

const COUNTING: ReadonlySet<string> = new Set([
  "number",
  "count",
  "no",
  "date",
  "on",
  "at",
  "time",
  "day",
]);

/** "Lot 214" for `lot_number`, "Ordered 12 May" for `order_date`. */
function isPrefixed({ base }: WantedProperty, label: Name): boolean {
  const words = base.words.filter((word) => !COUNTING.has(word));
  if (words.length === 0 || words.length !== label.words.length) return false;
  return words.every((word, at) => {
    const other = label.words[at] ?? "";
    return (
      word === other ||
      (Math.min(word.length, other.length) >= 4 &&
        (word.startsWith(other) || other.startsWith(word)))
    );
  });
}
