// What earlier versions of a page say about a change: blocks that come and go and come back, numbers that only ever grow.
import { counterOf, withoutNumbers, type MaskedLine } from "./masks.ts";

export type VersionLine = MaskedLine & { readonly text: string };

/** Of each version the lines that not all have, masked; oldest first, the current one last. */
type Past = readonly (readonly VersionLine[])[];

/** Lines in the place of others: a change between two lines that stayed. */
type Group = {
  readonly deleted: readonly VersionLine[];
  readonly added: readonly VersionLine[];
};

/** A line without a counterpart that rotates with it must have come back so often. One return may be an edit taken back. */
const RETURNS_ALONE = 2;
/** Versions in which a number must have grown each time to count as a counter. */
const GROWN = 4;

/** Says which lines of a change are explained by the past; looks through it once for all changes of a comparison. */
export function createPastReader(past: Past) {
  const keys = past.map((lines) => new Set(lines.map(({ key }) => key)));
  let counters: readonly ReadonlyMap<string, number | undefined>[] | undefined;

  /** How often the line was back after it had gone. */
  function returnsOf(key: string): number {
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

  /** Has the number in these words grown from each version to the next? */
  function hasGrown(template: string): boolean {
    if (past.length < GROWN) return false;
    counters ??= past.map(countersOf);
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
    const before = new Set(deleted.map(({ key }) => withoutNumbers(key)));
    const after = new Set(added.map(({ key }) => withoutNumbers(key)));
    /** Another number in the same words is a value, and no block that rotates. */
    const judge = (lines: readonly VersionLine[], others: ReadonlySet<string>) =>
      lines.flatMap((line) => {
        const template = withoutNumbers(line.key);
        if (!others.has(template)) return [{ line, returns: returnsOf(line.key) }];
        if (hasGrown(template)) explained.set(line, "counter");
        return [];
      });
    const gone = judge(deleted, after);
    const back = judge(added, before);
    for (const [ones, others] of [
      [gone, back],
      [back, gone],
    ] as const) {
      const least = others.some(({ returns }) => returns > 0) ? 1 : RETURNS_ALONE;
      for (const { line, returns } of ones) if (returns >= least) explained.set(line, "rotation");
    }
    return explained;
  };
}

/** By their words: the one number of lines that could be counters; undefined where two lines have the same words. */
function countersOf(lines: readonly VersionLine[]): ReadonlyMap<string, number | undefined> {
  const counters = new Map<string, number | undefined>();
  for (const { key, text } of lines) {
    const template = withoutNumbers(key);
    counters.set(template, counters.has(template) ? undefined : counterOf(text));
  }
  return counters;
}
