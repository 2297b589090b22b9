// Counts what a page asked for and did not get, for --explain.
import type { BlockedKind, BlockedRequest } from "../../capture.ts";

/** Addresses kept of each kind, and their length. */
const MAX_ADDRESSES = 20;
const MAX_ADDRESS_CHARACTERS = 200;

export class BlockedRequests {
  readonly #byKind = new Map<BlockedKind, { count: number; addresses: string[] }>();

  add(kind: BlockedKind, address: string, count = 1): void {
    const entry = this.#byKind.get(kind) ?? { count: 0, addresses: [] };
    entry.count += count;
    const cut = address.slice(0, MAX_ADDRESS_CHARACTERS);
    if (entry.addresses.length < MAX_ADDRESSES && !entry.addresses.includes(cut))
      entry.addresses.push(cut);
    this.#byKind.set(kind, entry);
  }

  /** Most frequent kind first. */
  list(): BlockedRequest[] {
    const all = [...this.#byKind].map(([kind, entry]) => ({ kind, ...entry }));
    return all.toSorted((a, b) => b.count - a.count);
  }
}
