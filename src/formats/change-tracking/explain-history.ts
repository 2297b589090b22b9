// Explains changes by earlier versions: rotating blocks, and numbers that only grow.
import { readCounter, stripNumbers, type MaskedLine } from "./masks.ts";

export type VersionLine = MaskedLine & { readonly text: string };

/** Masked lines of each version that some version lacks, oldest first, the current one last. */
type PastVersions = readonly (readonly VersionLine[])[];

/** Replaced lines: a change between two unchanged lines. */
type Group = {
  readonly deleted: readonly VersionLine[];
  readonly added: readonly VersionLine[];
};

/**
 * Minimum returns of a line without a rotating counterpart. A single return may be a reverted edit.
 */
const MIN_RETURNS_ALONE = 2;
/** Minimum versions with a growing number for it to count as a counter. */
const MIN_GROWN_VERSIONS = 4;

/**
 * Returns a function that explains the lines of a change by the past. The past is indexed once per
 * comparison.
 */
export function createHistoryExplainer(past: PastVersions) {
  const keys = past.map((lines) => new Set(lines.map(({ key }) => key)));
  let counters: readonly ReadonlyMap<string, number | undefined>[] | undefined;

  /** Counts how often the line returned after it was gone. */
  function countReturns(key: string): number {
    let returns = 0;
    let wasThere = false;
    let before = false;
    for (const version of keys) {
      const isThere = version.has(key);
      if (isThere && wasThere && !before) returns += 1;
      wasThere ||= isThere;
      before = isThere;
    }
    return returns;
  }

  /** True if the number in this template grew from each version to the next. */
  function hasGrown(template: string): boolean {
    if (past.length < MIN_GROWN_VERSIONS) return false;
    counters ??= past.map(readCounters);
    let last = -1;
    for (const version of counters) {
      const value = version.get(template);
      if (value === undefined || value <= last) return false;
      last = value;
    }
    return true;
  }

  return ({ deleted, added }: Group): ReadonlyMap<VersionLine, "counter" | "rotation"> => {
    const explained = new Map<VersionLine, "counter" | "rotation">();
    const before = new Set(deleted.map(({ key }) => stripNumbers(key)));
    const after = new Set(added.map(({ key }) => stripNumbers(key)));
    /** The same words with another number are a changed value, not a rotating block. */
    const judge = (lines: readonly VersionLine[], others: ReadonlySet<string>) =>
      lines.flatMap((line) => {
        const template = stripNumbers(line.key);
        if (!others.has(template)) return [{ line, returns: countReturns(line.key) }];
        if (hasGrown(template)) explained.set(line, "counter");
        return [];
      });
    const gone = judge(deleted, after);
    const back = judge(added, before);
    for (const [ones, others] of [
      [gone, back],
      [back, gone],
    ] as const) {
      const min = others.some(({ returns }) => returns > 0) ? 1 : MIN_RETURNS_ALONE;
      for (const { line, returns } of ones) if (returns >= min) explained.set(line, "rotation");
    }
    return explained;
  };
}

/** Maps each template to its possible counter, or to undefined if two lines share the template. */
function readCounters(lines: readonly VersionLine[]): ReadonlyMap<string, number | undefined> {
  const counters = new Map<string, number | undefined>();
  for (const { key, text } of lines) {
    const template = stripNumbers(key);
    counters.set(template, counters.has(template) ? undefined : readCounter(text));
  }
  return counters;
}
