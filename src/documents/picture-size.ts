// Reads a picture's dimensions from its first bytes, so that one too large for memory is not
// unpacked.

export type PictureSize = { readonly width: number; readonly height: number };

/**
 * Supports PNG, JPEG, GIF, BMP, WebP and TIFF. Returns undefined for other files or a missing size.
 */
export function readPictureSize(bytes: Uint8Array): PictureSize | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = file.toString("latin1", 0, 16);
  if (file.length < 26) return undefined;
  if (head.startsWith("\x89PNG\r\n"))
    return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  if (head.startsWith("GIF8")) return { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  if (head.startsWith("BM"))
    return { width: Math.abs(file.readInt32LE(18)), height: Math.abs(file.readInt32LE(22)) };
  if (/^RIFF[\s\S]{4}WEBP/.test(head)) return readWebpSize(file);
  if (head.startsWith("\xFF\xD8")) return readJpegSize(file);
  if (head.startsWith("II*\0") || head.startsWith("MM\0*")) return readTiffSize(file);
  return undefined;
}

/** RFC 9649, sections 2.5 to 2.7. */
function readWebpSize(file: Buffer): PictureSize | undefined {
  const kind = file.toString("latin1", 12, 16);
  if (file.length < 30) return undefined;
  if (kind === "VP8X")
    return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (kind === "VP8L") {
    const bits = file.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
}

/** The first frame header (ITU T.81, B.2.2). */
function readJpegSize(file: Buffer): PictureSize | undefined {
  let at = 2;
  while (at + 9 < file.length) {
    if (file[at] !== 0xff) return undefined;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    at += 2 + file.readUInt16BE(at + 2);
  }
  return undefined;
}

const WIDTH_TAG = 256;
const HEIGHT_TAG = 257;
const SHORT_TYPE = 3;

/** The largest of the first pictures in the file (TIFF 6.0, section 2). */
function readTiffSize(file: Buffer): PictureSize | undefined {
  const little = file[0] === 0x49;
  const readShort = (at: number): number =>
    little ? file.readUInt16LE(at) : file.readUInt16BE(at);
  const readLong = (at: number): number => (little ? file.readUInt32LE(at) : file.readUInt32BE(at));
  let largest: PictureSize | undefined;
  let at = readLong(4);
  for (let pictures = 0; at > 0 && at + 2 <= file.length && pictures < 100; pictures++) {
    const count = readShort(at);
    const size = { width: 0, height: 0 };
    for (let entry = 0; entry < count && at + 14 + entry * 12 <= file.length; entry++) {
      const place = at + 2 + entry * 12;
      const value =
        readShort(place + 2) === SHORT_TYPE ? readShort(place + 8) : readLong(place + 8);
      if (readShort(place) === WIDTH_TAG) size.width = value;
      else if (readShort(place) === HEIGHT_TAG) size.height = value;
    }
    if (largest === undefined || size.width * size.height > largest.width * largest.height)
      largest = size;
    const next = at + 2 + count * 12;
    if (next + 4 > file.length) break;
    at = readLong(next);
  }
  return largest;
}
