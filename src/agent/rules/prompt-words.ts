// Finds the words of a request that the rules must account for. Rules do not understand sentences:
// a run completes only if every word of the request is a question word, names a field, or occurs in
// the label of the source pages. Any other word may be a condition ("cheapest", "sold out", "in
// March"), and then a language model is needed.
import { scoreSimilarity, parseName } from "../../formats/json/names/names.ts";
import { toWords } from "../../ranking/words.ts";
import { isObject } from "../../runtime/is-object.ts";
import type { Target } from "../answer/target.ts";
import { EMPTY_WORDS, shareStem } from "../answer/terms.ts";

/** Words that exclude or compare. No label accounts for them. */
const CONDITIONS = new Set("if may more most no not one only same than under without".split(" "));
/** Further request words, and words for rows, fields and the site. */
const ASKING = new Set(
  (
    "along both called chart column columns complete details detail entire entries entry everybody item include including includes items list lists listed listing plus " +
    "member members name named names number numbers record records row rows table tables thing things together value values whole " +
    "website webpage company institute organisation organization shop store " +
    "jede jeder jedes jeden mitsamt deren dessen ihr ihre ihrem ihren sein seine samt des au aux avec ses leurs tous toutes todo todos todas toda"
  ).split(" "),
);

/**
 * Words that only say what kind of value a field has, right after its name: "founding year",
 * "e-mail address".
 */
const KINDS = new Set("address amount code date day link text time url year".split(" "));

export type PromptWords = {
  /** Words that pages have to account for. */
  readonly open: readonly string[];
  /** Words that rules can never account for. */
  readonly conditions: readonly string[];
  /** Words that a label may have without being about something else. */
  readonly known: ReadonlySet<string>;
  /** Names of the schema's fields that the prompt mentions. */
  readonly fields: ReadonlySet<string>;
};

/**
 * Splits the request: its prompt, the texts of its schema, and the modifiers in the names of lists
 * and groups.
 */
export function readPromptWords(prompt: string, target: Target): PromptWords {
  const names = listFieldNames(target);
  const { title } = target.given;
  const heads = [
    ...target.lists.flatMap(({ path }) => splitNameWords(path.at(-1) ?? "").slice(-1)),
    ...(target.isWrapped && typeof title === "string" ? toWords(title).slice(-1) : []),
  ];
  const modifiers = [
    ...(target.isWrapped && typeof title === "string" ? toWords(title).slice(0, -1) : []),
    ...target.lists.flatMap(({ path }) => [
      ...path.slice(0, -1).flatMap(splitNameWords),
      ...splitNameWords(path.at(-1) ?? "").slice(0, -1),
    ]),
    ...target.values.flatMap((path) => path.slice(0, -1).flatMap(splitNameWords)),
  ];
  const asked = new Set([
    ...listContentWords(prompt.replaceAll(/https?:\/\/\S+/g, " ")),
    ...listContentWords(joinDescriptions(target)),
    ...modifiers.filter((word) => !ASKING.has(word)),
  ]);
  const conditions: string[] = [];
  const open: string[] = [];
  const kinds = findKinds(prompt, names);
  for (const word of asked) {
    if (CONDITIONS.has(word)) conditions.push(word);
    else if (kinds.has(word)) continue;
    else if (heads.some((head) => shareStem(head, word)) && !modifiers.includes(word)) continue;
    else if (isSuperlative(word) || !names.some((name) => isNamed(word, name))) open.push(word);
  }
  const known = new Set([...asked, ...heads, ...names.flatMap(splitNameWords)]);
  const fields = names.filter((name) => [...asked].some((word) => isNamed(word, name)));
  return { open, conditions, known, fields: new Set(fields) };
}

/** Words that carry meaning, conditions included. */
function listContentWords(text: string): string[] {
  return toWords(text.replaceAll(/\b(e)-(?=mails?\b)/gi, "$1")).filter((word) => {
    if (CONDITIONS.has(word)) return true;
    return !EMPTY_WORDS.has(word) && !ASKING.has(word) && (word.length > 1 || /\p{N}/u.test(word));
  });
}

