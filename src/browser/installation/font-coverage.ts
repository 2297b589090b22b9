// Checks which characters the system's fonts cover by reading the font files, because fontconfig
// tools are missing on the relevant systems.
import { open, readdir, type FileHandle } from "node:fs/promises";
import path from "node:path";

const FONT = /\.(?:ttf|otf|ttc|otc)$/i;
const MAX_FILES = 4_000;
const MAX_DEPTH = 6;
/** The largest character maps have some hundred kilobytes. */
const MAX_BYTES = 4 * 2 ** 20;
const COLLECTION = 0x74_74_63_66;
const CHARACTER_MAP = 0x63_6d_61_70;

/**
 * Returns which of `characters` (code points) any font in or below `folders` covers. Unreadable
 * fonts are ignored.
 */
export async function findCovered(
  folders: readonly string[],
  characters: readonly number[],
): Promise<ReadonlySet<number>> {
  const covered = new Set<number>();
  for (const file of await listFonts(folders)) {
    const has = await readCharacterMap(file).catch(() => undefined);
    for (const character of characters) if (has?.(character) === true) covered.add(character);
    if (covered.size === characters.length) break;
  }
  return covered;
}

async function listFonts(folders: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  const left = folders.map((folder) => ({ folder, depth: 0 }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { folder, depth } = next;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = path.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) left.push({ folder: name, depth: depth + 1 });
      } else if (FONT.test(entry.name) && files.push(name) >= MAX_FILES) return files;
    }
  }
  return files;
}

/**
 * Returns a coverage test for the first font of a file (OpenType 1.9, "cmap"). Rejects for other
 * files.
 */
async function readCharacterMap(
  file: string,
): Promise<((character: number) => boolean) | undefined> {
  await using handle = await open(file);
  const head = await readAt(handle, 0, 16);
  const start = head.readUInt32BE(0) === COLLECTION ? head.readUInt32BE(12) : 0;
  const count = (await readAt(handle, start, 12)).readUInt16BE(4);
  const tables = await readAt(handle, start + 12, count * 16);
  for (let at = 0; at < tables.length; at += 16) {
    if (tables.readUInt32BE(at) !== CHARACTER_MAP) continue;
    const length = tables.readUInt32BE(at + 12);
    if (length > MAX_BYTES) return undefined;
    return readCoverage(await readAt(handle, tables.readUInt32BE(at + 8), length));
  }
  return undefined;
}

function readCoverage(table: Buffer): ((character: number) => boolean) | undefined {
  let best: { readonly format: number; readonly from: Buffer } | undefined;
  const count = table.readUInt16BE(2);
  for (let index = 0; index < count; index++) {
    const from = table.subarray(table.readUInt32BE(4 + index * 8 + 4));
    const format = from.readUInt16BE(0);
    if (format === 12 || (format === 4 && best === undefined)) best = { format, from };
  }
  if (best === undefined) return undefined;
  const { format, from } = best;
  return (character) =>
    format === 12 ? isInGroups(from, character) : isInSegments(from, character);
}

/** Format 12: groups of first and last character. */
function isInGroups(table: Buffer, character: number): boolean {
  const count = table.readUInt32BE(12);
  for (let index = 0; index < count; index++) {
    const at = 16 + index * 12;
    if (character <= table.readUInt32BE(at + 4)) return character >= table.readUInt32BE(at);
  }
  return false;
}

/** Format 4: segments with end codes first and start codes after; basic plane only. */
function isInSegments(table: Buffer, character: number): boolean {
  if (character > 0xff_ff) return false;
  const doubled = table.readUInt16BE(6);
  for (let at = 0; at < doubled; at += 2) {
    if (character > table.readUInt16BE(14 + at)) continue;
    return character >= table.readUInt16BE(16 + doubled + at);
  }
  return false;
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead < length) throw new RangeError("The font ends early.");
  return buffer;
}
