// Finds a single value in a sentence or a table, for a walk without a model: "The upload limit of
// the plan is 2 GB", or the cell where the thing's row meets the value's column.
import { wordsOf } from "../ranking/words.ts";
import { cellsOf, plain } from "./markdown-table.ts";
import { isAkin } from "./terms.ts";

export type Asked = {
  /** Name of the property. */
  readonly name: string;
  readonly isNumber: boolean;
  /** What is asked, as words. */
  readonly topic: readonly string[];
};

export type Statement = {
  readonly value: string | number;
  /** Higher when more of the topic stands beside it. */
  readonly score: number;
  /** The words that state it. */
  readonly text: string;
};

type Sought = Asked & {
  /** Words of the name. */
  readonly words: readonly string[];
  /** Topic words besides the name: which thing is meant. */
  readonly rest: readonly string[];
};

const MAX_BETWEEN = 60;
const MAX_VALUE = 80;
const MAX_SENTENCE = 1_000;
const MAX_WORDS = 12;
/** A table cell is stronger evidence than a sentence. */
const TABLE = 2;
/** Words of names that are ignored in matching. */
const SMALL = new Set(["per", "of", "the", "in", "by", "and", "for", "to", "at"]);
const IS = String.raw`(?:is|are|was|were|costs?|equals?|amounts? to|ist|sind|beträgt|est|sont|es|son)`;
/** What follows a verb but is no value. */
const NO_VALUE =
  /^(?:not|no longer|also|only|now|still|already|described|explained|listed|shown|given|found|set|documented|discussed|available|required|optional|needed|used|known|called|counted|limited|on|in|at|by|to|for|from|about|under|as|that|what|which|where|how|why|if|when)\b/i;

/** Returns the best statement of a page; undefined if there is no explicit one. */
export function findStatement(markdown: string, asked: Asked): Statement | undefined {
  const all = wordsOf(asked.name.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " "));
  const words = all.filter((word) => !SMALL.has(word));
  if (words.length === 0) return undefined;
  const rest = asked.topic.filter((term) => !words.some((word) => isAkin(word, term)));
  const sought = { ...asked, words, rest };
  const found = [...inTables(markdown, sought), ...inSentences(markdown, sought)];
  return found.toSorted((one, other) => other.score - one.score)[0];
}

const holds = (text: string, terms: readonly string[]): number => {
  const own = wordsOf(text);
  return terms.filter((term) => own.some((word) => isAkin(word, term))).length;
};

function inTables(markdown: string, sought: Sought): Statement[] {
  const found: Statement[] = [];
  for (const [block] of markdown.matchAll(/^\|.*(?:\n\|.*)+$/gm)) {
    const [head = [], , ...rows] = block.split("\n").map((line) => cellsOf(line.trim()));
    if (rows.length < 2) continue;
    found.push(...inGrid(head, rows, sought));
    const grid = [head, ...rows];
    const [turned = [], ...columns] = head.map((_, at) => grid.map((row) => row[at] ?? ""));
    if (columns.length > 1) found.push(...inGrid(turned, columns, sought));
  }
  return found;
}

/**
 * Finds the cell if a column has the value's name and exactly one row has most of the remaining
 * topic.
 */
function inGrid(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  sought: Sought,
): Statement[] {
  const column = head.findIndex((name) => holds(name, sought.words) === sought.words.length);
  if (column === -1) return [];
  const others = rows.map((row) => row.filter((_, at) => at !== column).join(" "));
  // Words that all rows contain do not distinguish them.
  const telling = sought.rest.filter((term) => others.some((text) => holds(text, [term]) === 0));
  const counts = others.map((text) => holds(text, telling));
  const most = Math.max(...counts);
  if (most === 0 || counts.filter((count) => count === most).length > 1) return [];
  const row = rows[counts.indexOf(most)] ?? [];
  const value = toValue(row[column] ?? "", sought);
  return value === undefined ? [] : [{ value, score: TABLE + most, text: row[column] ?? "" }];
}

