import type { FollowOptions } from "./job.ts";
import type { Clock } from "./retry.ts";
import type { Extraction } from "./wire.ts";

/** Polling interval. */
const POLL_MS = 1_000;

/** Polls an extraction until its end. */
export async function finishExtraction(
  look: () => Promise<Extraction>,
  clock: Clock,
  { signal = new AbortController().signal }: FollowOptions,
): Promise<Extraction> {
  for (;;) {
    const state = await look();
    if (state.status !== "processing") return state;
    await clock.sleep(POLL_MS, signal);
  }
}
