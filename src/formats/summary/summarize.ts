// Extractive summary: the sentences that represent the page best, early ones preferred, without
// repeats. Centroids (Radev et al. 2004) with maximal marginal relevance (Carbonell & Goldstein
// 1998).
import type { ContentReading } from "../page/content-text.ts";
import type { KeyFact } from "./key-facts.ts";
import { splitSentences, splitWords } from "./sentences.ts";

const MAX_SENTENCES = 400;
const TARGET_SENTENCES = 4;
const TARGET_CHARACTERS = 700;
/** Sentences with this share of common words are repeats. */
const MIN_REPEAT_SHARE = 0.6;

type Sentence = {
  readonly text: string;
  readonly at: number;
  readonly words: readonly string[];
  readonly firstOfParagraph: boolean;
};

/** A page with fewer characters of sentences is data rather than text. */
const MIN_PROSE = 300;
const MIN_FACTS = 3;

/**
 * Returns sentences of the page in its order, after its title if they do not name its topic. A page
 * with little text gives its title and key facts before them. With fewer than two sentences and
 * without facts it gives its description, and undefined without one: a title or a label has too
 * little information. `listFacts` is called for pages with little text only.
 */
export function summarise(
  reading: ContentReading,
  listFacts: () => readonly KeyFact[] = () => [],
): string | undefined {
  const { language, title } = reading;
  const sentences = listCandidates(reading);
  const prose = sentences.reduce((length, { text }) => length + text.length, 0);
  const facts = prose < MIN_PROSE && title !== "" ? listFacts() : [];
  const joiner = chooseJoiner(language);
  if (facts.length >= MIN_FACTS) {
    const list = facts.map(({ label, value }) => `${label}: ${value}`).join("; ");
    const unlabeled = sentences.filter(
      ({ text }) => !facts.some(({ label }) => text.startsWith(label)),
    );
    return [closeWith(title, joiner), closeWith(list, joiner), ...choose(unlabeled, reading)].join(
      joiner,
    );
  }
  if (sentences.length < 2) return describe(reading);
  const chosen = choose(sentences, reading);
  const names = namesTopic(chosen, reading);
  return [...(names ? [] : [closeWith(title, joiner)]), ...chosen].join(joiner);
}

/** The text as a sentence. */
const closeWith = (text: string, joiner: string): string =>
  /[.!?…。！？]$/u.test(text) ? text : `${text}${joiner === "" ? "。" : "."}`;

/** Share of the title's words that a summary must have to name the topic. */
const MIN_NAMED = 0.5;

function namesTopic(chosen: readonly string[], { title, language }: ContentReading): boolean {
  const wanted = new Set(splitWords(title, language));
  const words = new Set(splitWords(chosen.join(" "), language));
  const named = [...wanted].filter((word) => words.has(word)).length;
  return named >= wanted.size * MIN_NAMED;
}

/** The sentences that represent the page best, in its order. */
function choose(sentences: readonly Sentence[], { title, language }: ContentReading): string[] {
  if (sentences.length <= 2) return sentences.map(({ text }) => text);
  const weights = weigh(sentences, new Set(splitWords(title, language)));
  const scored = sentences.map((sentence) => ({
    sentence,
    score: scoreSentence(sentence, weights, sentences.length),
  }));
  const chosen: Sentence[] = [];
  let length = 0;
  for (const { sentence } of scored.toSorted((one, other) => other.score - one.score)) {
    if (chosen.length >= TARGET_SENTENCES || length >= TARGET_CHARACTERS) break;
    if (chosen.some((other) => measureOverlap(sentence, other) > MIN_REPEAT_SHARE)) continue;
    if (length > 0 && length + sentence.text.length > TARGET_CHARACTERS * 1.3) continue;
    chosen.push(sentence);
    length += sentence.text.length;
  }
  return chosen.toSorted((one, other) => one.at - other.at).map(({ text }) => text);
}

/** Languages without spaces between words have none between sentences. */
const chooseJoiner = (language: string): string => (/^(?:zh|ja|yue)/i.test(language) ? "" : " ");

const MIN_DESCRIPTION = 20;

function describe({ description = "" }: ContentReading): string | undefined {
  const text = description.trim().slice(0, 1_000);
  return text.length >= MIN_DESCRIPTION || (CJK.test(text) && text.length >= 8) ? text : undefined;
}

