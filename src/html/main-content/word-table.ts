// Learned tables: how much a word, a pair of words or a name speaks for main content, as log odds by hash. The tables are data:
// words.json, made by scripts/train-main-content.ts.
import { addOdds, STEPS, type Sums } from "./odds-sums.ts";

/** Tables by what they are asked about, each packed as base64. */
export type PackedTables = Readonly<Record<TableName, string>>;
export const TABLE_NAMES = ["near", "far", "text", "heading", "label"] as const;
export type TableName = (typeof TABLE_NAMES)[number];
export type WordTables = Readonly<Record<TableName, WordTable>>;

/** A packed entry is a hash of four bytes and log odds in steps, one signed byte. */
const ENTRY = 5;

/** Unpacks tables once. */
export function unpackTables(packed: PackedTables): WordTables {
  const tables = TABLE_NAMES.map((name) => [name, new WordTable(entriesIn(packed[name]))] as const);
  return Object.fromEntries(tables) as Record<TableName, WordTable>;
}

function* entriesIn(packed: string): Generator<readonly [number, number]> {
  const bytes = Buffer.from(packed, "base64");
  for (let at = 0; at + ENTRY <= bytes.length; at += ENTRY)
    yield [bytes.readInt32LE(at), bytes.readInt8(at + 4) / STEPS];
}

/** Packs entries in the order of their hashes; log odds beyond 12.7 are cut to it. */
export function packTable(entries: Iterable<readonly [number, number]>): string {
  const sorted = [...entries].sort(([one], [two]) => one - two);
  const bytes = Buffer.alloc(sorted.length * ENTRY);
  sorted.forEach(([hash, odds], at) => {
    bytes.writeInt32LE(hash, at * ENTRY);
    bytes.writeInt8(Math.min(Math.max(Math.round(odds * STEPS), -127), 127), at * ENTRY + 4);
  });
  return bytes.toString("base64");
}

/** Bits, by the last digits of the hash, that say that a table may know it: most words are in none and end here. */
const MARKS = 2 ** 16;
/** What stands where no entry is; no log odds are that low. */
const FREE = -(2 ** 31);

/** Log odds by hash, in steps; open addressing, at most half full. */
export class WordTable {
  readonly #marks = new Int32Array(MARKS / 32);
  /** A hash and its log odds side by side. */
  readonly #entries: Int32Array;
  readonly #mask: number;
  /** Those of the hashes asked for that are marked. */
  #marked = new Int32Array(256);

  constructor(entries: Iterable<readonly [number, number]>) {
    const all = new Map(entries);
    const size = 2 ** Math.ceil(Math.log2(Math.max(all.size, 1) * 2));
    this.#mask = size - 1;
    this.#entries = new Int32Array(size * 2).fill(FREE);
    for (const [hash, odds] of all) {
      let at = hash & this.#mask;
      while (this.#entries[at * 2 + 1] !== FREE) at = (at + 1) & this.#mask;
      this.#entries[at * 2] = hash;
      this.#entries[at * 2 + 1] = Math.round(odds * STEPS);
      this.#marks[(hash & (MARKS - 1)) >>> 5]! |= 1 << (hash & 31);
    }
  }

  /** The log odds of a hash, NaN for one that the table does not know. */
  at(hash: number): number {
    const steps = this.#find(hash);
    return steps === FREE ? Number.NaN : steps / STEPS;
  }

  /** Adds the log odds of hashes that it knows, of those from `from` up to `to`, to the sums at `at`. */
  add(hashes: Int32Array, from: number, to: number, sums: Sums, at: number): void {
    if (to - from > this.#marked.length) this.#marked = new Int32Array(to - from);
    const marks = this.#marks;
    const marked = this.#marked;
    let count = 0;
    // Whether a word is marked is added up, not asked: no processor could guess the answer.
    for (let index = from; index < to; index++) {
      const hash = hashes[index]!;
      marked[count] = hash;
      count += (marks[(hash & (MARKS - 1)) >>> 5]! >>> (hash & 31)) & 1;
    }
    let known = 0;
    let sum = 0;
    let least = 0;
    let most = 0;
    for (let index = 0; index < count; index++) {
      const steps = this.#find(marked[index]!);
      if (steps === FREE) continue;
      if (known === 0 || steps < least) least = steps;
      if (known === 0 || steps > most) most = steps;
      known++;
      sum += steps;
    }
    if (known > 0) addOdds(sums, at, sum, known, least, most);
  }

  /** The log odds of a hash in steps, FREE for one that the table does not know. */
  #find(hash: number): number {
    const entries = this.#entries;
    let at = hash & this.#mask;
    while (entries[at * 2] !== hash) {
      if (entries[at * 2 + 1] === FREE) return FREE;
      at = (at + 1) & this.#mask;
    }
    return entries[at * 2 + 1]!;
  }
}
