// Single parts of a zip archive by name (APPNOTE.TXT 6.3.10), within bounds: for what the parser of office files leaves out.
import { inflateRawSync } from "node:zlib";

const END = 0x06_05_4b_50;
const ENTRY = 0x02_01_4b_50;
const LOCAL = 0x04_03_4b_50;
const END_LENGTH = 22;
const MOST_COMMENT = 65_535;
const MOST_ENTRIES = 20_000;
const MOST_BYTES = 8 * 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;

/**
 * The texts of the parts whose names fit, by name, of 8 MiB together at most; what is encrypted, damaged or larger is left out.
 */
export function readParts(bytes: Uint8Array, names: RegExp): Map<string, string> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = new Map<string, string>();
  let left = MOST_BYTES;
  try {
    for (const { name, at } of entriesOf(file)) {
      if (!names.test(name) || left <= 0) continue;
      const text = readEntry(file, at, left);
      if (text === undefined) continue;
      found.set(name, text.toString("utf8"));
      left -= text.length;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Numbers that lead out of the file: what was read before stands.
  }
  return found;
}

/** Names and places of the entries of the central directory. */
function entriesOf(file: Buffer): { name: string; at: number }[] {
  let end = file.length - END_LENGTH;
  const first = Math.max(0, end - MOST_COMMENT);
  while (end >= first && file.readUInt32LE(end) !== END) end--;
  if (end < first) return [];
  const entries: { name: string; at: number }[] = [];
  let at = file.readUInt32LE(end + 16);
  while (entries.length < MOST_ENTRIES && file.readUInt32LE(at) === ENTRY) {
    const nameLength = file.readUInt16LE(at + 28);
    const more = file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    entries.push({ name: file.toString("utf8", at + 46, at + 46 + nameLength), at });
    at += 46 + nameLength + more;
    if (at + 4 > file.length) break;
  }
  return entries;
}

function readEntry(file: Buffer, at: number, mostBytes: number): Buffer | undefined {
  const flags = file.readUInt16LE(at + 8);
  const method = file.readUInt16LE(at + 10);
  const packed = file.readUInt32LE(at + 20);
  const local = file.readUInt32LE(at + 42);
  if ((flags & 1) !== 0 || file.readUInt32LE(local) !== LOCAL) return undefined;
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const content = file.subarray(start, start + packed);
  if (method === STORED) return content.length > mostBytes ? undefined : content;
  if (method !== DEFLATED) return undefined;
  try {
    return inflateRawSync(content, { maxOutputLength: mostBytes });
  } catch {
    return undefined; // damaged, or larger than it may be
  }
}
