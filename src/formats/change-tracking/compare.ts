// Decides whether a page has changed. Whitespace never counts. With noise suppression, lines are
// compared with volatile parts masked, and the remaining differences are checked against earlier
// versions.
import { diffArrays } from "diff";
import { classifyDifference, hashText, toLines, type Line } from "./lines.ts";
import { maskLine, type NoiseKind } from "./masks.ts";
import { createHistoryExplainer, type VersionLine } from "./explain-history.ts";

export type Version = { readonly markdown: string; readonly fetchedAt: number };

export type Comparison = {
  readonly changed: boolean;
  /** Differences that do not count: their lines in both versions, and their kinds. */
  readonly noise: { readonly lines: number; readonly kinds: readonly NoiseKind[] };
  /** Numbers of the lines that count, from 1. */
  readonly deleted: ReadonlySet<number>;
  readonly added: ReadonlySet<number>;
};

export type CompareOptions = {
  readonly ignoreNoise: boolean;
  /** Versions before the previous one, oldest first. Only loaded if something differs. */
  readonly earlier: () => Promise<readonly Version[]>;
};

/**
 * Beyond this, all lines from the first to the last difference count as one change, which is
 * bounded and still true.
 */
const MAX_EDITS = 2_000;
const DIFF_TIMEOUT_MS = 250;
/** With more different lines than this, the page counts as changed without noise analysis. */
const MAX_ANALYZED_LINES = 4_000;

export async function compareVersions(
  previous: Version,
  current: Version,
  { ignoreNoise, earlier }: CompareOptions,
): Promise<Comparison> {
  const difference = classifyDifference(hashText(previous.markdown), hashText(current.markdown));
  if (difference !== "text") return difference === "none" ? SAME : SAME_BUT_WHITESPACE;
  const groups = findGroups(
    toLines(previous.markdown),
    toLines(current.markdown),
    (line) => line.key,
  );
  if (!ignoreNoise) return buildComparison(groups.map((group) => ({ group, kinds: undefined })));
  const size = groups.reduce((sum, { deleted, added }) => sum + deleted.length + added.length, 0);
  if (size > MAX_ANALYZED_LINES)
    return buildComparison(groups.map((group) => ({ group, kinds: undefined })));
  const judged = groups.flatMap((group) => judgeMasked(group, previous, current));
  if (judged.every(({ kinds }) => kinds !== undefined)) return buildComparison(judged);
  const isUnstable = findUnstable(previous, current);
  const toPast = (version: Version): readonly VersionLine[] =>
    toLines(version.markdown).filter(isUnstable).map(toMasked(version));
  const explain = createHistoryExplainer([...(await earlier()), previous, current].map(toPast));
  return buildComparison(
    judged.flatMap((one) => {
      if (one.kinds !== undefined) return [one];
      const lines = new Map<VersionLine, Line>();
      const prepare = (line: Line, version: Version): VersionLine => {
        const masked = toMasked(version)(line);
        lines.set(masked, line);
        return masked;
      };
      const explained = explain({
        deleted: one.group.deleted.filter(isUnstable).map((line) => prepare(line, previous)),
        added: one.group.added.filter(isUnstable).map((line) => prepare(line, current)),
      });
      const kinds = new Map([...explained].map(([masked, kind]) => [lines.get(masked), kind]));
      return split(one.group, kinds);
    }),
  );
}

/** Splits a group by explanation: each kind of noise, and the rest. */
function split(
  { deleted, added }: LineGroup,
  explained: ReadonlyMap<Line | undefined, NoiseKind>,
): JudgedGroup[] {
  const parts: JudgedGroup[] = [];
  for (const kind of [undefined, "counter", "rotation"] as const) {
    const isOf = (line: Line): boolean => explained.get(line) === kind;
    const group = { deleted: deleted.filter(isOf), added: added.filter(isOf) };
    if (group.deleted.length + group.added.length > 0)
      parts.push({ group, kinds: kind === undefined ? undefined : [kind] });
  }
  return parts;
}

/** Only lines that one version lacks can be unstable; most lines are in both. */
function findUnstable(previous: Version, current: Version): (line: Line) => boolean {
  const before = new Set(toLines(previous.markdown).map(({ key }) => key));
  const stable = new Set(
    toLines(current.markdown).flatMap(({ key }) => (before.has(key) ? [key] : [])),
  );
  return ({ key }) => !stable.has(key);
}

