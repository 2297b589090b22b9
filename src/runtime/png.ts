// Reads the container of a PNG (ISO/IEC 15948): the kind of picture, and its compressed rows.

export const PNG_SIGNATURE: Buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export type Png = {
  readonly width: number;
  readonly height: number;
  /** Bytes per pixel; a row has one filter byte and this many per pixel. */
  readonly pixelBytes: number;
  /** Contents of IHDR. */
  readonly header: Buffer;
  /** All rows, deflated. */
  readonly packed: Buffer;
};

/** Bytes per pixel by color type, at 8 bits per channel. */
const PIXEL_BYTES = new Map([
  [0, 1],
  [2, 3],
  [4, 2],
  [6, 4],
]);

/**
 * Undefined unless it is a PNG of 8 bits per channel without palette and interlacing, as programs
 * create it.
 */
export function readPng(bytes: Uint8Array): Png | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = PNG_SIGNATURE.length;
  if (!file.subarray(0, start).equals(PNG_SIGNATURE)) return undefined;
  let header: Buffer | undefined;
  const data: Buffer[] = [];
  for (let at = start; at + 12 <= file.length;) {
    const length = file.readUInt32BE(at);
    const type = file.toString("latin1", at + 4, at + 8);
    const content = file.subarray(at + 8, at + 8 + length);
    if (type === "IHDR") header = content;
    if (type === "IDAT") data.push(content);
    at += 12 + length;
  }
  const pixelBytes = PIXEL_BYTES.get(header?.[9] ?? -1);
  if (header?.length !== 13 || header[8] !== 8 || header[12] !== 0 || pixelBytes === undefined)
    return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  return { width, height, pixelBytes, header, packed: Buffer.concat(data) };
}
