// Checks a model's text against the page sentence by sentence and drops each one with a number,
// date or name that is not on the page.
import { readDates, readNumbers } from "./stated-values.ts";
import { splitSentences } from "../summary/sentences.ts";

export type VerifiedText = {
  /** The text without the dropped sentences; "" if none is left. */
  readonly text: string;
  /** Claims missing on the page, one entry for each dropped sentence. */
  readonly dropped: readonly string[];
};

/** Months and weekdays are compared as dates, and are written differently in other languages. */
const CALENDAR =
  /^(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so)\p{L}*$/iu;
/** Languages that capitalize nouns: there a single capital does not mark a name. */
const CAPITAL_NOUNS = /^(?:de|lb|als)/i;
const NAME =
  /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{M}\p{N}'’.-]*)(?:\s\p{Lu}[\p{L}\p{M}\p{N}'’.-]*)*/gu;

/** A warning that names the dropped parts; none if nothing was dropped. */
export const warnOfDropped = (format: string, { dropped }: VerifiedText): string[] =>
  dropped.length === 0
    ? []
    : [
        `${format}: ${dropped.length === 1 ? "a sentence was" : `${dropped.length} sentences were`} dropped because the page does not contain ${dropped
          .slice(0, 5)
          .map((part) => JSON.stringify(part.slice(0, 60)))
          .join(", ")}.`,
      ];

/** `language` of the answer, "" if unknown; `question` may contain names that the page lacks. */
export function verifySentences(
  answer: string,
  page: string,
  { language = "", question = "" }: { readonly language?: string; readonly question?: string } = {},
): VerifiedText {
  const written = isGerman(answer) ? "de" : language;
  const index = new PageIndex(`${page}\n${question}`);
  const dropped: string[] = [];
  const lines = answer.split("\n").map((line) => {
    const sentences = splitSentences(line, written);
    const kept = sentences.filter((sentence) => {
      const missing = index.findMissing(sentence, written);
      if (missing !== undefined) dropped.push(missing);
      return missing === undefined;
    });
    if (kept.length === sentences.length) return line;
    return kept.join(/[\p{Script=Han}\p{Script=Hiragana}]/u.test(line) ? "" : " ");
  });
  const text = lines
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  // A list marker alone is not a sentence.
  return { text: /\p{L}/u.test(text) ? text : "", dropped };
}

/** Answers may be in another language than the page. */
const isGerman = (text: string): boolean =>
  (text.match(/(?<!\p{L})(?:der|die|das|und|ist|ein|eine|nicht|mit|von|wird)(?!\p{L})/giu) ?? [])
    .length *
    12 >
  text.split(/\s+/).length;

const fold = (text: string): string =>
  ` ${text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

class PageIndex {
  readonly #folded: string;
  readonly #numbers: ReadonlySet<number>;
  readonly #text: string;
  #dates: ReadonlySet<string> | undefined;

  constructor(page: string) {
    this.#text = page;
    this.#folded = fold(page);
    this.#numbers = new Set(readNumbers(page).flatMap(({ amounts }) => amounts));
  }

  /** The first number, date or name of a sentence that is not on the page. */
  findMissing(sentence: string, language: string): string | undefined {
    const body = sentence.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, "");
    for (const { amounts, at, end } of readNumbers(body))
      if (!amounts.some((amount) => this.#numbers.has(amount) || this.#numbers.has(-amount)))
        return body.slice(at, end).trim();
    const dates = readDates(body);
    if (dates.size > 0) {
      this.#dates ??= readDates(this.#text);
      const known = this.#dates;
      if (![...dates].some((date) => known.has(date))) return [...dates][0];
    }
    return this.#findMissingName(body, language);
  }

  #findMissingName(sentence: string, language: string): string | undefined {
    for (const { 0: name, index } of sentence.matchAll(NAME)) {
      const words = name.split(/\s/);
      const isFirst = !/[\p{L}\p{N}]/u.test(sentence.slice(0, index));
      // The first word of a sentence is always capitalized.
      const rest = isFirst ? words.slice(1) : words;
      if (CAPITAL_NOUNS.test(language) && rest.length < 2) continue;
      const unknown = rest.find((word) => !this.#has(word));
      if (
        unknown !== undefined &&
        !(CAPITAL_NOUNS.test(language) && words.some((word) => this.#has(word)))
      )
        return name;
    }
    return undefined;
  }

  #has(word: string): boolean {
    const folded = fold(word).trim();
    if (folded.length < 2 || CALENDAR.test(folded)) return true;
    const stem = folded.replace(/(?: s|s)$/, "");
    return (
      this.#folded.includes(` ${folded} `) || (stem.length > 2 && this.#folded.includes(` ${stem}`))
    );
  }
}
