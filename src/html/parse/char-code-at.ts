// Fast access to page texts. They have many internal representations in V8 (sliced or flat, one or
// two bytes), which makes property access megamorphic; that costs a third of splitting a page into
// blocks.

/**
 * Returns the character code at an index. The index must be valid, because an out-of-range access
 * deoptimizes all callers.
 */
export const readCharCode = (text: string, at: number): number =>
  String.prototype.charCodeAt.call(text, at);

/** Returns the length of a text. The concatenation gives the engine a known representation. */
export const measureLength = (text: string): number => (text + "").length;

export const startsWithCode = (text: string, code: number): boolean =>
  measureLength(text) > 0 && readCharCode(text, 0) === code;

export function endsWithCode(text: string, code: number): boolean {
  const last = measureLength(text) - 1;
  return last >= 0 && readCharCode(text, last) === code;
}
