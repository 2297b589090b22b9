// Huffman codes of baseline JPEG (ITU-T T.81, annexes C and F): reads a stream with one table and
// writes it with another.

/** Number of codes of 1 to 16 bits, and their symbols in code order. */
export type HuffmanTable = { readonly counts: Uint8Array; readonly symbols: Uint8Array };

/**
 * Lookup by the next 16 bits: code length in the upper byte, symbol in the lower; 0 if no code
 * matches.
 */
export function buildLookup({ counts, symbols }: HuffmanTable): Uint16Array {
  const lookup = new Uint16Array(65_536);
  visitCodes(counts, (length, code, index) => {
    const from = code << (16 - length);
    lookup.fill((length << 8) | (symbols[index] ?? 0), from, from + (1 << (16 - length)));
  });
  return lookup;
}

/** Code of each symbol in the upper bits with its length in the lowest byte; 0 if there is none. */
export function buildCodes({ counts, symbols }: HuffmanTable): Uint32Array {
  const codes = new Uint32Array(256);
  visitCodes(counts, (length, code, index) => {
    codes[symbols[index] ?? 0] = (code << 8) | length;
  });
  return codes;
}

function visitCodes(
  counts: Uint8Array,
  visit: (length: number, code: number, index: number) => void,
): void {
  let code = 0;
  let index = 0;
  for (let length = 1; length <= 16; length++) {
    for (let count = counts[length - 1] ?? 0; count > 0; count--) visit(length, code++, index++);
    code <<= 1;
  }
}

/**
 * Distribution of code lengths in the standard's typical tables (K.3), with room for every symbol.
 */
const SHAPES = {
  dc: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
  ac: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
};

/**
 * Builds one table for several streams: it contains all their symbols, those with short codes in
 * most streams first. Within some per cent of the optimum, without reading the data.
 */
export function mergeTables(
  kind: keyof typeof SHAPES,
  tables: readonly HuffmanTable[],
): HuffmanTable {
  const MAX_LENGTH = 17;
  const weight = new Map<number, number>();
  // Differences at a seam may have a size that occurs in neither picture.
  if (kind === "dc") for (let size = 0; size < 12; size++) weight.set(size, 0);
  for (const { counts, symbols } of tables)
    visitCodes(counts, (length, _code, index) => {
      const symbol = symbols[index] ?? 0;
      weight.set(symbol, (weight.get(symbol) ?? 0) + 2 ** (MAX_LENGTH - length));
    });
  const symbols = [...weight].sort((one, other) => other[1] - one[1]).map(([symbol]) => symbol);
  const counts = new Uint8Array(16);
  let left = symbols.length;
  for (const [at, room] of SHAPES[kind].entries()) {
    counts[at] = Math.min(room, left);
    left -= counts[at] ?? 0;
  }
  return { counts, symbols: Uint8Array.from(symbols) };
}

/**
 * Reads bits of entropy-coded data, in which a zero byte follows each 0xFF. Reads ones past the
 * end.
 */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;
  #bits = 0;
  #count = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the next symbol, or -1 if no code matches. */
  readSymbol(lookup: Uint16Array): number {
    this.#fill();
    const found = lookup[(this.#bits >>> (this.#count - 16)) & 0xffff] ?? 0;
    if (found === 0) return -1;
    this.#count -= found >> 8;
    return found & 0xff;
  }

  /** Returns the next bits as a number, at most 16. */
  read(count: number): number {
    if (count === 0) return 0;
    this.#fill();
    this.#count -= count;
    return (this.#bits >>> this.#count) & ((1 << count) - 1);
  }

  #fill(): void {
    while (this.#count <= 16) {
      const byte = this.#at < this.#bytes.length ? (this.#bytes[this.#at++] ?? 0xff) : 0xff;
      if (byte === 0xff && this.#bytes[this.#at] === 0) this.#at++;
      this.#bits = (this.#bits << 8) | byte;
      this.#count += 8;
    }
  }
}

/** Writes bits as entropy-coded data. */
export class BitWriter {
  #bytes = new Uint8Array(1 << 20);
  #length = 0;
  #bits = 0;
  #count = 0;

  /** At most 16 bits. */
  write(value: number, count: number): void {
    this.#bits = (this.#bits << count) | value;
    this.#count += count;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#push((this.#bits >>> this.#count) & 0xff);
    }
    this.#bits &= (1 << this.#count) - 1;
  }

  /** Returns the written bytes; the last byte is padded with ones. */
  finish(): Uint8Array {
    if (this.#count > 0) this.write((1 << (8 - this.#count)) - 1, 8 - this.#count);
    return this.#bytes.subarray(0, this.#length);
  }

  #push(byte: number): void {
    if (this.#length + 2 > this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
    if (byte === 0xff) this.#bytes[this.#length++] = 0;
  }
}
