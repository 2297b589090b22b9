// Maps names of fields and labels to concepts: `datePublished`, "published_at" and "Veröffentlicht
// am" mean the same.
import { CURRENCY_CODES } from "../../../page-model/currency.ts";
import { readConcepts } from "./vocabulary.ts";

/** Folds case, accents, camelCase and plural endings: words with a space between, line by line. */
const fold = (text: string): string =>
  text
    .replaceAll(/(?<!\p{L})[Øø⌀](?!\p{L})/gu, " diameter ")
    // A single letter belongs to the word behind it: eBay, eMail, iPhone.
    .replaceAll(
      /(?=\p{Lu})(?:(?<=[\p{Ll}\d]{2}|\p{Ll}(?:At|By|In|Of|On|Or|To))|(?<=\p{Lu})(?=\p{Lu}\p{Ll}))/gu,
      " ",
    )
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\n]+/gu, " ")
    .replaceAll(/(?<![^ \n])[^ \n]{3,}s(?![^ \n])/g, toSingular)
    .replaceAll(/^ | $/gm, "")
    // "Tracking no." is the tracking number.
    .replaceAll(/(?<=[^ \n] )(?:no|nr)$/gm, "number");

/**
 * Splits a name into lower-case words: camelCase, snake_case, kebab-case and labels; without
 * accents and plural endings.
 */
export const toSingularWords = (name: string): string[] =>
  fold(name)
    .split(/[ \n]/)
    .filter((word) => word !== "");

