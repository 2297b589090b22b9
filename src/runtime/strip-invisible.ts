// Invisible characters: zero-width spaces, bidirectional controls, Unicode tags, control codes.
// Text hidden in them reaches a language model.

/** Code point ranges, as numbers because the characters are invisible. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0b],
  [0x0e, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  // Tags and the supplementary variation selectors.
  [0xe0000, 0xe0fff],
];
const INVISIBLE = new RegExp(
  `[${RANGES.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`).join("")}]`,
  "u",
);
/** A run of variation selectors can spell words; a single one chooses the look of a character. */
const SELECTORS = String.raw`[\ufe00-\ufe0e]{2,}`;
const INVISIBLE_ALL = new RegExp(`${INVISIBLE.source}|${SELECTORS}`, "gu");
/** Fast path: nearly all text passes this cheaper test. */
const UNUSUAL = /[^ -~\s]/;
/** Joiners shape Arabic, Indic scripts and emoji, so they stay between two non-ASCII characters. */
const JOINER = /[\u200c\u200d]/;

/** Removes invisible characters. Joiners that shape letters or emoji stay. */
export function stripInvisible(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  return text.replace(INVISIBLE_ALL, (found, offset: number) =>
    JOINER.test(found) && isShaped(text, offset - 1) && isShaped(text, offset + 1) ? found : "",
  );
}

function isShaped(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code > 0xff && !INVISIBLE.test(text[index] ?? "");
}