/** The words of `KINDS` that follow the name of a field. */
function findKinds(prompt: string, names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const words = listContentWords(prompt);
  for (const [at, word] of words.entries()) {
    const before = words[at - 1];
    if (before !== undefined && KINDS.has(word) && names.some((name) => isNamed(before, name)))
      found.add(word);
  }
  return found;
}

/** "cheapest" in the name of a field is still a choice among several items. */
const isSuperlative = (word: string): boolean => /^[a-z]{3,}est$/.test(word);

const splitNameWords = (name: string): string[] =>
  toWords(name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " "));

const isNamed = (word: string, name: string): boolean =>
  splitNameWords(name).some((own) => shareStem(own, word)) ||
  scoreSimilarity(parseName(word), parseName(name)) >= 0.9;

const listFieldNames = ({ lists, values }: Target): string[] => [
  ...lists.flatMap(({ fields }) => fields),
  ...values.map((path) => path.at(-1) ?? ""),
];

/**
 * Descriptions of the whole, its groups, lists and single values. Those of a row's fields are not
 * restrictions.
 */
function joinDescriptions({ given, lists }: Target): string {
  const texts: string[] = [];
  const rows = new Set(lists.map(({ fields }) => fields.join("\n")));
  const open: unknown[] = [given];
  for (
    let node = open.pop(), left = 500;
    node !== undefined && left > 0;
    node = open.pop(), left -= 1
  ) {
    if (!isObject(node)) continue;
    if (typeof node["description"] === "string") texts.push(node["description"]);
    const { properties, items } = node;
    if (isObject(properties) && !rows.has(Object.keys(properties).join("\n")))
      open.push(...Object.values(properties));
    if (items !== undefined) open.push(items);
  }
  return texts.join(" ");
}

/** Words of a title, heading or URL that name the topic of a page. */
export type Label = readonly string[];

/** Labels of a page: its first heading, the parts of its title, the segments of its path. */
export function listLabels(page: {
  readonly url: string;
  readonly title: string;
  readonly markdown: string;
}): Label[] {
  const [, heading = ""] = /^#\s+(\S.*)$/m.exec(page.markdown) ?? [];
  const parts = page.title.split(/\s+[|–—·•»:-]\s+|:\s+/);
  const segments = new URL(page.url).pathname.split("/").map(decodeSegment);
  return [heading, ...parts, ...segments]
    .map((text) => listContentWords(text))
    .filter(({ length }) => length > 0);
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment).replace(/\.\w{2,5}$/, "");
  } catch {
    return segment;
  }
}

/** A label with more unrelated words is about something else. */
const MAX_EXTRA = 3;

/** The words of the request that a label accounts for: none if the label has other words. */
export function findLabelWords(
  label: Label,
  open: readonly string[],
  known: ReadonlySet<string>,
): string[] {
  const isExact = label.every(
    (word) =>
      known.has(word) ||
      (word.length <= MAX_EXTRA && !/\p{N}/u.test(word)) ||
      [...known].some((other) => shareStem(other, word)),
  );
  return isExact ? open.filter((word) => label.some((own) => shareStem(own, word))) : [];
}

/**
 * Returns the words of `open` that match no label of the page and no name of such a label.
 */
export function findUnexplainedWords(
  page: { readonly url: string; readonly title: string; readonly markdown: string },
  { open, known }: PromptWords,
): string[] {
  const held = new Set(listLabels(page).flatMap((label) => findLabelWords(label, open, known)));
  const rest = open.filter((word) => !held.has(word));
  if (rest.length === 0 || held.size === 0) return rest;
  const named = findPairWords(page.markdown, held, known);
  return rest.filter((word) => !named.has(word));
}

const MAX_PAIR_CHARACTERS = 120;

/** Labels of lines such as "SKU: LN-1021" whose value is a label of the page. */
function findPairWords(
  markdown: string,
  held: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  const lines = markdown.split("\n").filter((line) => line.trim() !== "");
  for (const [at, line] of lines.entries())
    for (const text of [line, `${line} ${lines[at + 1] ?? ""}`]) {
      if (text.length > MAX_PAIR_CHARACTERS) continue;
      const words = toWords(text);
      if (words.length < 2 || !words.every((word) => known.has(word))) continue;
      if (words.some((word) => held.has(word))) for (const word of words) found.add(word);
    }
  return found;
}
