// Writes a ZIP archive as a stream (APPNOTE.TXT 6.3.10), with Zip64 records where sizes need them.
import { promisify } from "node:util";
import { crc32, deflateRaw, deflateRawSync } from "node:zlib";

export type ZipFile = {
  /** Path with `/`, without a leading one. Each name is used once. */
  readonly name: string;
  readonly bytes: Uint8Array;
};

const deflateAside = promisify(deflateRaw);

/** Compression gains nothing below this size. */
const TINY_BYTES = 64;
/** A small file is compressed faster than a thread is woken for it. */
const SMALL_BYTES = 16_384;

async function pack(bytes: Uint8Array): Promise<{ method: number; packed: Uint8Array }> {
  if (bytes.byteLength <= TINY_BYTES) return { method: STORED, packed: bytes };
  const packed =
    bytes.byteLength <= SMALL_BYTES
      ? deflateRawSync(bytes, { level: LEVEL })
      : await deflateAside(bytes, { level: LEVEL });
  return { method: DEFLATE, packed };
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Version that the central directory is made for: Unix, 4.5 (Zip64). */
const MADE_BY = (3 << 8) | 45;
const NEEDS_DEFLATE = 20;
const NEEDS_ZIP64 = 45;
/** Names are UTF-8 (section 4.4.4, bit 11). */
const UTF8_NAMES = 1 << 11;
const STORED = 0;
const DEFLATE = 8;
/** A regular file that its owner may write and everybody may read. */
const UNIX_MODE = 0o100644;
/** Pages are text: higher levels cost time and save little. */
const LEVEL = 5;

/**
 * Yields the bytes of an archive of the files. Only one file and the directory of names are in
 * memory. `at` is the time of all files, in milliseconds since the epoch.
 */
export async function* writeZip(
  files: AsyncIterable<ZipFile>,
  at: number,
): AsyncGenerator<Uint8Array> {
  const time = toDosTime(at);
  const directory: Buffer[] = [];
  let offset = 0;
  for await (const { name, bytes } of files) {
    const written = Buffer.from(name);
    const { method, packed } = await pack(bytes);
    const facts = buildFacts({ time, bytes, method, packed, nameBytes: written.byteLength });
    const header = Buffer.alloc(4);
    header.writeUInt32LE(LOCAL_HEADER);
    directory.push(buildDirectoryEntry(facts, written, offset));
    yield Buffer.concat([header, facts, written, packed]);
    offset += header.byteLength + facts.byteLength + written.byteLength + packed.byteLength;
  }
  let sizeBytes = 0;
  for (const entry of directory) {
    sizeBytes += entry.byteLength;
    yield entry;
  }
  yield buildEnd({ count: directory.length, sizeBytes, offset });
}

/** The fields that a file's header and its entry in the directory share (section 4.3.7). */
function buildFacts(file: {
  readonly time: { readonly date: number; readonly time: number };
  readonly bytes: Uint8Array;
  readonly method: number;
  readonly packed: Uint8Array;
  readonly nameBytes: number;
}): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(NEEDS_DEFLATE, 0);
  facts.writeUInt16LE(UTF8_NAMES, 2);
  facts.writeUInt16LE(file.method, 4);
  facts.writeUInt16LE(file.time.time, 6);
  facts.writeUInt16LE(file.time.date, 8);
  facts.writeUInt32LE(crc32(file.bytes), 10);
  facts.writeUInt32LE(file.packed.byteLength, 14);
  facts.writeUInt32LE(file.bytes.byteLength, 18);
  facts.writeUInt16LE(file.nameBytes, 22);
  return facts;
}

/** Section 4.3.12; an offset beyond 4 GB goes to a Zip64 field (section 4.5.3). */
function buildDirectoryEntry(facts: Buffer, name: Buffer, offset: number): Buffer {
  const isFar = offset >= MAX_32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  const head = Buffer.alloc(6);
  head.writeUInt32LE(CENTRAL_HEADER, 0);
  head.writeUInt16LE(MADE_BY, 4);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(UNIX_MODE * 0x10000, 6);
  tail.writeUInt32LE(isFar ? MAX_32 : offset, 10);
  const own = Buffer.from(facts);
  if (isFar) {
    own.writeUInt16LE(NEEDS_ZIP64, 0);
    own.writeUInt16LE(extra.byteLength, 24);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  return Buffer.concat([head, own, tail, name, extra]);
}

/** Sections 4.3.14 to 4.3.16. */
function buildEnd(directory: {
  readonly count: number;
  readonly sizeBytes: number;
  readonly offset: number;
}): Buffer {
  const { count, sizeBytes, offset } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(sizeBytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (count < MAX_16 && sizeBytes < MAX_32 && offset < MAX_32) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(ZIP64_END, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(MADE_BY, 12);
  large.writeUInt16LE(NEEDS_ZIP64, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(sizeBytes), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(ZIP64_LOCATOR, 0);
  locator.writeBigUInt64LE(BigInt(offset + sizeBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

/** Date and time in UTC with a resolution of two seconds; the format begins in 1980. */
function toDosTime(at: number): { readonly date: number; readonly time: number } {
  const when = new Date(Math.max(at, Date.UTC(1980, 0, 1)));
  return {
    date:
      ((when.getUTCFullYear() - 1980) << 9) | ((when.getUTCMonth() + 1) << 5) | when.getUTCDate(),
    time: (when.getUTCHours() << 11) | (when.getUTCMinutes() << 5) | (when.getUTCSeconds() >> 1),
  };
}
