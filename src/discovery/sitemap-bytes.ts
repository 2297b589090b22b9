// Converts a sitemap's octets to text in chunks: decompressed, decoded, bounded.
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { constants, createGunzip } from "node:zlib";

/** Limit of the sitemap protocol, uncompressed. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const PIECE_BYTES = 65_536;

export type SitemapText = {
  readonly pieces: AsyncIterable<string>;
  /** Reason why reading stopped early; known after the last chunk. */
  readonly fault: () => string | undefined;
};

/**
 * Yields the text of a sitemap. Detects gzip by its first bytes, regardless of the file name.
 * Returns the decompressible part of a broken or truncated archive.
 */
export function readSitemapText(
  body: Uint8Array,
  contentType: string,
  maxBytes = MAX_SITEMAP_BYTES,
): SitemapText {
  let fault: string | undefined;
  async function* readPieces(): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined;
    let left = maxBytes;
    try {
      for await (const bytes of unpack(body)) {
        decoder ??= createDecoder(bytes, contentType);
        yield decoder.decode(bytes.subarray(0, left), { stream: true });
        left -= bytes.length;
        if (left >= 0) continue;
        fault = `larger than ${maxBytes} bytes`;
        return;
      }
    } catch (error) {
      fault = `broken archive: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return { pieces: readPieces(), fault: () => fault };
}

async function* split(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE_BYTES)
    yield body.subarray(start, start + PIECE_BYTES);
}

function unpack(body: Uint8Array): AsyncIterable<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return split(body);
  // A sync flush at the end returns the content of a truncated file.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES });
  return Readable.from(split(body)).pipe(gunzip);
}

/** Uses the byte order mark, else the XML declaration, else the header, else UTF-8. */
function createDecoder(bytes: Uint8Array, contentType: string): TextDecoder {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be");
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le");
  if (bytes[0] === 0xef && bytes[1] === 0xbb) return new TextDecoder();
  const start = Buffer.from(bytes.subarray(0, 256)).toString("latin1");
  const declared =
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1] ??
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ??
    "utf-8";
  try {
    return new TextDecoder(declared);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
