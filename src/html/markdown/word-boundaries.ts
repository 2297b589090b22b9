// Decides whether two pieces of text without whitespace between them read as one word or two.

/**
 * True if two visually separate words or numbers would run together: "TentREI", "5.0Reviews",
 * "$117$145", "(3)reviews", "Mara K.Member".
 */
export function readsAsOneWord(before: string, after: string): boolean {
  if (/[\p{Ll}%!?”]$/u.test(before)) return /^[\p{Lu}\p{Sc}\p{N}]/u.test(after);
  if (/\p{N}$/u.test(before)) return /^[\p{Lu}\p{Sc}\p{N}]/u.test(after);
  // A name in capitals and a word: "PULL&BEARFaux leather jacket".
  if (/\p{Lu}{2}$/u.test(before)) return /^\p{Lu}\p{Ll}/u.test(after);
  if (/\s\p{Lu}\.$/u.test(before)) return /^\p{Lu}\p{Ll}/u.test(after);
  return before.endsWith(")") && /^[\p{L}\p{N}]/u.test(after);
}

const LABEL =
  /(?:^|[\s_-])(?:type|tags?|label|badge|name|value|chip|pill|version|category|required|optional|default|deprecated|param(?:eter)?|status)(?:$|[\s_-])/i;

/**
 * True if the classes mark a label or a value beside one: `param-type`, `tag`, `selected-value`.
 */
export const isLabel = (classes: string): boolean => LABEL.test(classes);

/** True if two words touch without whitespace. */
export const areTouchingWords = (before: string, after: string): boolean =>
  /[\p{L}\p{N}]{2}$/u.test(before) && /^[\p{L}\p{N}]{2}/u.test(after);

/**
 * True if one word is cut in two: "Co", "ntact us". In scripts without lower case, only a cut
 * between two letters counts.
 */
export function isSplitWord(before: string, after: string): boolean {
  return /[\p{Lu}\p{Ll}]$/u.test(before)
    ? /^\p{Ll}/u.test(after)
    : /\p{Lo}$/u.test(before) && /^\p{Lo}/u.test(after);
}

/**
 * True if brackets or punctuation of a name are at the boundary of two links, as in a signature:
 * "[", "u8", "; 4]"; "foo", "(bar)".
 */
export const isPunctuated = (before: string, after: string): boolean =>
  /(?:[([{<&]|::)$/.test(before) || /^(?:[)\]},;>]|::|\((?!\d))/.test(after);

/** Scripts without spaces. A picture inside their text may represent a rare character. */
const UNSPACED_SCRIPT = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
const ENDS_WORD = new RegExp(`[\\p{L}\\p{N}](?<![${UNSPACED_SCRIPT}])$`, "u");
const BEGINS_WORD = new RegExp(`^(?![${UNSPACED_SCRIPT}])[\\p{L}\\p{N}]`, "u");

/** True if words touch without whitespace, except in scripts without spaces. */
export const isPhraseBoundary = (before: string, after: string): boolean =>
  ENDS_WORD.test(before) && BEGINS_WORD.test(after);

/**
 * True if a picture and a word touch without whitespace. A reader sees one beside or above the
 * other.
 */
export function isBesidePicture(before: string, after: string): boolean {
  if (after.startsWith("![")) return ENDS_WORD.test(before);
  return before.startsWith("![") && BEGINS_WORD.test(after);
}
