// Where one piece of text ends and another begins with nothing between: whether a reader sees one word or two.

/**
 * Whether a word or number would run into another one that was drawn apart: "TentREI", "5.0Reviews",
 * "$117$145", "(3)reviews".
 */
export function readsAsOneWord(before: string, after: string): boolean {
  if (/[\p{Ll}%!?”]$/u.test(before)) return /^[\p{Lu}\p{Sc}\p{N}]/u.test(after);
  if (/\p{N}$/u.test(before)) return /^[\p{Lu}\p{Sc}\p{N}]/u.test(after);
  // A name in capitals and a word: "PULL&BEARFaux leather jacket".
  if (/\p{Lu}{2}$/u.test(before)) return /^\p{Lu}\p{Ll}/u.test(after);
  return before.endsWith(")") && /^[\p{L}\p{N}]/u.test(after);
}

/** Whether one word is cut in two: "Co", "ntact us". Scripts without small letters cut nowhere else than between two letters. */
export function isTornWord(before: string, after: string): boolean {
  return /[\p{Lu}\p{Ll}]$/u.test(before)
    ? /^\p{Ll}/u.test(after)
    : /\p{Lo}$/u.test(before) && /^\p{Lo}/u.test(after);
}

/** Scripts that set no blanks; a picture in the middle of their text may stand for a rare character. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
const ENDS_WORD = new RegExp(`[\\p{L}\\p{N}](?<![${UNSPACED}])$`, "u");
const BEGINS_WORD = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, "u");

/** Whether a picture and a word stand side by side with nothing between; a reader sees one beside or above the other. */
export function isBesidePicture(before: string, after: string): boolean {
  if (after.startsWith("![")) return ENDS_WORD.test(before);
  return before.startsWith("![") && BEGINS_WORD.test(after);
}
