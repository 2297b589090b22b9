// Memory for bodies, used again for the next page. A body made anew for each page costs the system the handing out and clearing
// of its pages of memory, and V8, which takes the bytes of buffers for growth of its heap, a third of its full collections.

/** Blocks are made in steps of this many bytes. Of smaller ones nothing is gained: Node cuts them out of a pool of its own. */
const STEP_BYTES = 32 * 1024;
/** Larger ones are rare: their memory goes back to the system. */
const LARGEST_BYTES = 1024 * 1024;
/** What is kept of blocks that nobody uses. */
const MAX_FREE_BYTES = 4 * 1024 * 1024;

/** Blocks in use. One that is never given back goes the way of all memory. */
const LENT = new WeakSet<ArrayBufferLike>();
const free: ArrayBuffer[] = [];
let freeBytes = 0;

/** At least so many bytes, up to twice as many where they lay ready, with whatever was in them before. */
export function takeBlock(bytes: number): Buffer {
  if (bytes < STEP_BYTES || bytes > LARGEST_BYTES) return Buffer.allocUnsafeSlow(bytes);
  let best: ArrayBuffer | undefined;
  for (const block of free) {
    const size = block.byteLength;
    if (size < bytes || size > 2 * bytes) continue;
    if (best === undefined || size < best.byteLength) best = block;
  }
  if (best === undefined) best = new ArrayBuffer(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES);
  else {
    free.splice(free.indexOf(best), 1);
    freeBytes -= best.byteLength;
  }
  LENT.add(best);
  return Buffer.from(best);
}

/**
 * Takes a block back, and leaves alone what is none. Its memory moves to another object, so that whoever reads `bytes` later
 * finds them empty, and never those of another page.
 */
export function giveBlock(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || !LENT.delete(buffer)) return;
  const block = buffer.transfer();
  if (freeBytes + block.byteLength > MAX_FREE_BYTES) return;
  free.push(block);
  freeBytes += block.byteLength;
}
