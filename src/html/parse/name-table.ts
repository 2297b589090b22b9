// What the names in a page stand for. The same few dozen stand there thousands of times, so they are recognised where they
// stand: cutting each out to look it up takes memory, and a number of it to be found by.

import { codeAt, lengthOf } from "./char-code-at.ts";

const SLOTS = 256;
const NO_NAMES: readonly string[] = Array.from({ length: SLOTS }, () => "");

/** Remembers what was read of each name, where no other name has taken its place. For one page: it holds on to its text. */
export class NameTable<Meaning> {
  readonly #read: (name: string) => Meaning;
  readonly #names: string[] = NO_NAMES.slice();
  readonly #meanings: Meaning[] = [];

  constructor(read: (name: string) => Meaning) {
    this.#read = read;
  }

  /** What the name from `start` up to `end` of a text stands for; it has one letter at least. */
  at(text: string, start: number, end: number): Meaning {
    const size = end - start;
    const middle = codeAt(text, start + (size >> 1));
    const slot =
      (size + codeAt(text, start) * 5 + middle * 17 + codeAt(text, end - 1) * 37) & (SLOTS - 1);
    const known = this.#names[slot] as string;
    if (lengthOf(known) === size && standsAt(known, text, start))
      return this.#meanings[slot] as Meaning;
    const name = text.slice(start, end);
    const meaning = this.#read(name);
    this.#names[slot] = name;
    this.#meanings[slot] = meaning;
    return meaning;
  }
}

/** Whether a text goes on with a name at a place. Shorter than a call of `startsWith` for names of a few letters. */
export function standsAt(name: string, text: string, start: number): boolean {
  const length = lengthOf(name);
  for (let at = 0; at < length; at++)
    if (codeAt(name, at) !== codeAt(text, start + at)) return false;
  return true;
}
