// Names of fields and labels as concepts: `datePublished`, "published_at" and "Veröffentlicht am" mean the same.
import vocabulary from "./concepts.json" with { type: "json" };

/** Lower-case words of a name: camelCase, snake_case, kebab-case and labels alike, without accents, plurals cut. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(singular);
}

function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ch|sh|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("ies") && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** One key for all spellings of a name. */
const keyOf = (name: string): string => wordsOf(name).join(" ");

/** Built when the first name is asked about: most processes start without. */
let concepts: ReadonlyMap<string, ReadonlySet<string>> | undefined;
const conceptsOf = (key: string): ReadonlySet<string> | undefined =>
  (concepts ??= buildConcepts()).get(key);

function buildConcepts(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [concept, names] of Object.entries(vocabulary))
    for (const name of names) {
      const key = keyOf(name);
      const known = found.get(key);
      if (known === undefined) found.set(key, new Set([concept]));
      else known.add(concept);
    }
  return found;
}

/** Does the name stand for something in the vocabulary? */
export const isKnownName = (text: string): boolean => conceptsOf(keyOf(text)) !== undefined;

export type Name = {
  readonly key: string;
  readonly words: readonly string[];
  readonly concepts: ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();
const MAX_REMEMBERED = 20_000;
const remembered = new Map<string, Name>();

/** A name with what it means. */
export function nameOf(text: string): Name {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const words = wordsOf(text.slice(0, 200));
  const key = words.join(" ");
  const name = { key, words, concepts: conceptsOf(key) ?? NONE };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, name);
  return name;
}

const CALLED = ["name", "full name", "display name", "person", "first name", "last name"].map(
  keyOf,
);
const JOB: ReadonlySet<string> = new Set(["job"]);

/**
 * What a field means beside the others of its thing: the title of somebody who has a name and an e-mail address or a
 * telephone is a position, and not what the page is called.
 */
export function nameAmong(text: string, fields: Iterable<string>): Name {
  const name = nameOf(text);
  if (name.key !== "title") return name;
  const others = [...fields].map((field) => nameOf(field));
  const isCalled = others.some(({ key }) => CALLED.includes(key));
  const isReached = others.some(({ concepts }) => concepts.has("email") || concepts.has("phone"));
  return isCalled && isReached ? { ...name, concepts: JOB } : name;
}

/** The name without the words of the thing it belongs to: `recipeIngredient` of a Recipe is "ingredient". */
export function withoutWords(name: Name, words: ReadonlySet<string>): Name {
  const kept = name.words.filter((word) => !words.has(word));
  return kept.length === 0 || kept.length === name.words.length ? name : nameOf(kept.join(" "));
}

/**
 * How alike two names are, 0 to 1: the same 1, the same concept 0.9, one made of all words of the other and one more at
 * most 0.6.
 */
export function likeness(one: Name, other: Name): number {
  if (one.key === "" || other.key === "") return 0;
  if (one.key === other.key) return 1;
  for (const concept of one.concepts) if (other.concepts.has(concept)) return 0.9;
  const [short, long] =
    one.words.length <= other.words.length ? [one.words, other.words] : [other.words, one.words];
  if (long.length - short.length === 1 && short.every((word) => long.includes(word)))
    return GENERAL.has(short.join(" ")) ? 0 : 0.6;
  return 0;
}

/** Words that say too little to be matched as a part of a name. */
const GENERAL = new Set([
  "name",
  "title",
  "type",
  "id",
  "value",
  "text",
  "date",
  "time",
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
