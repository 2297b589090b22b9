// Marks the words of a query in a text.
import type { ComponentChildren } from "preact";
import { dom } from "../../ui/dom.ts";

const MAX_WORDS = 20;
/** Shorter beginnings of words would mark half of the text. */
const MIN_CHARACTERS = 5;

/** The words of a query without its operators. */
export function splitWords(query: string): string[] {
  const words = query
    .toLowerCase()
    .replaceAll(/(?:^|\s)-(?:"[^"]*"|\S+)/g, " ")
    .replaceAll(/\b(?:site|inurl|allinurl|filetype):\S+/g, " ")
    .replaceAll(/\b(?:intitle|allintitle):/g, " ")
    .match(/[\p{L}\p{N}_]+/gu);
  return [...new Set((words ?? []).filter((word) => word !== "or"))].slice(0, MAX_WORDS);
}

/** A longer word also matches by its beginning: "ferries" is found by "ferry". */
const isMatch = (word: string, sought: readonly string[]): boolean => {
  const lower = word.toLowerCase();
  return sought.some(
    (one) =>
      lower === one ||
      lower === `${one}s` ||
      (one.length >= MIN_CHARACTERS && lower.startsWith(one.slice(0, -1))),
  );
};

export function markWords(text: string, query: string): ComponentChildren[] {
  const sought = splitWords(query);
  if (sought.length === 0) return [text];
  return text
    .split(/([\p{L}\p{N}_]+)/u)
    .map((part, index) => (index % 2 === 1 && isMatch(part, sought) ? dom.mark(null, part) : part));
}
