import type { Capture } from "../capture.ts";
import {
  UnreadableCapture,
  type CaptureQuery,
  type CaptureStore,
} from "../store/captures/captures.ts";
import type { CachePolicy } from "./cache-policy.ts";

/**
 * The entry that answers, if any. Where what holds its body does not answer, who asks for the cache alone is told; for everybody
 * else the site still has the page.
 */
export async function loadCached(
  captures: CaptureStore,
  { name, only }: CachePolicy,
  ages: CaptureQuery,
): Promise<Capture | undefined> {
  try {
    return await captures.load(name, ages);
  } catch (error) {
    if (only || !(error instanceof UnreadableCapture)) throw error;
    return undefined;
  }
}
