// Meanings of the names in a page. The same few dozen names occur thousands of times, so they are
// recognized in place: a substring per lookup would cost memory and hashing.

import { readCharCode, measureLength } from "./char-code-at.ts";

const SLOT_COUNT = 256;
const NO_NAMES: readonly string[] = Array.from({ length: SLOT_COUNT }, () => "");

/**
 * Caches the meaning of names until another name takes their slot. One per page, because it retains
 * the page's text.
 */
export class NameTable<Meaning> {
  readonly #read: (name: string) => Meaning;
  readonly #names: string[] = NO_NAMES.slice();
  readonly #meanings: Meaning[] = [];

  constructor(read: (name: string) => Meaning) {
    this.#read = read;
  }

  /**
   * Returns the meaning of the name from `start` (inclusive) to `end` (exclusive), which must not
   * be empty.
   */
  at(text: string, start: number, end: number): Meaning {
    const size = end - start;
    const middle = readCharCode(text, start + (size >> 1));
    const slot =
      (size + readCharCode(text, start) * 5 + middle * 17 + readCharCode(text, end - 1) * 37) &
      (SLOT_COUNT - 1);
    const known = this.#names[slot] as string;
    if (measureLength(known) === size && matchesAt(known, text, start))
      return this.#meanings[slot] as Meaning;
    const name = text.slice(start, end);
    const meaning = this.#read(name);
    this.#names[slot] = name;
    this.#meanings[slot] = meaning;
    return meaning;
  }
}

/** True if a text continues with a name at a position. Faster than `startsWith` for short names. */
export function matchesAt(name: string, text: string, start: number): boolean {
  const length = measureLength(name);
  for (let at = 0; at < length; at++)
    if (readCharCode(name, at) !== readCharCode(text, start + at)) return false;
  return true;
}
