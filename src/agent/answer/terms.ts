// The search words of a run, from the prompt and from the schema's names and descriptions.
import { toWords } from "../../ranking/words.ts";

/** Request words and very frequent words, which carry no topic. */
export const EMPTY_WORDS = new Set(
  (
    "a about all also an and any are as at be been being but by can collect could data did do does doing done each every everyone everything extract fetch field fields " +
    "fill find for from full gather get give go had has have his her how i if in information into is it its json just list " +
    "look many may me might more most much must my need no not of on one only or our out output page pages per please provide result results return scrape search " +
    "same should show site so some such tell than that the their them then there these they this those through to under url urls using " +
    "want was we web website were what when where which who will with would you your " +
    "alle aller auch auf aus bei das dem den der des die ein eine einer finde fur gib hole im ist mir mit nach oder seite " +
    "seiten sind und von was wer wie zu zum zur con de del des el en et la las le les los par pour que sur un una une y"
  ).split(" "),
);
const MAX_TERMS = 60;
const MIN_PREFIX = 4;

export type Terms = {
  readonly words: readonly string[];
  /** From the prompt alone. */
  readonly topic: readonly string[];
};

export function extractTerms(prompt: string, schema: unknown): Terms {
  const topic = selectMeaningfulWords(prompt);
  const words = new Set([...topic, ...selectMeaningfulWords(collectSchemaText(schema))]);
  return { words: [...words].slice(0, MAX_TERMS), topic };
}

function selectMeaningfulWords(text: string): string[] {
  const apart = text
    .replaceAll(/https?:\/\/\S+/g, " ")
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll("_", " ");
  const words = toWords(apart).filter((word) => !EMPTY_WORDS.has(word) && word.length > 1);
  return [...new Set(words)].slice(0, MAX_TERMS);
}

/** Names and descriptions of a schema's properties, outermost first. */
function collectSchemaText(schema: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [schema];
  for (let node = open.shift(), seen = 0; node !== undefined && seen < 500; node = open.shift()) {
    seen += 1;
    if (typeof node !== "object" || node === null) continue;
    const { properties, items, title, description } = node as Record<string, unknown>;
    for (const text of [title, description]) if (typeof text === "string") texts.push(text);
    if (typeof properties === "object" && properties !== null)
      for (const [name, child] of Object.entries(properties)) {
        texts.push(name);
        open.push(child);
      }
    if (items !== undefined) open.push(items);
  }
  return texts.join(" ");
}

/** True if two words share a stem: "employee" and "employees", "policy" and "policies". */
export function shareStem(one: string, other: string): boolean {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  if (shorter < MIN_PREFIX) return false;
  let same = 0;
  while (same < shorter && one[same] === other[same]) same += 1;
  return same >= MIN_PREFIX && Math.max(one.length, other.length) - same <= 3;
}
