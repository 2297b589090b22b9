import { releaseBlock } from "../engines/body-blocks.ts";
import type { FetchResult } from "./fetch-and-convert.ts";

/**
 * Returns the memory of a page's body to the pool once its document is built and cached. Skips
 * shared fetches, cached bodies, files from the caller, and browser pages. After a failure nothing
 * is released, because background work may still read it.
 */
export function releaseBody({
  capture,
  ownsBody,
}: Pick<FetchResult, "capture" | "ownsBody">): void {
  if (ownsBody) releaseBlock(capture.body);
}