function toSingular(word: string): string {
  // "Pays" is the French word for country, not a second "pay".
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is|^pays)$/.test(word)) return word;
  if (/(?:ch|sh|x|z|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** Returns one key for all spellings of a name. */
const toNameKey = (name: string): string => toSingularWords(name).join(" ");

/**
 * A key without the ways in which German and Nordic letters are written in ASCII: "flaeche" and
 * "Fläche" are one.
 */
const toLooseKey = (key: string): string =>
  key.replaceAll("ß", "ss").replaceAll(/(?<=[a-z])([aou])e|^([aou])e(?=[a-z])/gm, "$1$2");

type Vocabulary = {
  /** Concepts by loose key. */
  readonly concepts: ReadonlyMap<string, ReadonlySet<string>>;
  /** Keys of the names of each concept. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
};

/** Built on first use, because most processes never need it. */
let vocabulary: Vocabulary | undefined;
const loadVocabulary = (): Vocabulary => (vocabulary ??= buildVocabulary());

/** Folds all names as one text: a call for each of the thousands takes several times as long. */
function buildVocabulary(): Vocabulary {
  const all = readConcepts();
  const text = fold(all.flatMap(({ names }) => names).join("\n"));
  const folded = text.split("\n");
  const loose = toLooseKey(text).split("\n");
  const concepts = new Map<string, ReadonlySet<string>>();
  const keys = new Map<string, readonly string[]>();
  let start = 0;
  for (const { concept, names } of all) {
    const only = new Set([concept]);
    const end = start + names.length;
    for (const key of loose.slice(start, end)) {
      const known = concepts.get(key);
      if (known === undefined) concepts.set(key, only);
      else if (!known.has(concept)) concepts.set(key, new Set([...known, concept]));
    }
    keys.set(concept, folded.slice(start, end));
    start = end;
  }
  return { concepts, keys };
}

const findConcepts = (key: string): ReadonlySet<string> | undefined =>
  loadVocabulary().concepts.get(key);

/** Returns the keys of all names of the concepts of a name. */
export function listSynonyms(text: string): Set<string> {
  const { keys } = loadVocabulary();
  return new Set(
    [...parseName(text).concepts].flatMap((concept) => [...(keys.get(concept) ?? [])]),
  );
}

/** True if the vocabulary contains the name. */
export const isKnownName = (text: string): boolean =>
  findConcepts(toLooseKey(toNameKey(text))) !== undefined;

export type Name = {
  readonly key: string;
  /** Equal for spellings with and without umlauts. */
  readonly loose: string;
  readonly words: readonly string[];
  readonly concepts: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, Name>();

/** Returns a name with its concepts. */
export function parseName(text: string): Name {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const words = toSingularWords(text.slice(0, 200));
  const key = words.join(" ");
  const loose = toLooseKey(key);
  const name = { key, loose, words, concepts: findConcepts(loose) ?? NONE };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, name);
  return name;
}

const CURRENCIES: ReadonlySet<string> = new Set([
  ...CURRENCY_CODES.map((code) => code.toLowerCase()),
  "euro",
  "dollar",
  "pound",
]);
/** Parts of a currency: a page must name the one that a property asks for. */
const SUBUNITS: ReadonlyMap<string, RegExp> = new Map([
  ["pence", /\bpence\b|\d\s?p\b|\(p\)/i],
  ["cent", /\bcents?\b|\d\s?(?:ct|¢|c)\b/i],
]);
const SCALES: ReadonlySet<string> = new Set("thousand million billion mio mn bn".split(" "));

/**
 * A name without the currency and scale at its end, which say how an amount is given:
 * `revenue_eur_million` is the revenue. `currency` is the code, if the name has one.
 */
export function splitCurrency(words: readonly string[]): {
  readonly words: readonly string[];
  readonly currency?: string;
  /** How a page writes the part of a currency at the end of the name: `eps_pence`. */
  readonly subunit?: RegExp;
} {
  const subunit = words.length > 1 ? SUBUNITS.get(words.at(-1) ?? "") : undefined;
  if (subunit !== undefined) return { words: words.slice(0, -1), subunit };
  let end = words.length;
  let currency: string | undefined;
  while (end > 1) {
    const word = words[end - 1] ?? "";
    if (CURRENCIES.has(word) && currency === undefined) currency = word;
    else if (!SCALES.has(word) && !(word === "in" && end < words.length)) break;
    end -= 1;
  }
  if (end === words.length || words[end - 1] === "per") return { words };
  const rest = words.slice(0, end);
  return currency?.length === 3
    ? { words: rest, currency: currency.toUpperCase() }
    : { words: rest };
}

const NAME_KEYS = ["name", "full name", "display name", "person", "first name", "last name"].map(
  toNameKey,
);
/** The title of a page's own item, where no other field asks for a name. */
const ITEM_TITLE =
  /^(?:page|course|program|programme|film|movie|book|event|listing|package|project|post|show|game|song|album|paper|exhibition|competition|league|tournament|job|position|vacancy|offer|property) (?:title|name|headline)$/;
const TITLE: ReadonlySet<string> = new Set(["name"]);
const JOB: ReadonlySet<string> = new Set(["job"]);
const STREET: ReadonlySet<string> = new Set(["street"]);
const STREET_OR_ADDRESS: ReadonlySet<string> = new Set(["street", "address"]);

/** Properties that hold the title of their item, where no other one does: the `actor` of a cast. */
const NAMES_OF_ITEMS: ReadonlySet<string> = new Set(
  "actor dish player person talk session treatment exhibit piatto plato gericht plat gerecht".split(
    " ",
  ),
);
/** The same in lists alone: on a page of its own, a `team` may be that of someone else. */
const NAMES_IN_LISTS: ReadonlySet<string> = new Set([
  ...NAMES_OF_ITEMS,
  ..."speaker artist act band performer film movie game course class module model plan product service tour route hotel restaurant museum team club".split(
    " ",
  ),
]);
const TITLES = /name|title|titel|titre|nombre|nome|naam|namn/i;

/**
 * Names of what takes minutes: `prep_time_min` is `prep_time_minutes`, `salary_min` the lower end
 * of a range.
 */
const IN_MINUTES =
  /^(?:\w+ )?(?:time|duration|runtime|delay|walk|drive|ride|trip|flight|transfer|journey|reading|wait|prep|cook|bake|rest) min$/;

/**
 * Returns the meaning of a field among the others of its thing: the title of someone with a name
 * and an email address or telephone is a job title, and an address beside a town is the street.
 * `list` is the name of the list whose items have the fields.
 */
export function parseNameInContext(text: string, given: Iterable<string>, list?: Name): Name {
  const fields = [...given];
  const name = parseName(text);
  if (IN_MINUTES.test(name.key)) return parseName(`${name.key}utes`);
  if (name.concepts.has("address")) {
    const others = fields.map((field) => parseName(field));
    const isAny = (concept: string): boolean =>
      others.some(({ concepts: each }) => each.has(concept));
    if (isAny("postal code")) return { ...name, concepts: STREET };
    return isAny("city") ? { ...name, concepts: STREET_OR_ADDRESS } : name;
  }
  if (name.words.length === 2 && ITEM_TITLE.test(name.key)) {
    const isOnly = !fields.some((field) => {
      const { key, concepts: each } = parseName(field);
      return field !== text && (NAME_KEYS.includes(key) || each.has("name") || key === "employee");
    });
    return isOnly ? { ...name, concepts: TITLE } : name;
  }
  const isNamed = fields.some((field) => field !== text && TITLES.test(field));
  const nouns = list === undefined ? NAMES_OF_ITEMS : NAMES_IN_LISTS;
  if (nouns.has(name.key) && !isNamed && isFirst(text, fields, nouns))
    return { ...name, concepts: new Set([...name.concepts, "name"]) };
  // The `district` of `districts`, the `room_name` of `rooms`.
  const [noun = "", called = "", ...more] = name.words;
  const isOfList =
    list?.words.length === 1 &&
    list.words[0] === noun &&
    more.length === 0 &&
    parseName(noun).concepts.size === 0;
  if (isOfList && !isNamed && (called === "" || called === "name" || called === "title"))
    return { ...name, concepts: new Set([...name.concepts, "name"]) };
  if (name.concepts.size === 0) {
    const { words } = splitCurrency(name.words);
    if (words.length < name.words.length)
      return { ...name, concepts: parseName(words.join(" ")).concepts };
  }
  if (name.key !== "title") return name;
  const others = fields.map((field) => parseName(field));
  const hasName = others.some(({ key }) => NAME_KEYS.includes(key));
  const hasContact = others.some(({ concepts }) => concepts.has("email") || concepts.has("phone"));
  return hasName && hasContact ? { ...name, concepts: JOB } : name;
}

/** True for the first of several names of items: in concerts, the `artist` before the `hall`. */
function isFirst(text: string, fields: Iterable<string>, nouns: ReadonlySet<string>): boolean {
  for (const field of fields) if (nouns.has(parseName(field).key)) return field === text;
  return false;
}

/**
 * Removes the words of its thing from a name: `recipeIngredient` of a Recipe becomes "ingredient".
 */
export function withoutWords(name: Name, words: ReadonlySet<string>): Name {
  const kept = name.words.filter((word) => !words.has(word));
  return kept.length === 0 || kept.length === name.words.length ? name : parseName(kept.join(" "));
}

/**
 * Returns the similarity of two names, 0 to 1: equal 1, same concept 0.9, all words of the other
 * plus more at most 0.6.
 */
export function scoreSimilarity(one: Name, other: Name): number {
  if (one.key === "" || other.key === "") return 0;
  if (one.loose === other.loose) return 1;
  for (const concept of one.concepts) if (other.concepts.has(concept)) return 0.9;
  // The same words in another order: `co2_2024` and "2024 CO2".
  if (
    one.words.length === other.words.length &&
    one.words.every((word) => other.words.includes(word))
  )
    return 0.95;
  const [short, long] =
    one.words.length <= other.words.length ? [one.words, other.words] : [other.words, one.words];
  if (long.length - short.length === 1 && short.every((word) => long.includes(word))) {
    const isOther = long.some((word) => OTHER_VALUE.has(word) && !short.includes(word));
    return isOther || GENERAL.has(short.join(" ")) ? 0 : 0.6;
  }
  return 0;
}

/** Words that make a name that of another value: the net price is not the price. */
const OTHER_VALUE = new Set(
  "net gross wholesale opening closing reserve previous prior former old student child senior group trade".split(
    " ",
  ),
);

/** Words too general to match as part of a name. */
const GENERAL = new Set([
  "name",
  "title",
  "type",
  "id",
  "value",
  "text",
  "date",
  "time",
  "year",
  "period",
  "url",
  "number",
  "count",
  "item",
  "description",
  "code",
  "image",
  "list",
  "content",
  "label",
  "total",
  "status",
  "section",
  "info",
]);
