// Reads single entries of a zip archive by name (APPNOTE.TXT 6.3.10), within bounds, for content
// that the office parser ignores.
import { crc32, inflateRawSync } from "node:zlib";

const END = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
const END_RECORD_BYTES = 22;
const MAX_COMMENT = 65_535;
const MAX_ENTRIES = 20_000;
const MAX_BYTES = 8 * 1024 * 1024;
const STORED_METHOD = 0;
const DEFLATED_METHOD = 8;

/**
 * Returns the texts of entries with matching names, up to 8 MiB together. Encrypted, damaged or
 * larger entries are skipped.
 */
export function readParts(bytes: Uint8Array, names: RegExp): Map<string, string> {
  const found = readPartBytes(bytes, names, MAX_BYTES);
  return new Map(Array.from(found, ([name, part]) => [name, part.toString("utf8")]));
}

/** Same as `readParts`, as bytes, up to the given total. */
export function readPartBytes(
  bytes: Uint8Array,
  names: RegExp,
  maxBytes: number,
): Map<string, Buffer> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = new Map<string, Buffer>();
  let left = maxBytes;
  try {
    for (const { name, at } of listEntries(file)) {
      if (!names.test(name) || left <= 0) continue;
      const part = readEntry(file, at, left);
      if (part === undefined) continue;
      found.set(name, part);
      left -= part.length;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // An offset outside the file ends the loop; earlier entries are kept.
  }
  return found;
}

/** True if there is an entry with this name; false if the file is not an archive. */
export function hasPart(bytes: Uint8Array, name: string): boolean {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return listEntries(file).some((entry) => entry.name === name);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Returns the archive with new content for existing entries, which is appended at the end. */
export function replaceParts(bytes: Uint8Array, parts: ReadonlyMap<string, Buffer>): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = listEntries(file);
  const start = entries[0]?.at ?? file.length;
  const bodies: Buffer[] = [file.subarray(0, start)];
  const directory: Buffer[] = [];
  let end = start;
  for (const { name, at } of entries) {
    const [nameLength, more] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30)];
    const length = 46 + nameLength + more + file.readUInt16LE(at + 32);
    const entry = Buffer.from(file.subarray(at, at + length));
    directory.push(entry);
    const content = parts.get(name);
    if (content === undefined) continue;
    entry.writeUInt16LE(entry.readUInt16LE(8) & ~8, 8); // sizes are in the header, not after the data
    entry.writeUInt16LE(STORED_METHOD, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt32LE(end, 42);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(LOCAL, 0);
    entry.copy(head, 4, 6, 30);
    head.writeUInt16LE(0, 28);
    const local = Buffer.concat([head, entry.subarray(46, 46 + nameLength), content]);
    bodies.push(local);
    end += local.length;
  }
  const size = directory.reduce((sum, entry) => sum + entry.length, 0);
  const tail = Buffer.alloc(END_RECORD_BYTES);
  tail.writeUInt32LE(END, 0);
  tail.writeUInt16LE(entries.length, 8);
  tail.writeUInt16LE(entries.length, 10);
  tail.writeUInt32LE(size, 12);
  tail.writeUInt32LE(end, 16);
  return Buffer.concat([...bodies, ...directory, tail]);
}

/** Returns names and offsets of the central directory entries. */
function listEntries(file: Buffer): { name: string; at: number }[] {
  let end = file.length - END_RECORD_BYTES;
  const first = Math.max(0, end - MAX_COMMENT);
  while (end >= first && file.readUInt32LE(end) !== END) end--;
  if (end < first) return [];
  const entries: { name: string; at: number }[] = [];
  let at = file.readUInt32LE(end + 16);
  while (entries.length < MAX_ENTRIES && file.readUInt32LE(at) === ENTRY) {
    const nameLength = file.readUInt16LE(at + 28);
    const more = file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    entries.push({ name: file.toString("utf8", at + 46, at + 46 + nameLength), at });
    at += 46 + nameLength + more;
    if (at + 4 > file.length) break;
  }
  return entries;
}

export type PackedPart = { readonly content: Buffer; readonly isDeflated: boolean };

/** Returns entries with matching names as they are packed; encrypted and damaged ones are skipped. */
export function listPackedParts(bytes: Uint8Array, names: RegExp): PackedPart[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: PackedPart[] = [];
  try {
    for (const { name, at } of listEntries(file)) {
      const part = names.test(name) ? findPacked(file, at) : undefined;
      if (part !== undefined) found.push(part);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

function findPacked(file: Buffer, at: number): PackedPart | undefined {
  const flags = file.readUInt16LE(at + 8);
  const method = file.readUInt16LE(at + 10);
  const packed = file.readUInt32LE(at + 20);
  const local = file.readUInt32LE(at + 42);
  if ((flags & 1) !== 0 || file.readUInt32LE(local) !== LOCAL) return undefined;
  if (method !== STORED_METHOD && method !== DEFLATED_METHOD) return undefined;
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  return {
    content: file.subarray(start, start + packed),
    isDeflated: method === DEFLATED_METHOD,
  };
}

function readEntry(file: Buffer, at: number, maxBytes: number): Buffer | undefined {
  const packed = findPacked(file, at);
  if (packed === undefined) return undefined;
  const { content } = packed;
  if (!packed.isDeflated) return content.length > maxBytes ? undefined : content;
  try {
    return inflateRawSync(content, { maxOutputLength: maxBytes });
  } catch {
    return undefined; // damaged or too large
  }
}
