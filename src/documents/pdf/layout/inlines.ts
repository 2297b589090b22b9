// Converts words to marked text: spaces for gaps, bold and italic, raised figures, links, joined
// hyphens.
import type { Inline } from "./block.ts";
import type { LinkArea, Word } from "../page-text.ts";

export type Vocabulary = ReadonlyMap<string, number>;

/**
 * Counts each word of the document. Parts of compounds count; parts of a word divided at a line end
 * do not.
 */
export function toVocabulary(words: Iterable<{ readonly text: string }>): Vocabulary {
  const counts = new Map<string, number>();
  for (const { text } of words) {
    if (DIVIDED.test(text)) continue;
    for (const [part] of text.toLowerCase().matchAll(/\p{L}+/gu))
      counts.set(part, (counts.get(part) ?? 0) + 1);
  }
  return counts;
}

const DIVIDED = /\p{L}[-\u00AD\u2010]$/u;

/**
 * True if a hyphen at the end of a line belongs to the word, because both parts are words of their
 * own.
 */
export function keepsHyphen(upper: string, lower: string, vocabulary: Vocabulary): boolean {
  const left = /\p{L}+$/u.exec(upper.slice(0, -1))?.[0].toLowerCase() ?? "";
  const right = /^\p{L}+/u.exec(lower)?.[0].toLowerCase() ?? "";
  if (vocabulary.has(left + right)) return false;
  if (upper.endsWith("-") && /^(?:self|cross|non|anti|high|well)$/.test(left) && right.length > 3)
    return true;
  // The second part starts its line, which counts once.
  return vocabulary.has(left) && (vocabulary.get(right) ?? 0) > 1;
}

export type InlineOptions = {
  readonly links: readonly LinkArea[];
  /** Word counts of the document. */
  readonly vocabulary?: Vocabulary;
  /** Omits bold, as in headings. */
  readonly plain?: boolean;
};

const MAX_RAISED_RATIO = 0.78;

/** Returns the text of consecutive lines. */
export function toInlines(lines: readonly (readonly Word[])[], options: InlineOptions): Inline[] {
  const content: Inline[] = [];
  for (const [index, line] of lines.entries()) {
    const size = Math.max(...line.map(({ face }) => face.size));
    const bottom = Math.max(...line.filter(({ face }) => face.size === size).map(({ y1 }) => y1));
    const words = line.flatMap((word) => cutAtLink(word, options.links));
    for (const [at, word] of words.entries()) {
      const before = words[at - 1];
      const first = index > 0 && at === 0;
      const joined =
        first &&
        (isAddressContinuation(content.at(-1), word, options.links) ||
          joinHyphen(content, word.text, options.vocabulary));
      const space =
        before === undefined
          ? first && !joined && !isWide(content, word)
          : needsSpace(before, word);
      const raised =
        word.confidence === undefined &&
        word.face.size < MAX_RAISED_RATIO * size &&
        word.y1 < bottom - 0.15 * size &&
        word.text.length < 6;
      push(content, word, { space, raised }, options);
    }
  }
  return content;
}

/** True if text continues without a space between lines, as in Chinese and Japanese. */
const isWide = (content: readonly Inline[], next: Word): boolean =>
  /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]$/u.test(content.at(-1)?.text ?? "") &&
  /^[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/u.test(next.text);

export function needsSpace(before: Word, word: Word): boolean {
  if (before.run === word.run) return true;
  return word.x0 - before.x1 > 0.13 * Math.max(before.face.size, word.face.size);
}

/** Joins a word that was divided at the end of a line. */
function joinHyphen(
  content: Inline[],
  next: string,
  vocabulary: Vocabulary = new Map<string, number>(),
): boolean {
  const last = content.at(-1);
  if (last === undefined || !DIVIDED.test(last.text) || !/^\p{Ll}/u.test(next)) return false;
  if (!keepsHyphen(last.text, next, vocabulary))
    content[content.length - 1] = { ...last, text: last.text.slice(0, -1) };
  return true;
}

function push(
  content: Inline[],
  word: Word,
  { space, raised }: { space: boolean; raised: boolean },
  { links, plain = false }: InlineOptions,
): void {
  const href = findLink(word, links);
  const { bold, italic, mono } = word.face;
  const last = content.at(-1);
  const mark: Inline = {
    text: word.text.replaceAll("\u00AD", ""),
    // In recognized text, only the weight of whole lines is known.
    bold: bold && !plain && word.confidence === undefined,
    italic: italic && !plain,
    mono: mono && !plain,
    raised,
    href,
  };
  if (last !== undefined && isSame(last, mark)) {
    content[content.length - 1] = { ...last, text: last.text + (space ? " " : "") + mark.text };
    return;
  }
  if (space && last !== undefined) content[content.length - 1] = { ...last, text: `${last.text} ` };
  content.push(mark);
}

const isSame = (one: Inline, other: Inline): boolean =>
  one.bold === other.bold &&
  one.italic === other.italic &&
  one.mono === other.mono &&
  one.raised === other.raised &&
  one.href === other.href;

/** True if a printed address continues on the next line as part of its link. */
function isAddressContinuation(
  last: Inline | undefined,
  word: Word,
  links: readonly LinkArea[],
): boolean {
  const href = last?.href;
  if (last === undefined || href === undefined || findLink(word, links) !== href) return false;
  const printed = last.text.slice(last.text.lastIndexOf(" ") + 1);
  return /[/.:?&=#]/.test(printed) && href.includes(printed + word.text);
}

/** Punctuation after a link and outside its area is not part of it. */
function cutAtLink(word: Word, links: readonly LinkArea[]): Word[] {
  const [, head, mark] = /^(.*[^\s.,;:!?)»”])([.,;:!?)»”]+)$/u.exec(word.text) ?? [];
  if (head === undefined || mark === undefined) return [word];
  const y = (word.y0 + word.y1) / 2;
  const border = word.x1 - (mark.length / word.text.length) * (word.x1 - word.x0);
  const area = links.find(
    ({ x0, x1, y0, y1 }) =>
      x0 < border && x1 > word.x0 + 1 && x1 < word.x1 - 1 && y >= y0 - 1 && y <= y1 + 1,
  );
  if (area === undefined) return [word];
  const end = Math.max(border, area.x1);
  return [
    { ...word, text: head, x1: end },
    { ...word, text: mark, x0: end, run: word.run + 0.5 },
  ];
}

function findLink(word: Word, links: readonly LinkArea[]): string | undefined {
  const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
  return links.find((area) => x >= area.x0 && x <= area.x1 && y >= area.y0 - 1 && y <= area.y1 + 1)
    ?.href;
}
