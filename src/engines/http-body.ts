/** Thrown when a body exceeds its limit; the engine turns it into SCRAPE_RESPONSE_TOO_LARGE. */
export class TooLargeSignal extends Error {
  override name = "TooLargeSignal";
}

/**
 * Collects a body in one growing block. Chunks are copied, because a site that sends single bytes
 * would otherwise keep a buffer and an object per byte. Throws TooLargeSignal above `maxBytes`.
 */
export class BodyCollector {
  #block: Buffer;
  #length = 0;
  readonly #maxBytes: number;

  /** `expectedBytes` is a hint, such as Content-Length; it is trusted up to one megabyte. */
  constructor(maxBytes: number, expectedBytes: number) {
    this.#maxBytes = maxBytes;
    const hint = expectedBytes > 0 ? expectedBytes : 16_384;
    this.#block = Buffer.allocUnsafeSlow(Math.min(hint, maxBytes, 1_048_576));
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#maxBytes) throw new TooLargeSignal();
    if (needed > this.#block.length) {
      const capacity = Math.min(this.#maxBytes, Math.max(needed, this.#block.length * 2));
      const block = Buffer.allocUnsafeSlow(capacity);
      this.#block.copy(block, 0, 0, this.#length);
      this.#block = block;
    }
    this.#block.set(chunk, this.#length);
    this.#length = needed;
  }

  /**
   * Returns what has arrived so far. Valid until more is added, because it shares memory unless
   * more than half of the block is empty.
   */
  getBytes(): Buffer {
    const used = this.#block.subarray(0, this.#length);
    return this.#length * 2 >= this.#block.length ? used : Buffer.from(used);
  }
}
