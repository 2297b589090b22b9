// Learned tables: how much a word, a pair of words or a name speaks for main content, as log odds by hash. The tables are data:
// words.json, made by scripts/train-main-content.ts.

/** Tables by what they are asked about, each packed as base64. */
export type PackedTables = Readonly<Record<TableName, string>>;
export const TABLE_NAMES = ["near", "far", "text", "heading", "label"] as const;
export type TableName = (typeof TABLE_NAMES)[number];
export type WordTables = Readonly<Record<TableName, WordTable>>;

/** Log odds are told in steps of a tenth; a packed entry is a hash of four bytes and one signed byte. */
export const STEPS = 10;
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

/** Log odds by hash; open addressing, at most a quarter full. */
export class WordTable {
  readonly #marks = new Int32Array(MARKS / 32);
  readonly #hashes: Int32Array;
  readonly #odds: Float64Array;
  readonly #mask: number;

  constructor(entries: Iterable<readonly [number, number]>) {
    const all = new Map(entries);
    const size = 2 ** Math.ceil(Math.log2(Math.max(all.size, 1) * 4));
    this.#mask = size - 1;
    this.#hashes = new Int32Array(size);
    this.#odds = new Float64Array(size).fill(Number.NaN);
    for (const [hash, odds] of all) {
      let at = hash & this.#mask;
      while (!Number.isNaN(this.#odds[at]!)) at = (at + 1) & this.#mask;
      this.#hashes[at] = hash;
      this.#marks[(hash & (MARKS - 1)) >>> 5]! |= 1 << (hash & 31);
      this.#odds[at] = odds;
    }
  }

  /** The log odds of a hash, NaN for one that the table does not know. */
  at(hash: number): number {
    if ((this.#marks[(hash & (MARKS - 1)) >>> 5]! & (1 << (hash & 31))) === 0) return Number.NaN;
    let at = hash & this.#mask;
    while (this.#hashes[at] !== hash) {
      if (Number.isNaN(this.#odds[at]!)) return Number.NaN;
      at = (at + 1) & this.#mask;
    }
    return this.#odds[at]!;
  }
}
