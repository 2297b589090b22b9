// Records what both ways of fetching a page teach about its host.
import { renders } from "../engines/registry.ts";
import type { HostMemory } from "./host-memory.ts";
import type { AttemptRecord } from "./next-attempt.ts";

export const RECENTLY_USELESS =
  "No browser was tried: within the last ten minutes it did not improve such pages of this part of the site.";

export const wasUseless = (
  memory: HostMemory,
  url: URL,
  last: AttemptRecord | undefined,
): boolean =>
  last?.ending.kind === "captured" && memory.isBrowserUseless(url, last.ending.verdict.kind);

/** Records what a browser achieved for a page that plain HTTP got wrong. */
export function learn(
  memory: HostMemory,
  url: URL,
  first: AttemptRecord,
  second: AttemptRecord,
): void {
  if (renders(first.attempt.engine) || !renders(second.attempt.engine)) return;
  if (first.ending.kind !== "captured" || second.ending.kind !== "captured") return;
  const before = first.ending.verdict.kind;
  const after = second.ending.verdict.kind;
  if (after === "content") {
    if (before !== "content") memory.noteNeeded(url);
    return;
  }
  // An application that shows its own "not found" or asks for a login was rendered successfully.
  if (before !== "empty_shell" || after === "empty") memory.noteUseless(url, before);
}
