// Entries of tables of contents: a title, dots that lead to the margin, the number of a page.
import type { Word } from "./page-text.ts";

const ENTRY = /\S\s*(?:(?:[.·]\s?){4,}|…{2,})\s*(?:\d{1,4}|[ivxlc]{1,7})$/i;
const LEADER = /(?:[.·]\s?){4,}|…{2,}/;

/** Of a line as long as a hostile page makes it, its end says enough. */
const MAX_CHARACTERS = 300;

export const isContentsEntry = (words: readonly Word[]): boolean =>
  words.length > 1 &&
  ENTRY.test(
    words
      .slice(-MAX_CHARACTERS)
      .map(({ text }) => text)
      .join(" ")
      .slice(-MAX_CHARACTERS),
  );

/** The words of an entry with one sign for all its dots. */
export function withoutLeader(words: readonly Word[]): Word[] {
  let isLed = false;
  return words.flatMap((word): Word[] => {
    const isDots = /^[.·…]+$/.test(word.text);
    if (!isDots && !LEADER.test(word.text)) return [word];
    const text = isDots ? "…" : word.text.replace(LEADER, "…");
    // Dots may stand word by word.
    const isFurther = isDots && isLed;
    isLed = true;
    return isFurther ? [] : [{ ...word, text }];
  });
}
