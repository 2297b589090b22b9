// Stacks PNG pictures of one width (RFC 2083). A row is stored as its difference to the row above,
// so only the first row of each picture is rewritten. Everything else is streamed through inflate
// and deflate.
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import { crc32, createDeflate, inflate } from "node:zlib";
import { promisify } from "node:util";
import { InternalError } from "../../errors.ts";
import { type Png, PNG_SIGNATURE, readPng } from "../../runtime/png.ts";

const unpack = promisify(inflate);

/**
 * Joins them from top to bottom. All must have the same width and color type, 8 bits per channel
 * and no interlacing.
 */
export async function joinPngs(pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts = pictures.map(readPart);
  const [first] = parts;
  if (first === undefined) throw new InternalError("There is no picture to join.");
  for (const part of parts)
    if (part.width !== first.width || part.header.compare(first.header, 8, 13, 8, 13) !== 0)
      throw new InternalError("Pictures of different kinds cannot be joined.");
  const header = Buffer.from(first.header);
  header.writeUInt32BE(
    parts.reduce((sum, { height }) => sum + height, 0),
    4,
  );
  const deflated = new PassThrough();
  const [, data] = await Promise.all([
    pipeline(Readable.from(readRows(parts)), createDeflate({ level: 6 }), deflated),
    buffer(deflated),
  ]);
  return Buffer.concat([
    PNG_SIGNATURE,
    buildChunk("IHDR", header),
    buildChunk("IDAT", data),
    buildChunk("IEND", Buffer.alloc(0)),
  ]);
}

async function* readRows(parts: readonly Png[]): AsyncGenerator<Uint8Array> {
  for (const [index, { packed, width, height, pixelBytes }] of parts.entries()) {
    const rowBytes = 1 + width * pixelBytes;
    const rows = await unpack(packed, { maxOutputLength: rowBytes * height });
    if (rows.length !== rowBytes * height) throw new InternalError("A PNG has too few rows.");
    if (index > 0) unfilterFirstRow(rows.subarray(0, rowBytes), pixelBytes);
    yield rows;
  }
}

/**
 * Rewrites a row so that it does not need the row above, which counted as zeros. Up becomes None,
 * Average half of the left, Paeth the left.
 */
function unfilterFirstRow(row: Uint8Array, pixelBytes: number): void {
  const filter = row[0];
  if (filter === 2) row[0] = 0;
  else if (filter === 4) row[0] = 1;
  else if (filter === 3) {
    row[0] = 0;
    for (let at = 1 + pixelBytes; at < row.length; at++)
      row[at] = ((row[at] ?? 0) + ((row[at - pixelBytes] ?? 0) >> 1)) & 0xff;
  }
}

function readPart(bytes: Uint8Array): Png {
  const png = readPng(bytes);
  if (png === undefined)
    throw new InternalError("A picture of the browser is not a PNG that can be joined.");
  return png;
}

function buildChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
