// Counts on how many pages of a host a text occurs: by hash, bounded, with recent pages weighing
// most, so that a crawl adapts when it moves to another section of a site.

/** Pages counted before every count is halved. */
const WINDOW = 200;
/** Maximum hashes; a page has about forty. */
const MAX_HASHES = 2_000;
/** Minimum pages before a text counts as repeated: the fifth page is the first that is checked. */
const MIN_PAGES = 4;
const MAX_PAGES_SHARE = 0.6;
/** Bytes of a hash and its count. */
const ENTRY_BYTES = 6;

export class SiteTally {
  #pages = 0;
  readonly #counts = new Map<number, number>();
  #repeated: Int32Array | undefined;

  /** Counts a page by its distinct texts. */
  add(texts: Int32Array): void {
    this.#repeated = undefined;
    this.#pages += 1;
    for (const hash of texts) this.#counts.set(hash, (this.#counts.get(hash) ?? 0) + 1);
    if (this.#pages >= WINDOW) this.#halveCounts();
    if (this.#counts.size > MAX_HASHES) this.#removeRare();
  }

  /** Returns the texts that most pages have; none before four pages. */
  listRepeated(): Int32Array {
    if (this.#repeated !== undefined) return this.#repeated;
    const min = Math.ceil(this.#pages * MAX_PAGES_SHARE);
    const found: number[] = [];
    if (this.#pages >= MIN_PAGES)
      for (const [hash, count] of this.#counts) if (count >= min) found.push(hash);
    this.#repeated = Int32Array.from(found);
    return this.#repeated;
  }

  /** Serializes for `parse`. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(2 + this.#counts.size * ENTRY_BYTES);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, this.#pages);
    let at = 2;
    for (const [hash, count] of this.#counts) {
      view.setInt32(at, hash);
      view.setUint16(at + 4, count);
      at += ENTRY_BYTES;
    }
    return bytes;
  }

  static parse(bytes: Uint8Array): SiteTally {
    const tally = new SiteTally();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    tally.#pages = view.getUint16(0);
    for (let at = 2; at + ENTRY_BYTES <= bytes.byteLength; at += ENTRY_BYTES)
      tally.#counts.set(view.getInt32(at), view.getUint16(at + 4));
    return tally;
  }

  #halveCounts(): void {
    this.#pages = Math.floor(this.#pages / 2);
    for (const [hash, count] of this.#counts)
      if (count === 1) this.#counts.delete(hash);
      else this.#counts.set(hash, Math.floor(count / 2));
  }

  /** Drops the rarest hashes, of these the least recently seen: frequent ones come back at once. */
  #removeRare(): void {
    let surplus = this.#counts.size - MAX_HASHES / 2;
    for (let min = 1; surplus > 0; min++)
      for (const [hash, count] of this.#counts) {
        if (surplus <= 0) break;
        if (count <= min && this.#counts.delete(hash)) surplus -= 1;
      }
  }
}
