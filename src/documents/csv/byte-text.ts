// Builds a long text as off-heap bytes, because a string of millions of pieces takes ten times its
// length.
import { TargetError } from "../../errors.ts";

/** Maximum bytes of a text; converting it to a string needs twice that. */
const MAX_BYTES = 384 * 1024 * 1024;
const GROWTH_FACTOR = 1.25;

export class ByteText {
  /** Has the space requested by `reserve`. Content from `size` on is undefined. */
  bytes: Buffer;
  size = 0;

  constructor(expectedBytes: number) {
    this.bytes = Buffer.from(new ArrayBuffer(Math.max(64, Math.min(expectedBytes, MAX_BYTES))));
  }

  /** Reserves space. Throws SCRAPE_UNSUPPORTED_FILE_ERROR above the maximum size of a document. */
  reserve(bytes: number): void {
    const needed = this.size + bytes;
    if (needed <= this.bytes.length) return;
    if (needed > MAX_BYTES)
      throw new TargetError(
        "SCRAPE_UNSUPPORTED_FILE_ERROR",
        `The table exceeds ${MAX_BYTES / 1024 / 1024} MiB of text and was not read.`,
      );
    const length = Math.min(MAX_BYTES, Math.ceil(GROWTH_FACTOR * needed));
    this.bytes = Buffer.from((this.bytes.buffer as ArrayBuffer).transfer(length));
  }

  appendText(text: string): void {
    this.reserve(3 * text.length);
    this.size += this.bytes.write(text, this.size);
  }

  /** Appends a short ASCII text. */
  appendAscii(text: string): void {
    this.reserve(text.length);
    for (let at = 0; at < text.length; at++) this.bytes[this.size++] = text.charCodeAt(at);
  }

  copy(bytes: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    bytes.copy(this.bytes, this.size, start, end);
    this.size += end - start;
  }

  /** Returns the text and frees its bytes. Nothing can be added afterwards. */
  take(): string {
    const text = this.bytes.toString("utf8", 0, this.size);
    (this.bytes.buffer as ArrayBuffer).transfer(0);
    return text;
  }
}
