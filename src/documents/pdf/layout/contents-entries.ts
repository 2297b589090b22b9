// Entries of tables of contents: a title, leader dots, a page number.
import type { Word } from "../page-text.ts";

const ENTRY = /\S\s*(?:(?:[.·]\s?){4,}|…{2,})\s*(?:\d{1,4}|[ivxlc]{1,7})$/i;
const LEADER = /(?:[.·]\s?){4,}|…{2,}/;

/** Characters read from the end of an overlong line. */
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

/** Returns the words of an entry with its leader dots reduced to one sign. */
export function stripLeader(words: readonly Word[]): Word[] {
  let isLed = false;
  return words.flatMap((word): Word[] => {
    const isDots = /^[.·…]+$/.test(word.text);
    if (!isDots && !LEADER.test(word.text)) return [word];
    const text = isDots ? "…" : word.text.replace(LEADER, "…");
    // Leader dots may be separate words.
    const isFurther = isDots && isLed;
    isLed = true;
    return isFurther ? [] : [{ ...word, text }];
  });
}
