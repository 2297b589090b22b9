import type { Document } from "../../contract/page/document.ts";

/** Describes the change of a page since its last snapshot: a line, and the diff below it. */
export function describeChanges({ changeTracking }: Document): string {
  if (changeTracking === undefined) return "not compared";
  const { changeStatus, previousScrapeAt, visibility, diff, noise } = changeTracking;
  const since = previousScrapeAt === null ? "" : ` since ${previousScrapeAt}`;
  const hidden = visibility === "hidden" ? ", and no page links to it any more" : "";
  const quiet =
    noise === undefined ? "" : ` (ignored: ${noise.lines} lines, ${noise.kinds.join(", ")})`;
  const first = `${changeStatus}${since}${hidden}${quiet}`;
  return diff === undefined ? first : `${first}\n${diff.text}`;
}
