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

const LABEL =
  /(?:^|[\s_-])(?:type|tags?|label|badge|name|value|chip|pill|version|category|required|optional|default|deprecated|param(?:eter)?|status)(?:$|[\s_-])/i;

/** Whether an element of these classes is a label or a value beside one: `param-type`, `tag`, `selected-value`. */
export const isLabel = (classes: string): boolean => LABEL.test(classes);

/** Whether two words meet with nothing between. */
export const meetAsWords = (before: string, after: string): boolean =>
  /[\p{L}\p{N}]{2}$/u.test(before) && /^[\p{L}\p{N}]{2}/u.test(after);

/** Whether one word is cut in two: "Co", "ntact us". Scripts without small letters cut nowhere else than between two letters. */
export function isTornWord(before: string, after: string): boolean {
  return /[\p{Lu}\p{Ll}]$/u.test(before)
    ? /^\p{Ll}/u.test(after)
    : /\p{Lo}$/u.test(before) && /^\p{Lo}/u.test(after);
}

/** Whether brackets or the marks of a name stand where two links meet, as in a signature: "[", "u8", "; 4]"; "foo", "(bar)". */
export const isPunctuated = (before: string, after: string): boolean =>
  /(?:[([{<&]|::)$/.test(before) || /^(?:[)\]},;>]|::|\((?!\d))/.test(after);

/** Scripts that set no blanks; a picture in the middle of their text may stand for a rare character. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
const ENDS_WORD = new RegExp(`[\\p{L}\\p{N}](?<![${UNSPACED}])$`, "u");
const BEGINS_WORD = new RegExp(`^(?![${UNSPACED}])[\\p{L}\\p{N}]`, "u");

/** Whether a picture and a word stand side by side with nothing between; a reader sees one beside or above the other. */
export function isBesidePicture(before: string, after: string): boolean {
  if (after.startsWith("![")) return ENDS_WORD.test(before);
  return before.startsWith("![") && BEGINS_WORD.test(after);
}
