import { describe, expect, it } from "vitest";
import { describeChanges } from "./change-lines.ts";
import { toPageParameters, hasChangeTracking, wantsOnlyChanges } from "./page-options.ts";

const at = "2026-11-20T10:00:00.000Z";
const tracking = { previousScrapeAt: at, changeStatus: "same", visibility: "visible" } as const;
const diff = { text: "@@ -1,1 +1,1 @@\n-a\n+b", json: { files: [] } };

describe("change output for people", () => {
  it.each([
    [undefined, "not compared"],
    [{ ...tracking, changeStatus: "new", previousScrapeAt: null } as const, "new"],
    [tracking, `same since ${at}`],
    [
      { ...tracking, noise: { lines: 2, kinds: ["counter" as const] } },
      `same since ${at} (ignored: 2 lines, counter)`,
    ],
    [{ ...tracking, changeStatus: "changed", diff } as const, `changed since ${at}\n${diff.text}`],
    [
      { ...tracking, changeStatus: "removed", visibility: "hidden" } as const,
      `removed since ${at}, and no page links to it any more`,
    ],
  ])("describes the page change %j", (changeTracking, text) => {
    const document = { metadata: {}, ...(changeTracking && { changeTracking }) };
    expect(describeChanges(document as Parameters<typeof describeChanges>[0])).toBe(text);
  });
});

describe("scrape --format changeTracking", () => {
  const changes = { type: "changeTracking", modes: ["git-diff"] };
  it.each([
    [["changeTracking"], ["markdown", changes], true, true],
    [["html,changeTracking"], ["html", "markdown", changes], true, false],
    [["markdown", "changeTracking"], ["markdown", changes], true, false],
    [["markdown,links"], ["markdown", "links"], false, false],
    [undefined, ["markdown"], false, false],
  ])("requests changeTracking with the options %j", (format, formats, tracks, only) => {
    const options = format === undefined ? {} : { format };
    expect(toPageParameters(options).formats).toEqual(formats);
    expect([hasChangeTracking(options), wantsOnlyChanges(options)]).toEqual([tracks, only]);
  });
});
