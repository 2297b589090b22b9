import type { Document } from "../contract/page/document.ts";

/** What became of a page since its last snapshot, for people: a line, and the diff below it. */
export function describeChanges({ changeTracking }: Document): string {
  if (changeTracking === undefined) return "not compared";
  const { changeStatus, previousScrapeAt, visibility, diff, noise } = changeTracking;
  const since = previousScrapeAt === null ? "" : ` since ${previousScrapeAt}`;
  const hidden = visibility === "hidden" ? ", and nothing leads to it any more" : "";
  const quiet =
    noise === undefined ? "" : ` (not counted: ${noise.lines} lines, ${noise.kinds.join(", ")})`;
  const first = `${changeStatus}${since}${hidden}${quiet}`;
  return diff === undefined ? first : `${first}\n${diff.text}`;
}
