// What the names in a page stand for. The same few dozen stand there thousands of times, so they are recognised where they
// stand: cutting each out to look it up takes memory, and a number of it to be found by.

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
    const middle = text.charCodeAt(start + (size >> 1));
    const slot =
      (size + text.charCodeAt(start) * 5 + middle * 17 + text.charCodeAt(end - 1) * 37) &
      (SLOTS - 1);
    const known = this.#names[slot] as string;
    if (known.length === size && standsAt(known, text, start))
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
  for (let at = 0; at < name.length; at++)
    if (name.charCodeAt(at) !== text.charCodeAt(start + at)) return false;
  return true;
}
