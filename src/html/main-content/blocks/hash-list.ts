// A growing list of hashes. An Int32Array takes half the memory of an array.

const INITIAL_CAPACITY = 1024;

/** Hashes in the order in which they were added. */
export class HashList {
  #room = new Int32Array(INITIAL_CAPACITY);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  add(hash: number): void {
    if (this.#count === this.#room.length) this.#grow();
    this.#room[this.#count++] = hash;
  }

  /** Adds a hash unless the list already contains it at or after index `from`. */
  addOnce(hash: number, from: number): void {
    for (let at = from; at < this.#count; at++) if (this.#room[at] === hash) return;
    this.add(hash);
  }

  /** Returns all hashes added so far. */
  all(): Int32Array {
    return this.#room.subarray(0, this.#count);
  }

  #grow(): void {
    const room = new Int32Array(this.#room.length * 2);
    room.set(this.#room);
    this.#room = room;
  }
}
