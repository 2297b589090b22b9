// From the octets of a sitemap to text, piece by piece: unpacked, decoded, never more than the bound.
import { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { constants, createGunzip } from "node:zlib";

/** What the sitemap protocol allows, unpacked. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const PIECE_BYTES = 65_536;

export type SitemapText = {
  readonly pieces: AsyncIterable<string>;
  /** Why not everything was read; known after the last piece. */
  readonly fault: () => string | undefined;
};

/**
 * The text of a sitemap. Gzip is known by its first bytes, whatever the file is called. What can be unpacked of a broken
 * or cut archive is given.
 */
export function readSitemapText(
  body: Uint8Array,
  contentType: string,
  maxBytes = MAX_SITEMAP_BYTES,
): SitemapText {
  let fault: string | undefined;
  async function* pieces(): AsyncGenerator<string> {
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
  return { pieces: pieces(), fault: () => fault };
}

async function* split(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE_BYTES)
    yield body.subarray(start, start + PIECE_BYTES);
}

function unpack(body: Uint8Array): AsyncIterable<Uint8Array> {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return split(body);
  // A flush instead of an end takes what there is of a file that was cut.
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: PIECE_BYTES });
  return Readable.from(split(body)).pipe(gunzip);
}

/** By byte order mark, else by the XML declaration, else by the header, else UTF-8. */
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
