// Decodes Content-Encoding (RFC 9110 section 8.4) with a limit on the output, so that a small
// response cannot exhaust memory. Small bodies are decoded in one call, which is several times
// cheaper than a stream; large ones as they arrive.
import zlib from "node:zlib";
import type { Transform } from "node:stream";
import { BodyCollector, TooLargeSignal } from "./http-body.ts";

export type Encoding = "gzip" | "deflate" | "br" | "zstd";

/**
 * `complete`: fully decoded; `cut`: the encoded data ends early; `asIs`: it was not encoded as
 * labelled.
 */
export type DecodedBody = { readonly bytes: Buffer; readonly how: "complete" | "cut" | "asIs" };

/** Thrown when nothing could be decoded and the bytes do not look like plain content either. */
export class UndecodableSignal extends Error {
  override name = "UndecodableSignal";
}

const MAX_ENCODINGS = 5;

/**
 * "gzip, br" -> in the order of application. Undefined for unknown names ("identity" is ignored).
 */
export function parseContentEncoding(value: string): readonly Encoding[] | undefined {
  if (value === "") return [];
  const encodings: Encoding[] = [];
  for (const part of value.toLowerCase().split(",")) {
    const name = part.trim().replace(/^x-/, "");
    if (name === "gzip" || name === "deflate" || name === "br" || name === "zstd")
      encodings.push(name);
    else if (name !== "identity" && name !== "") return undefined;
  }
  return encodings.length > MAX_ENCODINGS ? undefined : encodings;
}

/** Maximum output of one synchronous call before the work moves to a stream. */
const SYNC_MAX_BYTES = 2 * 1024 * 1024;

const DECODERS = {
  gzip: { sync: zlib.gunzipSync, stream: zlib.createGunzip },
  deflate: { sync: zlib.inflateSync, stream: zlib.createInflate },
  deflateRaw: { sync: zlib.inflateRawSync, stream: zlib.createInflateRaw },
  br: { sync: zlib.brotliDecompressSync, stream: zlib.createBrotliDecompress },
  zstd: { sync: zlib.zstdDecompressSync, stream: zlib.createZstdDecompress },
} as const;

/**
 * Decodes a small body in one call; undefined when it needs the stream: damaged, mislabelled or
 * large.
 */
export function decodeSmall(
  body: Buffer,
  encodings: readonly Encoding[],
  maxBytes: number,
): Buffer | undefined {
  if (body.length === 0) return body;
  let bytes = body;
  for (const encoding of encodings.toReversed()) {
    const kind = detectEncoding(encoding, bytes);
    if (kind === undefined) return undefined;
    try {
      bytes = DECODERS[kind].sync(bytes, { maxOutputLength: Math.min(SYNC_MAX_BYTES, maxBytes) });
    } catch (error) {
      if (error instanceof Error) return undefined;
      throw error;
    }
  }
  return bytes;
}

/**
 * Decodes one encoding as data arrives. `write` returns false to wait for `onDrain`. `onFail`
 * reports TooLargeSignal or UndecodableSignal at once, and `end` rejects with the same.
 */
export class LayerDecoder {
  readonly #encoding: Encoding;
  readonly #output: BodyCollector;
  readonly #hooks: DecoderHooks;
  readonly #done = Promise.withResolvers<DecodedBody>();
  #state: "decoding" | "asIs" | "swallowing" = "decoding";
  /** Input kept until the first output, in case the label is wrong. */
  #seen: BodyCollector | undefined;
  #stream: Transform | undefined;
  #ended = false;

  constructor(encoding: Encoding, maxBytes: number, hooks: DecoderHooks) {
    this.#encoding = encoding;
    this.#output = new BodyCollector(maxBytes, 0);
    this.#seen = new BodyCollector(maxBytes, 0);
    this.#hooks = hooks;
    this.#done.promise.catch(() => undefined); // onFail has reported it; end() may never be called
  }

  write(chunk: Buffer): boolean {
    if (this.#state === "decoding") {
      this.#seen?.add(chunk);
      this.#stream ??= this.#open(chunk);
      if (this.#stream !== undefined) return this.#stream.write(chunk);
    } else if (this.#state === "asIs") this.#output.add(chunk);
    return true;
  }

  end(): Promise<DecodedBody> {
    this.#ended = true;
    if (this.#state === "decoding" && this.#stream !== undefined) this.#stream.end();
    else this.#finish();
    return this.#done.promise;
  }

  destroy(): void {
    this.#stream?.destroy();
  }

  #open(chunk: Buffer): Transform | undefined {
    const kind = detectEncoding(this.#encoding, chunk);
    if (kind === undefined) {
      this.#disableDecoding();
      return undefined;
    }
    const stream: Transform = DECODERS[kind].stream({ chunkSize: 65_536 });
    stream.on("data", (data: Buffer) => {
      this.#seen = undefined;
      try {
        this.#output.add(data);
      } catch {
        stream.destroy();
        this.#fail(new TooLargeSignal());
      }
    });
    stream.on("drain", this.#hooks.onDrain);
    stream.on("end", () => this.#finish());
    stream.on("error", () => this.#onDamage());
    return stream;
  }

  /** The stream met unreadable bytes or an early end. Earlier output is kept. */
  #onDamage(): void {
    if (this.#output.length > 0) this.#state = "swallowing";
    else if (this.#seen !== undefined && looksPlain(this.#seen.getBytes())) this.#disableDecoding();
    else return this.#fail(new UndecodableSignal());
    if (this.#ended) this.#finish();
    else this.#hooks.onDrain();
  }

  #disableDecoding(): void {
    this.#state = "asIs";
    if (this.#seen !== undefined) this.#output.add(this.#seen.getBytes());
    this.#seen = undefined;
  }

  #finish(): void {
    const how = ({ decoding: "complete", asIs: "asIs", swallowing: "cut" } as const)[this.#state];
    this.#done.resolve({ bytes: this.#output.getBytes(), how });
  }

  #fail(error: Error): void {
    this.#done.reject(error);
    this.#hooks.onFail(error);
  }
}

type DecoderHooks = { readonly onFail: (error: Error) => void; readonly onDrain: () => void };

/**
 * Detects the decoder from the bytes; undefined when they are certainly not encoded as labelled.
 */
function detectEncoding(said: Encoding, bytes: Buffer): keyof typeof DECODERS | undefined {
  if (said === "br") return "br"; // no signature
  const [first = 0, second = 0] = bytes;
  if (first === 0x1f && second === 0x8b) return "gzip";
  const mark = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
  if (mark === 0xfd2fb528 || (mark & 0xfffffff0) >>> 0 === 0x184d2a50) return "zstd";
  // "deflate" means zlib (RFC 1950), but many servers send the raw stream (RFC 1951).
  const isZlib = (first & 15) === 8 && first >> 4 < 8 && (first * 256 + second) % 31 === 0;
  if (isZlib) return "deflate";
  return said === "deflate" ? "deflateRaw" : undefined;
}

/** True if the bytes are text or a known file rather than broken encoding. */
function looksPlain(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 512);
  if (head.length === 0) return true;
  if (
    ["%PDF-", "\x89PNG", "GIF8", "PK\x03\x04", "\xff\xd8\xff"].some(
      (mark) => head.toString("latin1", 0, mark.length) === mark,
    )
  )
    return true;
  return head.every(
    (byte) => byte >= 32 || byte === 9 || byte === 10 || byte === 12 || byte === 13,
  );
}
