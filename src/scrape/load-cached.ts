import type { Capture } from "../capture.ts";
import type { CaptureQuery, CaptureStore } from "../store/captures/captures.ts";
import { UnreadableCapture } from "../store/captures/unreadable-capture.ts";
import type { CachePolicy } from "./cache-policy.ts";

/**
 * Returns the cached entry, if any. When its body store does not respond, cache-only requests fail;
 * others fetch the page.
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
