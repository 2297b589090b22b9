// Finds the counters of a line by the words around each number: "1,204 views", "Comments (12)", "96 guests online".
// A line is cut into clauses. A number is a counter only if its clause has nothing but numbers and listed words, and
// if these words name something that a site counts. Prices, percentages, versions, dates, ranges and numbers without
// such a name are never counters, because a false alarm is better than a missed edit.
import { getClasses, findRunClasses, type WordClass } from "./counter-words.ts";

export type Span = { readonly start: number; readonly end: number };

type Token = Span &
  (
    | { readonly kind: "number"; readonly isYear: boolean }
    | { readonly kind: "word"; readonly classes: ReadonlySet<WordClass> }
    /** Masked before; says nothing about the number. */
    | { readonly kind: "masked" }
    /** A word that is not listed, or a number that is a value. */
    | { readonly kind: "unknown" }
    /** Between parts of a clause that may be read alone. */
    | { readonly kind: "seam" }
    | { readonly kind: "end" }
  );
type WordToken = Extract<Token, { kind: "word" }>;

type Judged = {
  readonly tokens: readonly Token[];
  /** counter: a named number. candidate: a counter if its line has others. open: anything else. */
  readonly role: "counter" | "candidate" | "open" | "none";
  readonly has: ReadonlySet<WordClass>;
};

const GROUPED = String.raw`\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3}(?!\d)){1,4}`;
const SCALE = String.raw`\s?(?:[kKmMbB]|[Tt]sd\.?|[Mm]io\.?|тыс\.?|млн\.?|mil|mln|万|萬|億|亿)(?![\p{L}\d])`;
const NUMBER = new RegExp(
  String.raw`(?:${GROUPED}|\d{1,12})(?:(?:[.,]\d{1,2})?${SCALE})?\+?[x×]?`,
  "uy",
);
const CJK_TEXT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々]{1,200}/uy;
const WORD = /[\p{L}\p{M}°º]{1,80}/uy;
const MASKED = /⟨[a-z]{1,12}⟩/uy;
const PICTURE = /\p{Extended_Pictographic}\uFE0F?/uy;
/** A digit glued to letters or other digits, such as 3rd, 9.14.2 or 10:31. */
const ALPHANUMERIC_RUN = /[\p{L}\p{N}][\p{L}\p{N}.,:/–-]{0,200}/uy;
/** Link targets and pictures: not words of the line. */
const TARGET = /\]\([^)\n]{0,2000}\)/uy;
/** Beyond it, a line is prose or a whole page, and its numbers are no counters. */
const MAX_CLAUSE_TOKENS = 40;

const PERIOD: ReadonlySet<WordClass> = new Set(["period"]);

const isBefore = (text: string, at: number, pattern: RegExp): boolean =>
  pattern.test(text.slice(Math.max(0, at - 2), at));
const isAfter = (text: string, at: number, pattern: RegExp): boolean =>
  pattern.test(text.slice(at, at + 3));

