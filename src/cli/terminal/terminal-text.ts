// Text from elsewhere on a terminal: without control characters, and no wider than the available
// columns.

/**
 * Ideographs, Hangul, kana, full-width forms and emoji take two columns (Unicode Standard Annex
 * 11).
 */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WITHOUT_WIDTH = /[\p{M}\u200b]/u;

const measureCharacter = (character: string): number =>
  WITHOUT_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;

/** Returns the columns of a text without control characters. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += measureCharacter(character);
  return width;
}

/**
 * Makes a single line that a terminal only displays: removes escape sequences and text direction
 * controls.
 */
export function toPlainLine(text: string): string {
  return text
    .replaceAll(/[\s\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu, (run) =>
      /\s/.test(run) ? " " : "",
    )
    .trim();
}

/** Clips the text to `columns` with an ellipsis. */
export function clip(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let kept = "";
  let width = 0;
  for (const character of text) {
    const next = width + measureCharacter(character);
    if (next > columns - 1) break;
    kept += character;
    width = next;
  }
  return columns < 1 ? "" : `${kept}…`;
}

/** Clips a URL in the middle: host and last part identify the page. */
export function clipMiddle(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  const head = Math.max(0, Math.floor((columns - 1) / 2));
  const start = clip(text, head + 1).replace(/…$/, "");
  let end = "";
  let width = measureWidth(start) + 1;
  for (const character of Array.from(text).toReversed()) {
    width += measureCharacter(character);
    if (width > columns) break;
    end = character + end;
  }
  return columns < 1 ? "" : `${start}…${end}`;
}