/** Sentences about the site and its use, not about the page's topic. */
const INTERFACE =
  /cookies?\b|java\s?script|your browser|ihr(?:en)? browser|votre navigateur|su navegador|(?:log|sign)\s?(?:in|up)\b|anmelden|registrier|connectez-vous|inscrivez-vous|inicia(?:r)? sesión|newsletter|subscrib|abonnier|abonnez|suscríb|click here|hier klicken|all rights reserved|alle rechte vorbehalten|tous droits réservés|terms (?:of|and)|privacy policy|datenschutz|add(?:ed)? to (?:your )?(?:cart|basket|bag|wish)|in den warenkorb|skip to|read more|weiterlesen|cookie/iu;

function listCandidates({ paragraphs, language }: ContentReading): Sentence[] {
  const found: Sentence[] = [];
  const seen = new Set<string>();
  for (const paragraph of paragraphs) {
    for (const [nth, text] of splitSentences(paragraph, language).entries()) {
      if (!isSentence(text) || seen.has(text)) continue;
      seen.add(text);
      found.push({
        text,
        at: found.length,
        words: splitWords(text, language),
        firstOfParagraph: nth === 0,
      });
    }
    if (found.length >= MAX_SENTENCES) break;
  }
  return found;
}

const CJK =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** A sentence ends with its mark, which quotes, brackets and note numbers may follow. Thai has none. */
const END = /(?:[.!…。！．।॥۔։።။]["'“”‘’«»›」』)\]]*(?:\[\d+\])*|\p{Script=Thai})$/u;
/** It begins with a letter or digit, after quotes and brackets, and no lower case letter. */
const START = /^["'“‘«‹„「『([¿¡]*(?:\p{Lu}|\p{Lt}|\p{Lo}|\p{N})/u;
/** The share of words without lower case letters: numbers, codes and units. */
const MAX_BARE_SHARE = 0.5;

/** True for the last sentence of a quotation without its beginning. */
const isHalfQuoted = (text: string): boolean =>
  (/[”]$/.test(text) && !/[“„”].*[”]$/su.test(text)) || (text.endsWith("»") && !text.includes("«"));

/** True for a real sentence: not a label, a list entry, a fragment or an overlong text. */
function isSentence(text: string): boolean {
  const isCjk = CJK.test(text);
  if (text.length < (isCjk ? 10 : 35) || text.length > 600) return false;
  if (!START.test(text) || !END.test(text) || isHalfQuoted(text)) return false;
  if (text.length < 200 && INTERFACE.test(text)) return false;
  if (isCjk) return true;
  const words = text.split(/\s+/);
  const bare = words.filter((word) => !/\p{Ll}|\p{Lo}/u.test(word)).length;
  return words.length >= 5 && bare <= words.length * MAX_BARE_SHARE;
}

/**
 * Weighs each word by frequency, discounting words that are everywhere; words of the title count
 * twice.
 */
function weigh(sentences: readonly Sentence[], title: ReadonlySet<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { words } of sentences)
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const weights = new Map<string, number>();
  for (const [word, count] of counts) {
    const share = count / sentences.length;
    // Words in most sentences of a text are function words.
    const isCommon = sentences.length > 6 && share > 0.3 && !title.has(word);
    const isShort = word.length < 4 && !CJK.test(word) && !title.has(word);
    const isNumber = /^[\d.,]+$/.test(word);
    if (isCommon || isShort || isNumber || count < 2) continue;
    weights.set(word, Math.log(1 + count) * (title.has(word) ? 2 : 1));
  }
  return weights;
}

function scoreSentence(
  { words, at, firstOfParagraph }: Sentence,
  weights: ReadonlyMap<string, number>,
  count: number,
): number {
  let sum = 0;
  for (const word of new Set(words)) sum += weights.get(word) ?? 0;
  const density = sum / Math.sqrt(words.length + 5);
  const early = at < 2 ? 1.5 : 1 + 0.3 * (1 - at / count);
  return density * early * (firstOfParagraph ? 1.1 : 1);
}

function measureOverlap(one: Sentence, other: Sentence): number {
  const words = new Set(one.words);
  const shared = new Set(other.words.filter((word) => words.has(word))).size;
  return shared / Math.max(1, Math.min(words.size, new Set(other.words).size));
}