/** Signs beside a number that make it a value, an ordinal, a version or a part of a range. */
const VALUE_BEFORE = /[€$£¥₹%@/\\<>≤≥~±×=−–]\s?$|[#№vV-]$|\d[.,:]$/u;
const VALUE_AFTER =
  /^\s?[€$£¥₹%°/\\×=″±]|^["'′][\s)]|^\s?[–—-]\s?\d|^[.,:]\d|^[\d_@]|^[A-Za-zÀ-ɏЀ-ӿ]/u;

function readNumber(text: string, start: number): Token | undefined {
  NUMBER.lastIndex = start;
  const [found] = NUMBER.exec(text) ?? [];
  if (found === undefined) return undefined;
  const end = start + found.length;
  if (isBefore(text, start, VALUE_BEFORE) || isAfter(text, end, VALUE_AFTER)) return undefined;
  const isYear = /^(?:19|20)\d{2}$/.test(found);
  return { kind: "number", start, end, isYear };
}

const match = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
};

function* tokenize(text: string): Generator<Token> {
  let at = /^\s*(?:[-*+>#]{1,6}\s+|\d{1,4}[.)]\s+)*/.exec(text)?.[0].length ?? 0;
  const span = (length: number): Span => ({ start: at, end: at + length });
  while (at < text.length) {
    const character = text[at] ?? "";
    let token: Token | undefined;
    const masked = match(MASKED, text, at);
    const target = character === "]" ? match(TARGET, text, at) : undefined;
    if (masked !== undefined)
      // "today" counts as a period, and so does "3 days ago".
      token =
        masked === "⟨age⟩"
          ? { kind: "word", classes: PERIOD, ...span(masked.length) }
          : { kind: "masked", ...span(masked.length) };
    else if (target !== undefined) token = { kind: "seam", ...span(target.length) };
    else if (/\d/.test(character)) {
      token = readNumber(text, at);
      if (token === undefined) {
        const glued = match(ALPHANUMERIC_RUN, text, at) ?? character;
        token = { kind: "unknown", ...span(glued.length) };
      }
    } else if (/^[\p{L}\p{M}]/u.test(text.slice(at, at + 2))) {
      const east = match(CJK_TEXT, text, at);
      const word = east ?? match(WORD, text, at) ?? character;
      const classes = east === undefined ? getClasses(word.toLowerCase()) : findRunClasses(word);
      token =
        classes === undefined
          ? { kind: "unknown", ...span(word.length) }
          : { kind: "word", classes, ...span(word.length) };
    } else {
      const picture = match(PICTURE, text, at);
      if (picture !== undefined) {
        const classes = getClasses(picture.replace("\uFE0F", ""));
        token = {
          kind: classes === undefined ? "unknown" : "word",
          classes,
          ...span(picture.length),
        } as Token;
      } else if (/[·•|;,!?…‖、。；｜・•\n]/u.test(character)) token = { kind: "end", ...span(1) };
      // A word such as "no." continues with its number.
      else if (
        character === "." &&
        /(?:[\p{L}\p{M}]{4}|[\d)\]⟩])$/u.test(text.slice(Math.max(0, at - 8), at))
      )
        token = { kind: "end", ...span(1) };
      else if (/[–—-]/.test(character) && text[at - 1] === " " && text[at + 1] === " ")
        token = { kind: "end", ...span(1) };
      else if (/[()[\]:："“”„«»（）「」【】]/u.test(character))
        token = { kind: "seam", ...span(1) };
      else if (/[€$£¥₹%@=~+&^/]/u.test(character)) token = { kind: "unknown", ...span(1) };
    }
    if (token === undefined) at += 1;
    else {
      yield token;
      at = token.end;
    }
  }
}

/** Resolves tokens by the one before: "this week" and "since 2012". */
function readTogether(tokens: readonly Token[]): Token[] {
  return tokens.map((token, index) => {
    const before = tokens[index - 1];
    const follows = (name: WordClass): boolean =>
      before?.kind === "word" && before.classes.has(name);
    if (token.kind === "number" && token.isYear && follows("since"))
      return { kind: "masked", start: token.start, end: token.end };
    if (token.kind !== "word" || !token.classes.has("span")) return token;
    if (follows("demonstrative")) return { ...token, classes: PERIOD };
    return { kind: "unknown", start: token.start, end: token.end };
  });
}

function judge(tokens: readonly Token[], line: { readonly isWhole: boolean }): Judged {
  if (tokens.length > MAX_CLAUSE_TOKENS) return { tokens, role: "open", has: new Set() };
  const has = new Set<WordClass>();
  let numbers = 0;
  let years = 0;
  let isOpen = false;
  let isNamed = false;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "unknown") isOpen = true;
    if (token.kind === "number") {
      numbers += 1;
      if (token.isYear) years += 1;
      const next = tokens.slice(index + 1).find(({ kind }) => kind !== "seam");
      if (next?.kind === "word" && next.classes.has("single")) isNamed = true;
    }
    if (token.kind === "word") for (const name of token.classes) has.add(name);
  }
  if (numbers === 0) return { tokens, role: isOpen ? "open" : "none", has };
  if (isOpen || (years > 0 && numbers > 1)) return { tokens, role: "open", has };
  const hasOne = (...names: readonly WordClass[]): boolean => names.some((name) => has.has(name));
  const isCounter =
    isNamed ||
    has.has("counter") ||
    (has.has("verb") && hasOne("times", "person", "visitor")) ||
    (has.has("person") && has.has("active")) ||
    (has.has("active") && has.has("period")) ||
    (has.has("visitor") && hasOne("active", "period", "ordinal")) ||
    (has.has("summary") && hasOne("person", "visitor", "social")) ||
    // "Visitors: 48,210" as a line of its own.
    (has.has("visitor") && line.isWhole && numbers === 1) ||
    (has.has("active") && line.isWhole && numbers === 1 && tokens.length <= 4 && has.size === 1);
  if (isCounter) return { tokens, role: "counter", has };
  const isCandidate = hasOne("person", "visitor", "social", "period", "active", "times");
  return { tokens, role: isCandidate ? "candidate" : "open", has };
}

const hasNumber = (tokens: readonly Token[]): boolean =>
  tokens.some(({ kind }) => kind === "number");

function cut(tokens: readonly Token[], kind: "end" | "seam"): Token[][] {
  const parts: Token[][] = [[]];
  for (const token of tokens) {
    if (token.kind === kind) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.filter((part) => part.length > 0);
}

/** True if the line shows that a candidate is a counter, too: who is online, statistics, other counters. */
function isSupported({ has }: Judged, counters: readonly Judged[]): boolean {
  const others = new Set(counters.flatMap((one) => [...one.has]));
  if (has.has("person")) return others.has("active") || others.has("summary");
  return counters.length > 0;
}

/** Words that change with the number: "1 person is", "2 people are". */
const FOLLOWERS: readonly WordClass[] = [
  "counter",
  "single",
  "person",
  "visitor",
  "social",
  "active",
];
const COPULAS = new Set([
  "is",
  "are",
  "has",
  "have",
  "was",
  "were",
  "est",
  "sont",
  "a",
  "ont",
  "ist",
  "sind",
  "hat",
  "haben",
  "es",
  "son",
  "tiene",
  "tienen",
  "está",
  "están",
  "è",
  "sono",
  "ha",
  "hanno",
  "heeft",
  "hebben",
  "zijn",
  "tem",
  "têm",
]);

function toSpans(text: string, tokens: readonly Token[]): Span[] {
  const spans: Span[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "number") continue;
    let { end } = token;
    for (const next of tokens.slice(index + 1)) {
      const changes = (word: WordToken): boolean =>
        FOLLOWERS.some((name) => word.classes.has(name)) ||
        COPULAS.has(text.slice(word.start, word.end).toLowerCase());
      if (next.kind !== "word" || !changes(next)) break;
      ({ end } = next);
    }
    spans.push({ start: token.start, end });
  }
  return spans;
}

/** Returns the counters of a line, with the words that change with them, in order. Linear in its length. */
export function findCounters(text: string): Span[] {
  if (!/\d/.test(text)) return [];
  const clauses = cut(readTogether([...tokenize(text)]), "end");
  const isTableRow = text.trimStart().startsWith("|");
  const isWhole = clauses.length === 1 && !isTableRow;
  const found: Judged[] = [];
  const candidates: Judged[] = [];
  let isBlocked = false;
  for (const clause of clauses) {
    const judged = judge(clause, { isWhole });
    if (judged.role === "counter") found.push(judged);
    else if (judged.role === "candidate") candidates.push(judged);
    else if (judged.role === "open") {
      const parts = cut(clause, "seam").map((part) => judge(part, { isWhole: false }));
      const counters = parts.filter(({ role }) => role === "counter");
      found.push(...counters);
      if (parts.some(({ role, tokens }) => role !== "counter" && hasNumber(tokens)))
        isBlocked = true;
    }
  }
  const supported = isBlocked ? [] : candidates.filter((one) => isSupported(one, found));
  return [...found, ...supported]
    .flatMap(({ tokens }) => toSpans(text, tokens))
    .toSorted((one, other) => one.start - other.start);
}
