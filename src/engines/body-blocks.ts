// Pools memory for response bodies. A new body per page costs page allocation and clearing in the
// system, and V8 counts its bytes as heap growth: a third of its full collections.

/**
 * Block sizes are multiples of this. Smaller buffers gain nothing, because Node cuts them from its
 * own pool.
 */
const STEP_BYTES = 32 * 1024;
/** Larger ones are rare: their memory is freed. */
const MAX_BLOCK_BYTES = 1024 * 1024;
/** Maximum size of unused blocks. */
const MAX_FREE_BYTES = 4 * 1024 * 1024;

/** Blocks in use. One that is never returned is garbage collected. */
const LENT = new WeakSet<ArrayBufferLike>();
const free: ArrayBuffer[] = [];
let freeBytes = 0;

/**
 * Returns at least this many bytes, up to twice as many if a free block fits, with undefined
 * contents.
 */
export function acquireBlock(bytes: number): Buffer {
  if (bytes < STEP_BYTES || bytes > MAX_BLOCK_BYTES) return Buffer.allocUnsafeSlow(bytes);
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
 * Returns a block to the pool; ignores other memory. The memory moves to a new object, so that late
 * readers of `bytes` find it empty instead of another page's data.
 */
export function releaseBlock(bytes: Uint8Array): void {
  const { buffer } = bytes;
  if (!(buffer instanceof ArrayBuffer) || !LENT.delete(buffer)) return;
  const block = buffer.transfer();
  if (freeBytes + block.byteLength > MAX_FREE_BYTES) return;
  free.push(block);
  freeBytes += block.byteLength;
}
