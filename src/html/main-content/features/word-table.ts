// Learned tables: log odds by hash that say how strongly a word, a word pair or a name indicates
// main content. The tables are data: words.json, trained by scripts/train-main-content.ts.
import { addOdds, STEPS_PER_UNIT, type Sums } from "./odds-sums.ts";

/** Tables by subject, each packed as base64. */
export type PackedTables = Readonly<Record<TableName, string>>;
export const TABLE_NAMES = ["near", "far", "text", "heading", "label"] as const;
export type TableName = (typeof TABLE_NAMES)[number];
export type WordTables = Readonly<Record<TableName, WordTable>>;

/** A packed entry is a 4-byte hash and its log odds in steps as one signed byte. */
const ENTRY_BYTES = 5;

/** Unpacks the tables once. */
export function unpackTables(packed: PackedTables): WordTables {
  const tables = TABLE_NAMES.map(
    (name) => [name, new WordTable(iterateEntries(packed[name]))] as const,
  );
  return Object.fromEntries(tables) as Record<TableName, WordTable>;
}

function* iterateEntries(packed: string): Generator<readonly [number, number]> {
  const bytes = Buffer.from(packed, "base64");
  for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES)
    yield [bytes.readInt32LE(at), bytes.readInt8(at + 4) / STEPS_PER_UNIT];
}

/** Packs entries in hash order. Log odds are clamped to ±12.7. */
export function packTable(entries: Iterable<readonly [number, number]>): string {
  const sorted = [...entries].sort(([one], [two]) => one - two);
  const bytes = Buffer.alloc(sorted.length * ENTRY_BYTES);
  sorted.forEach(([hash, odds], at) => {
    bytes.writeInt32LE(hash, at * ENTRY_BYTES);
    bytes.writeInt8(
      Math.min(Math.max(Math.round(odds * STEPS_PER_UNIT), -127), 127),
      at * ENTRY_BYTES + 4,
    );
  });
  return bytes.toString("base64");
}

/**
 * Bitmap by the low bits of the hash that marks possible entries. Most words are in no table and
 * end here.
 */
const BITMAP_BITS = 2 ** 16;
/** Marks a free slot; no log odds are that low. */
const EMPTY_SLOT = -(2 ** 31);

/** Log odds by hash, in steps. Open addressing, at most half full. */
export class WordTable {
  readonly #marks = new Int32Array(BITMAP_BITS / 32);
  /** Hashes and their log odds, interleaved. */
  readonly #entries: Int32Array;
  readonly #mask: number;
  /** Buffer for the requested hashes that are marked. */
  #marked = new Int32Array(256);

  constructor(entries: Iterable<readonly [number, number]>) {
    const all = new Map(entries);
    const size = 2 ** Math.ceil(Math.log2(Math.max(all.size, 1) * 2));
    this.#mask = size - 1;
    this.#entries = new Int32Array(size * 2).fill(EMPTY_SLOT);
    for (const [hash, odds] of all) {
      let at = hash & this.#mask;
      while (this.#entries[at * 2 + 1] !== EMPTY_SLOT) at = (at + 1) & this.#mask;
      this.#entries[at * 2] = hash;
      this.#entries[at * 2 + 1] = Math.round(odds * STEPS_PER_UNIT);
      this.#marks[(hash & (BITMAP_BITS - 1)) >>> 5]! |= 1 << (hash & 31);
    }
  }

  /** Returns the log odds of a hash, or NaN if unknown. */
  at(hash: number): number {
    const steps = this.#find(hash);
    return steps === EMPTY_SLOT ? Number.NaN : steps / STEPS_PER_UNIT;
  }

  /**
   * Adds the log odds of the known hashes from `from` (inclusive) to `to` (exclusive) to the sums
   * at `at`.
   */
  add(hashes: Int32Array, from: number, to: number, sums: Sums, at: number): void {
    if (to - from > this.#marked.length) this.#marked = new Int32Array(to - from);
    const marks = this.#marks;
    const marked = this.#marked;
    let count = 0;
    // Adds the mark instead of branching on it, because no CPU could predict the branch.
    for (let index = from; index < to; index++) {
      const hash = hashes[index]!;
      marked[count] = hash;
      count += (marks[(hash & (BITMAP_BITS - 1)) >>> 5]! >>> (hash & 31)) & 1;
    }
    let known = 0;
    let sum = 0;
    let least = 0;
    let most = 0;
    for (let index = 0; index < count; index++) {
      const steps = this.#find(marked[index]!);
      if (steps === EMPTY_SLOT) continue;
      if (known === 0 || steps < least) least = steps;
      if (known === 0 || steps > most) most = steps;
      known++;
      sum += steps;
    }
    if (known > 0) addOdds(sums, at, sum, known, least, most);
  }

  /** Returns the log odds of a hash in steps, or EMPTY_SLOT if unknown. */
  #find(hash: number): number {
    const entries = this.#entries;
    let at = hash & this.#mask;
    while (entries[at * 2] !== hash) {
      if (entries[at * 2 + 1] === EMPTY_SLOT) return EMPTY_SLOT;
      at = (at + 1) & this.#mask;
    }
    return entries[at * 2 + 1]!;
  }
}
