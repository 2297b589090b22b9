// What is learned of a host from the two ways of fetching one of its pages.
import type { HostMemory } from "./host-memory.ts";
import type { Tried } from "./next-attempt.ts";

export const USELESS_LATELY =
  "A browser made no more of such a page in this part of the site within the last ten minutes, so none was tried.";

export const wasUseless = (memory: HostMemory, url: URL, last: Tried | undefined): boolean =>
  last?.ending.kind === "captured" && memory.isBrowserUseless(url, last.ending.verdict.kind);

/** Notes what a browser did for a page that plain HTTP had not got right. */
export function learn(memory: HostMemory, url: URL, first: Tried, second: Tried): void {
  if (first.attempt.engine !== "http" || second.attempt.engine !== "browser") return;
  if (first.ending.kind !== "captured" || second.ending.kind !== "captured") return;
  const before = first.ending.verdict.kind;
  const after = second.ending.verdict.kind;
  if (after === "content") {
    if (before !== "content") memory.noteNeeded(url);
    return;
  }
  // An application that shows its own "not found" or asks for a login was opened all the same.
  if (before !== "empty_shell" || after === "empty") memory.noteUseless(url, before);
}