function inSentences(markdown: string, sought: Sought): Statement[] {
  const found: Statement[] = [];
  let heading = "";
  for (const line of markdown.split("\n")) {
    const [, title] = /^#{1,6}\s+(\S.*)$/.exec(line) ?? [];
    if (title !== undefined) heading = plain(title);
    if (title !== undefined || line.startsWith("|")) continue;
    for (const sentence of plain(line).split(/(?<=[.!?])\s+(?=\p{Lu})/u)) {
      if (sentence.length > MAX_SENTENCE) continue;
      if (holds(sentence, sought.words) < sought.words.length) continue;
      const near = holds(`${heading} ${sentence}`, sought.rest);
      const held = near > 0 ? near : holds(line, sought.rest) / 2;
      if (sought.rest.length > 0 && held === 0) continue;
      const said =
        predicateOf(sentence, sought.words) ??
        (sought.isNumber ? numberBeside(sentence, sought.words) : undefined) ??
        subjectOf(sentence, sought.words);
      const value = said === undefined ? undefined : toValue(said, sought);
      if (value !== undefined)
        found.push({ value, score: 1 + held / Math.max(1, sought.rest.length), text: said ?? "" });
    }
  }
  return found;
}

/** "The limit of the plan is 2 GB, and …": returns what follows the verb. */
function predicateOf(sentence: string, words: readonly string[]): string | undefined {
  const verb = String.raw`[^,.;:]{0,${MAX_BETWEEN}}?\s${IS}\s+|\s+of\s+(?=\d)|\s*[:=]\s+`;
  for (const match of sentence.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!isAkin(match[0].toLowerCase(), words.at(-1) ?? "")) continue;
    const after = sentence.slice(match.index + match[0].length);
    const [lead] = new RegExp(`^(?:${verb})`, "iu").exec(after) ?? [];
    if (lead === undefined) continue;
    const [value = ""] = /^.*?(?=[.;!?](?:\s|$)|,\s+(?:and|but|which|while|und|aber)\s|$)/su.exec(
      after.slice(lead.length),
    ) ?? [""];
    if (isValue(value)) return value.trim();
  }
  return undefined;
}

/** "Requests are limited to 90 a minute": returns the only number in the clause with the name. */
function numberBeside(sentence: string, words: readonly string[]): string | undefined {
  for (const part of sentence.split(/[,;](?!\d)/)) {
    const numbers = part.match(/(?<![\p{L}\d.])[-+]?\d[\d,]*(?:\.\d+)?/gu) ?? [];
    if (numbers.length === 1 && holds(part, words) === words.length) return numbers[0];
  }
  return undefined;
}

/** "Ada Marsh is the director of …": returns the subject. */
function subjectOf(sentence: string, words: readonly string[]): string | undefined {
  const [, subject, after = ""] =
    new RegExp(
      String.raw`^(.{2,60}?)\s${IS}\s+(?:the|our|its|der|die|das|le|la|el)\s+(.+)$`,
      "iu",
    ).exec(sentence) ?? [];
  if (subject === undefined || !/^\p{Lu}\S*(?:\s\S+){0,5}$/u.test(subject)) return undefined;
  if (/^(?:the|this|that|these|it|he|she|they|there|here|what|which)\b/i.test(subject))
    return undefined;
  const start = wordsOf(after).slice(0, words.length + 1);
  return words.every((word) => start.some((one) => isAkin(one, word))) ? subject : undefined;
}

const isValue = (text: string): boolean => {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > MAX_VALUE || NO_VALUE.test(trimmed)) return false;
  return /\p{N}|(?:^|\s)["'“]?\p{Lu}/u.test(trimmed) && trimmed.split(/\s+/).length <= MAX_WORDS;
};

function toValue(text: string, { isNumber }: Sought): string | number | undefined {
  const trimmed = text.trim().replace(/[.,;]$/, "");
  if (trimmed === "") return undefined;
  if (!isNumber) return trimmed;
  const [digits] = /[-+]?\d[\d,]*(?:\.\d+)?/.exec(trimmed) ?? [];
  const number = digits === undefined ? Number.NaN : Number(digits.replaceAll(",", ""));
  return Number.isFinite(number) ? number : undefined;
}
