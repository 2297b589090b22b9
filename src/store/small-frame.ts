// Zstandard (RFC 8878) for what is small. To compress takes 20 to 40 µs however little there is, since the memory for it is made
// anew each time; below a thousand bytes that is more than the bytes are worth.
import { constants, zstdCompressSync } from "node:zlib";

/** Bytes that are not compressed. */
const PLAIN_BYTES = 1_024;

const MAGIC = 0xfd_2f_b5_28;
/** Frame header descriptor: one segment, its size in one byte or in two. */
const SIZE_IN_ONE = 0b0010_0000;
const SIZE_IN_TWO = 0b0110_0000;
/** A size in two bytes counts from here. */
const FIRST_IN_TWO = 256;
/** Block header: the last block, not compressed; its size lies above these three bits. */
const LAST_PLAIN = 1;
const BLOCK_UNIT = 8;

/** A frame that every decompressor reads; up to 1,024 bytes it holds them as they are, more are compressed at `level`. */
export function packSmall(bytes: Uint8Array, level = constants.ZSTD_CLEVEL_DEFAULT): Buffer {
  const size = bytes.byteLength;
  if (size > PLAIN_BYTES)
    return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
  const isShort = size < FIRST_IN_TWO;
  const head = isShort ? 6 : 7;
  const frame = Buffer.allocUnsafe(head + 3 + size);
  frame.writeUInt32LE(MAGIC, 0);
  frame[4] = isShort ? SIZE_IN_ONE : SIZE_IN_TWO;
  if (isShort) frame[5] = size;
  else frame.writeUInt16LE(size - FIRST_IN_TWO, 5);
  frame.writeUIntLE(size * BLOCK_UNIT + LAST_PLAIN, head, 3);
  frame.set(bytes, head + 3);
  return frame;
}
