// Puts PNG pictures of one width under each other (RFC 2083). A row is stored as its difference to the row above, so only the
// first row of each picture has to be written anew: everything else is inflated and deflated as a stream, never held.
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

import { crc32, createDeflate, inflate } from "node:zlib";
import { promisify } from "node:util";
import { InternalError } from "../errors.ts";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes of a pixel by colour type, at 8 bits a channel. */
const PIXEL_BYTES = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);
const unpack = promisify(inflate);

type Png = {
  readonly width: number;
  readonly height: number;
  readonly header: Buffer;
  readonly packed: Buffer;
};

/** Joins them from top to bottom. All must have one width, one colour type, 8 bits a channel and no interlacing. */
export async function joinPngs(pictures: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts = pictures.map(readPng);
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
    pipeline(Readable.from(rowsOf(parts)), createDeflate({ level: 6 }), deflated),
    buffer(deflated),
  ]);
  return Buffer.concat([
    SIGNATURE,
    chunkOf("IHDR", header),
    chunkOf("IDAT", data),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}

async function* rowsOf(parts: readonly Png[]): AsyncGenerator<Uint8Array> {
  for (const [index, { packed, width, height, header }] of parts.entries()) {
    const pixelBytes = PIXEL_BYTES.get(header[9] ?? -1) ?? 0;
    const rowBytes = 1 + width * pixelBytes;
    const rows = await unpack(packed, { maxOutputLength: rowBytes * height });
    if (rows.length !== rowBytes * height) throw new InternalError("A PNG has too few rows.");
    if (index > 0) freeFirstRow(rows.subarray(0, rowBytes), pixelBytes);
    yield rows;
  }
}

/**
 * Writes a row whose row above counted as zeros so that it no longer needs one. Up then means none, Average half of the left,
 * Paeth the left.
 */
function freeFirstRow(row: Uint8Array, pixelBytes: number): void {
  const filter = row[0];
  if (filter === 2) row[0] = 0;
  else if (filter === 4) row[0] = 1;
  else if (filter === 3) {
    row[0] = 0;
    for (let at = 1 + pixelBytes; at < row.length; at++)
      row[at] = ((row[at] ?? 0) + ((row[at - pixelBytes] ?? 0) >> 1)) & 0xff;
  }
}

function readPng(bytes: Uint8Array): Png {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const broken = new InternalError("A picture of the browser is not a PNG that can be joined.");
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw broken;
  let header: Buffer | undefined;
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = content;
    if (type === "IDAT") data.push(content);
    at += 12 + length;
  }
  if (header?.length !== 13 || header[8] !== 8 || header[12] !== 0) throw broken;
  if (!PIXEL_BYTES.has(header[9] ?? -1)) throw broken;
  return {
    width: header.readUInt32BE(0),
    height: header.readUInt32BE(4),
    header,
    packed: Buffer.concat(data),
  };
}

function chunkOf(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
