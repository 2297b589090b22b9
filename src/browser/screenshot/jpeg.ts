// Stacks baseline JPEG pictures (ITU-T T.81) of one width without loss: quantized blocks stay
// unchanged. Each picture has its own Huffman codes, so symbols are rewritten with merged codes,
// and DC differences are recomputed across the seams.
import { setImmediate as nextTurn } from "node:timers/promises";
import { InternalError } from "../../errors.ts";
import {
  BitReader,
  BitWriter,
  buildCodes,
  buildLookup,
  mergeTables,
  type HuffmanTable,
} from "./huffman.ts";

type Component = {
  /** Blocks per unit of the scan. */
  readonly blocks: number;
  /** Keys of its tables. */
  readonly dc: number;
  readonly ac: number;
};

type Jpeg = {
  readonly width: number;
  readonly height: number;
  /** Pixels covered by a unit of the scan. */
  readonly unit: { readonly width: number; readonly height: number };
  readonly components: readonly Component[];
  /** All segments between the start and the frame header except Huffman tables, unchanged. */
  readonly preamble: Uint8Array;
  readonly frame: Uint8Array;
  readonly scan: Uint8Array;
  /** By class (0 DC, 1 AC) times 16 plus number. */
  readonly tables: ReadonlyMap<number, HuffmanTable>;
  readonly data: Uint8Array;
};

/** Units of work between event loop turns. */
const UNITS_PER_TURN = 4_000;
const createUnusableError = (why: string): InternalError =>
  new InternalError(`A picture of the browser is not a JPEG that can be joined: ${why}.`);

/**
 * Joins them from top to bottom. All must have the same width, quality and sampling, and all but
 * the last a height that is a multiple of their unit (at most 16 pixels); together at most 65,535
 * pixels.
 */
