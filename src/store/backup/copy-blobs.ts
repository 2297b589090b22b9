// Copies blobs from one store to another and finds each of them in the new store.
import { InternalError } from "../../errors.ts";
import type { BlobStore } from "../blobs/blobs.ts";

export type CopiedBlobs = {
  readonly blobs: number;
  /** Blobs of the source that could not be read and are not in the copy. */
  readonly damagedBlobs: number;
};

/** Blobs in progress at once: each takes two requests to an object store. */
const BLOBS_AT_ONCE = 16;

/**
 * Nothing is written after the promise settles. Throws InternalError if the target then lists fewer
 * blobs than were read from the source.
 */
export async function copyBlobs(
  from: Pick<BlobStore, "list" | "get">,
  to: Pick<BlobStore, "list" | "put">,
): Promise<CopiedBlobs> {
  const readable = new Set<string>();
  let damagedBlobs = 0;
  let hasFailed = false;
  const entries = from.list()[Symbol.asyncIterator]();
  const copySome = async (): Promise<void> => {
    try {
      while (!hasFailed) {
        const next = await entries.next();
        if (next.done === true) return;
        const { ref } = next.value;
        const bytes = await from.get(ref, { keepDamaged: true });
        if (bytes === undefined) damagedBlobs++;
        else {
          readable.add(ref);
          await to.put(bytes);
        }
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const copies = await Promise.allSettled(Array.from({ length: BLOBS_AT_ONCE }, copySome));
  if (hasFailed) await entries.return?.();
  for (const copy of copies) if (copy.status === "rejected") throw copy.reason;
  const blobs = readable.size;
  for await (const { ref } of to.list()) readable.delete(ref);
  if (readable.size > 0)
    throw new InternalError(`The copy lacks ${readable.size} of ${blobs} blobs.`);
  return { blobs, damagedBlobs };
}
