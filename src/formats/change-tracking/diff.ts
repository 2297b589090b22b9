// Formats a change as a unified diff, as text and parsed (wire contract, section 3.1).
import { structuredPatch, type StructuredPatchHunk } from "diff";
import type { ChangeTracking } from "../../contract/page/change-tracking.ts";
import type { Comparison } from "./compare.ts";

export type Diff = NonNullable<ChangeTracking["diff"]>;
type Change = Diff["json"]["files"][number]["chunks"][number]["changes"][number];

const CONTEXT_LINES = 3;
const MAX_EDITS = 2_000;
const DIFF_TIMEOUT_MS = 250;

/**
 * Returns the unified diff of two Markdown texts with three lines of context and no file names.
 * Changed lines that do not count are marked `noise` in the parsed form.
 */
export function buildDiff(
  previous: string,
  current: string,
  counted?: Pick<Comparison, "deleted" | "added">,
): Diff {
  const hunks = findHunks(endLine(previous), endLine(current));
  return {
    text: hunks.map((hunk) => [formatHeader(hunk), ...hunk.lines].join("\n")).join("\n"),
    json: {
      files: [{ from: null, to: null, chunks: hunks.map((hunk) => toChunk(hunk, counted)) }],
    },
  };
}

const endLine = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function findHunks(previous: string, current: string): readonly StructuredPatchHunk[] {
  const limits = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS, timeout: DIFF_TIMEOUT_MS };
  const patch = structuredPatch("", "", previous, current, undefined, undefined, limits);
  return patch?.hunks ?? [buildWholeHunk(previous.split("\n"), current.split("\n"))];
}

/**
 * Returns one hunk from the first to the last different line, for texts that would take too long to
 * diff.
 */
function buildWholeHunk(
  previous: readonly string[],
  current: readonly string[],
): StructuredPatchHunk {
  const max = Math.min(previous.length, current.length);
  let start = 0;
  while (start < max && previous[start] === current[start]) start += 1;
  let end = 0;
  while (end < max - start && previous.at(-1 - end) === current.at(-1 - end)) end += 1;
  const before = previous.slice(Math.max(0, start - CONTEXT_LINES), start);
  const deleted = previous.slice(start, previous.length - end);
  const added = current.slice(start, current.length - end);
  // The last element is the empty text after the last line break.
  const after = previous.slice(previous.length - end, -1).slice(0, CONTEXT_LINES);
  const first = start - before.length + 1;
  return {
    oldStart: first,
    newStart: first,
    oldLines: before.length + deleted.length + after.length,
    newLines: before.length + added.length + after.length,
    lines: [
      ...before.map((line) => ` ${line}`),
      ...deleted.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...after.map((line) => ` ${line}`),
    ],
  };
}

/** Writes the hunk header. For an empty range the position is the line before it, as in git. */
function formatHeader({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  const before = oldLines === 0 ? oldStart - 1 : oldStart;
  const after = newLines === 0 ? newStart - 1 : newStart;
  return `@@ -${before},${oldLines} +${after},${newLines} @@`;
}

const NOISE = { noise: true } as const;

function toChunk(hunk: StructuredPatchHunk, counted?: Pick<Comparison, "deleted" | "added">) {
  const changes: Change[] = [];
  let before = hunk.oldStart;
  let after = hunk.newStart;
  for (const content of hunk.lines) {
    if (content.startsWith("-")) {
      const noise = counted?.deleted.has(before) === false ? NOISE : {};
      changes.push({ type: "del", del: true, ln: before, content, ...noise });
      before += 1;
    } else if (content.startsWith("+")) {
      const noise = counted?.added.has(after) === false ? NOISE : {};
      changes.push({ type: "add", add: true, ln: after, content, ...noise });
      after += 1;
    } else {
      changes.push({ type: "normal", normal: true, ln1: before, ln2: after, content });
      before += 1;
      after += 1;
    }
  }
  const { oldStart, oldLines, newStart, newLines } = hunk;
  return { content: formatHeader(hunk), oldStart, oldLines, newStart, newLines, changes };
}