export async function joinJpegs(pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts = pictures.map(readJpeg);
  const [first] = parts;
  if (first === undefined) throw createUnusableError("there is none");
  const height = parts.reduce((sum, part) => sum + part.height, 0);
  if (height > 65_535) throw createUnusableError(`${height} pixels are too high`);
  for (const [index, part] of parts.entries()) {
    const alike = part.width === first.width && Buffer.compare(part.preamble, first.preamble) === 0;
    if (!alike) throw createUnusableError("it differs from the first");
    if (index < parts.length - 1 && part.height % part.unit.height !== 0)
      throw createUnusableError("its height is no multiple of its unit");
  }
  const tables = new Map<number, HuffmanTable>();
  for (const key of new Set(parts.flatMap((part) => [...part.tables.keys()])))
    tables.set(
      key,
      mergeTables(
        key < 16 ? "dc" : "ac",
        parts.flatMap((part) => part.tables.get(key) ?? []),
      ),
    );
  const frame = Buffer.from(first.frame);
  frame.writeUInt16BE(height, 5);
  const writer = new BitWriter();
  const means = first.components.map(() => 0);
  for (const part of parts) await transcodePart(part, tables, means, writer);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    first.preamble,
    frame,
    ...[...tables].map(([key, table]) => writeTableSegment(key, table)),
    first.scan,
    writer.finish(),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** `means` holds the DC value of the last written block of each component. */
async function transcodePart(
  part: Jpeg,
  tables: ReadonlyMap<number, HuffmanTable>,
  means: number[],
  writer: BitWriter,
): Promise<void> {
  const reader = new BitReader(part.data);
  const coders = part.components.map(({ blocks, dc, ac }) => ({
    blocks,
    dcIn: buildLookup(getTable(part.tables, dc)),
    acIn: buildLookup(getTable(part.tables, ac)),
    dcOut: buildCodes(getTable(tables, dc)),
    acOut: buildCodes(getTable(tables, ac)),
  }));
  const read = coders.map(() => 0);
  const units = Math.ceil(part.width / part.unit.width) * Math.ceil(part.height / part.unit.height);
  for (let unit = 0; unit < units; unit++) {
    for (const [index, coder] of coders.entries()) {
      for (let block = 0; block < coder.blocks; block++) {
        const mean = (read[index] ?? 0) + readDifference(reader, coder.dcIn);
        read[index] = mean;
        writeDifference(writer, coder.dcOut, mean - (means[index] ?? 0));
        means[index] = mean;
        copyRest(reader, coder.acIn, writer, coder.acOut);
      }
    }
    if (unit % UNITS_PER_TURN === 0) await nextTurn();
  }
}

function readDifference(reader: BitReader, lookup: Uint16Array): number {
  const size = reader.readSymbol(lookup);
  if (size < 0 || size > 11) throw createUnusableError("its data is damaged");
  const bits = reader.read(size);
  return size > 0 && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits;
}

function writeDifference(writer: BitWriter, codes: Uint32Array, difference: number): void {
  const size = 32 - Math.clz32(Math.abs(difference));
  writeCode(writer, codes, size);
  if (size > 0) writer.write(difference > 0 ? difference : difference + (1 << size) - 1, size);
}

/** The other 63 values of a block: each symbol gives the number of zeros and of following bits. */
function copyRest(
  reader: BitReader,
  lookup: Uint16Array,
  writer: BitWriter,
  codes: Uint32Array,
): void {
  for (let at = 1; at < 64; at++) {
    const symbol = reader.readSymbol(lookup);
    if (symbol < 0) throw createUnusableError("its data is damaged");
    writeCode(writer, codes, symbol);
    const size = symbol & 15;
    if (symbol === 0) return;
    at += symbol >> 4;
    if (size > 0) writer.write(reader.read(size), size);
  }
}

function writeCode(writer: BitWriter, codes: Uint32Array, symbol: number): void {
  const code = codes[symbol] ?? 0;
  if (code === 0) throw createUnusableError("a value has no code");
  writer.write(code >>> 8, code & 0xff);
}

function getTable(tables: ReadonlyMap<number, HuffmanTable>, key: number): HuffmanTable {
  const table = tables.get(key);
  if (table === undefined) throw createUnusableError("a table is missing");
  return table;
}

function writeTableSegment(key: number, { counts, symbols }: HuffmanTable): Uint8Array {
  const length = 2 + 1 + 16 + symbols.length;
  return Buffer.concat([
    Buffer.from([0xff, 0xc4, length >> 8, length & 0xff, key]),
    counts,
    symbols,
  ]);
}

function readJpeg(bytes: Uint8Array): Jpeg {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const preamble: Buffer[] = [];
  const tables = new Map<number, HuffmanTable>();
  let frame: Buffer | undefined;
  let at = 2;
  for (;;) {
    if (at + 4 > file.length || file[at] !== 0xff) throw createUnusableError("a marker is missing");
    const marker = file[at + 1] ?? 0;
    const segment = file.subarray(at, at + 2 + file.readUInt16BE(at + 2));
    at += segment.length;
    if (marker === 0xc0) frame = segment;
    else if (marker === 0xc4) readTables(segment.subarray(4), tables);
    else if (marker === 0xda) {
      if (frame === undefined) throw createUnusableError("it has no baseline frame");
      const data = file.subarray(at, file.lastIndexOf(Buffer.from([0xff, 0xd9])));
      const about = readFrame(frame, segment);
      return { ...about, preamble: Buffer.concat(preamble), frame, scan: segment, tables, data };
    } else if (marker === 0xdd || (marker > 0xc0 && marker < 0xd0))
      throw createUnusableError("it is not baseline, or has restart intervals");
    else preamble.push(segment);
  }
}

function readFrame(
  frame: Buffer,
  scan: Buffer,
): Pick<Jpeg, "width" | "height" | "unit" | "components"> {
  const count = frame[9] ?? 0;
  if (scan[4] !== count) throw createUnusableError("it has more than one scan");
  let horizontal = 1;
  let vertical = 1;
  const components: Component[] = [];
  for (let index = 0; index < count; index++) {
    const sampling = frame[11 + index * 3] ?? 0;
    const selector = scan[6 + index * 2] ?? 0;
    horizontal = Math.max(horizontal, sampling >> 4);
    vertical = Math.max(vertical, sampling & 15);
    components.push({
      blocks: (sampling >> 4) * (sampling & 15),
      dc: selector >> 4,
      ac: 16 + (selector & 15),
    });
  }
  return {
    height: frame.readUInt16BE(5),
    width: frame.readUInt16BE(7),
    unit: { width: 8 * horizontal, height: 8 * vertical },
    components,
  };
}

function readTables(content: Uint8Array, tables: Map<number, HuffmanTable>): void {
  for (let at = 0; at + 17 <= content.length;) {
    const key = content[at] ?? 0;
    const counts = content.subarray(at + 1, at + 17);
    const size = counts.reduce((sum, count) => sum + count, 0);
    tables.set(key, { counts, symbols: content.subarray(at + 17, at + 17 + size) });
    at += 17 + size;
  }
}
