// Binary workbooks (xlsb, [MS-XLSB] 2.1.4 and 2.4) may omit the column of a cell right after
// another. The parser skips such cells, so their columns are added first.
import { readPartBytes, replaceParts } from "./archive-parts.ts";

/** Maximum unpacked size of a workbook's sheets; larger ones stay unchanged. */
const MAX_BYTES = 64 * 1024 * 1024;
const SHEETS = /^xl\/(?:worksheets\/[^/]+|workbook)\.bin$/;

/**
 * Record ids: a row, cells with a column, cells without. The latter are eleven higher than the
 * former.
 */
const ROW_RECORD = 0;
const RICH_CELL_RECORD = 62;
const LONG = { first: 1, last: 11 } as const;
const SHORT = { first: 12, last: 18 } as const;
const NO_COLUMN_OFFSET = 11;

/** Returns a binary workbook with the column of every cell; other files unchanged. */
export function addCellColumns(bytes: Uint8Array): Uint8Array {
  const parts = readPartBytes(bytes, SHEETS, MAX_BYTES);
  if (!parts.delete("xl/workbook.bin")) return bytes;
  const changed = new Map<string, Buffer>();
  for (const [name, sheet] of parts) {
    const long = expandRecords(sheet);
    if (long !== undefined) changed.set(name, long);
  }
  return changed.size === 0 ? bytes : replaceParts(bytes, changed);
}

/** Returns undefined for a sheet without short cells, and for one whose records exceed it. */
function expandRecords(sheet: Buffer): Buffer | undefined {
  const parts: Buffer[] = [];
  let [kept, column] = [0, -1];
  for (let at = 0; at < sheet.length;) {
    const [id, afterId] = readNumber(sheet, at, 2);
    const [length, start] = readNumber(sheet, afterId, 4);
    const end = start + length;
    if (end > sheet.length) return undefined;
    if (id === ROW_RECORD) column = -1;
    else if ((id >= LONG.first && id <= LONG.last) || id === RICH_CELL_RECORD)
      column = length < 4 ? column : sheet.readUInt32LE(start);
    else if (id >= SHORT.first && id <= SHORT.last) {
      column += 1;
      const head = Buffer.alloc(4);
      head.writeUInt32LE(column);
      const record = [Buffer.from([id - NO_COLUMN_OFFSET, ...toNumber(length + 4)]), head];
      parts.push(sheet.subarray(kept, at), ...record, sheet.subarray(start, end));
      kept = end;
    }
    at = end;
  }
  return parts.length === 0 ? undefined : Buffer.concat([...parts, sheet.subarray(kept)]);
}

/** Reads a varint (7 bits per byte, least significant first) and the offset after it. */
function readNumber(bytes: Buffer, at: number, maxBytes: number): [value: number, end: number] {
  let value = 0;
  for (let index = 0; index < maxBytes; index++) {
    const byte = bytes[at + index] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * index);
    if ((byte & 0x80) === 0) return [value, at + index + 1];
  }
  return [value, at + maxBytes];
}

function toNumber(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) | 0x80);
    if (left < 128) return bytes;
  }
}
