// Merges strokes and edges of thin shapes into ruled lines if they overlap or continue each other.
import type { Ruling } from "./page-text.ts";

/** Closer lines are one line drawn twice, or the two edges of a thin bar. */
const MAX_SAME_DISTANCE = 2.5;
/** Maximum gap within a line. */
const MAX_LINE_GAP = 3;
const MIN_LENGTH = 4;

export function mergeRulings(rulings: readonly Ruling[]): Ruling[] {
  const sorted = rulings.toSorted((one, other) => one.at - other.at);
  const groups: Ruling[][] = [];
  for (const ruling of sorted) {
    const group = groups.at(-1);
    const first = group?.[0];
    if (group !== undefined && first !== undefined && ruling.at - first.at <= MAX_SAME_DISTANCE)
      group.push(ruling);
    else groups.push([ruling]);
  }
  return groups.flatMap(mergeLine).filter(({ from, to }) => to - from >= MIN_LENGTH);
}

function mergeLine(group: readonly Ruling[]): Ruling[] {
  const at = group.reduce((sum, ruling) => sum + ruling.at, 0) / group.length;
  const merged: { at: number; from: number; to: number }[] = [];
  for (const { from, to } of group.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from - last.to <= MAX_LINE_GAP) last.to = Math.max(last.to, to);
    else merged.push({ at, from, to });
  }
  return merged;
}
