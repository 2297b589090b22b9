// A list of hashes that grows: as whole numbers side by side it takes half the room of an array, and none is looked at twice.

const FIRST_ROOM = 1024;

/** Hashes in the order in which they were added. */
export class HashList {
  #room = new Int32Array(FIRST_ROOM);
  #count = 0;

  get length(): number {
    return this.#count;
  }

  add(hash: number): void {
    if (this.#count === this.#room.length) this.#grow();
    this.#room[this.#count++] = hash;
  }

  /** Adds a hash that does not stand there yet from an index on. */
  addOnce(hash: number, from: number): void {
    for (let at = from; at < this.#count; at++) if (this.#room[at] === hash) return;
    this.add(hash);
  }

  /** What has been added so far. */
  all(): Int32Array {
    return this.#room.subarray(0, this.#count);
  }

  #grow(): void {
    const room = new Int32Array(this.#room.length * 2);
    room.set(this.#room);
    this.#room = room;
  }
}