type LineGroup = { readonly deleted: readonly Line[]; readonly added: readonly Line[] };
/** `kinds` is undefined for a change that counts. */
type JudgedGroup = { readonly group: LineGroup; readonly kinds: readonly NoiseKind[] | undefined };

export const SAME: Comparison = {
  changed: false,
  noise: { lines: 0, kinds: [] },
  deleted: new Set(),
  added: new Set(),
};
export const SAME_BUT_WHITESPACE: Comparison = {
  ...SAME,
  noise: { lines: 0, kinds: ["whitespace"] },
};

const toMasked =
  ({ fetchedAt }: Version) =>
  ({ text }: Line): VersionLine => ({ ...maskLine(text, fetchedAt), text });

/** Groups the differences between lines that both versions have. */
function findGroups(
  previous: readonly Line[],
  current: readonly Line[],
  keyOf: (line: Line) => string,
): LineGroup[] {
  const limits = { maxEditLength: MAX_EDITS, timeout: DIFF_TIMEOUT_MS };
  const parts = diffArrays(previous.map(keyOf), current.map(keyOf), limits);
  if (parts === undefined) return [groupWholeMiddle(previous, current, keyOf)];
  const groups: LineGroup[] = [];
  let deleted: Line[] = [];
  let added: Line[] = [];
  let before = 0;
  let after = 0;
  const end = (): void => {
    if (deleted.length + added.length > 0) groups.push({ deleted, added });
    deleted = [];
    added = [];
  };
  for (const { added: isAdded, removed, count } of parts) {
    if (removed) deleted.push(...previous.slice(before, before + count));
    else if (isAdded) added.push(...current.slice(after, after + count));
    else end();
    if (!isAdded) before += count;
    if (!removed) after += count;
  }
  end();
  return groups;
}

function groupWholeMiddle(
  previous: readonly Line[],
  current: readonly Line[],
  keyOf: (line: Line) => string,
): LineGroup {
  const isSameLine = (one: Line | undefined, other: Line | undefined): boolean =>
    one !== undefined && other !== undefined && keyOf(one) === keyOf(other);
  let start = 0;
  while (isSameLine(previous[start], current[start])) start += 1;
  let end = 0;
  const max = Math.min(previous.length, current.length) - start;
  while (end < max && isSameLine(previous.at(-1 - end), current.at(-1 - end))) end += 1;
  return {
    deleted: previous.slice(start, previous.length - end),
    added: current.slice(start, current.length - end),
  };
}

/** Splits a group into lines that are equal after masking, and the rest. */
function judgeMasked(group: LineGroup, previous: Version, current: Version): JudgedGroup[] {
  const masks = new Map<Line, VersionLine>();
  for (const line of group.deleted) masks.set(line, toMasked(previous)(line));
  for (const line of group.added) masks.set(line, toMasked(current)(line));
  const toKey = (line: Line): string => masks.get(line)?.key ?? line.key;
  const rest = findGroups(group.deleted, group.added, toKey);
  const counting = new Set(rest.flatMap(({ deleted, added }) => [...deleted, ...added]));
  const deleted = group.deleted.filter((line) => !counting.has(line));
  const added = group.added.filter((line) => !counting.has(line));
  const kinds = new Set<NoiseKind>();
  for (const [index, line] of added.entries()) {
    const others = masks.get(deleted[index] ?? line)?.masks ?? [];
    for (const [at, { kind, text }] of (masks.get(line)?.masks ?? []).entries())
      if (others[at]?.text !== text) kinds.add(kind);
  }
  const judged: JudgedGroup[] = rest.map((part) => ({ group: part, kinds: undefined }));
  if (added.length > 0) judged.push({ group: { deleted, added }, kinds: [...kinds] });
  return judged;
}

function buildComparison(judged: readonly JudgedGroup[]): Comparison {
  const counting = judged.filter(({ kinds }) => kinds === undefined).map(({ group }) => group);
  const noise = judged.filter(({ kinds }) => kinds !== undefined);
  return {
    changed: counting.length > 0,
    noise: {
      lines: noise.reduce(
        (sum, { group }) => sum + Math.max(group.deleted.length, group.added.length),
        0,
      ),
      kinds: [...new Set(noise.flatMap(({ kinds = [] }) => kinds))],
    },
    deleted: new Set(counting.flatMap(({ deleted }) => deleted.map(({ number }) => number))),
    added: new Set(counting.flatMap(({ added }) => added.map(({ number }) => number))),
  };
}
