import { giveBlock } from "../engines/body-blocks.ts";
import type { Obtained } from "./obtain.ts";

/**
 * Gives the memory of a page's body to the next one, when nothing reads it any more: its document is made, the cache has it.
 * What several requests have fetched together is left alone, and what came from the cache, the caller or a browser is no such
 * memory. Of a page that failed nothing is given back, since what was begun may go on behind the failure.
 */
export function releaseBody({ capture, ownsBody }: Pick<Obtained, "capture" | "ownsBody">): void {
  if (ownsBody) giveBlock(capture.body);
}
