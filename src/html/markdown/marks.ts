// Inline marks: emphasis, links, small tags. A mark path lists them from the outermost to the
// innermost.

export type MarkKind = "strong" | "em" | "del" | "link" | "sub" | "sup" | "kbd" | "mark" | "ins";

export type Mark = {
  readonly kind: MarkKind;
  /** Links only: target and title. */
  readonly target: string;
  readonly title: string;
  /** Links only: names the target instead of writing it, for links by reference. */
  readonly references?: References | undefined;
  /** A link around several blocks is written once, at its first text. */
  readonly once: boolean;
  used: boolean;
};

/** Names the targets of links that are written by reference. */
export type References = { getLabel(target: string, title: string): string };

/** The marks around a piece of text, outermost first. */
export type MarkPath = readonly Mark[];

export const NO_MARKS: MarkPath = [];

/**
 * Adds an inner mark to the path. An existing kind is repeated only with `again`: strong twice, em
 * once.
 */
export function withMark(path: MarkPath, kind: Exclude<MarkKind, "link">, again = false): MarkPath {
  const mark: Mark = { kind, target: "", title: "", once: false, used: false };
  if (path.length === 0) return [mark];
  const there = path.filter((other) => other.kind === kind).length;
  if (there > (again ? (kind === "strong" ? 2 : 1) : 0)) return path;
  return [...path, mark];
}

/** Adds a link to the path. An inner link replaces an outer one. */
export function withLink(path: MarkPath, link: Mark): MarkPath {
  return path.length === 0 ? [link] : [...path.filter((mark) => mark.kind !== "link"), link];
}

export function removeMark(path: MarkPath, kind: MarkKind): MarkPath {
  return path.some((mark) => mark.kind === kind) ? path.filter((mark) => mark.kind !== kind) : path;
}

export function linkMark(
  target: string,
  title: string,
  once: boolean,
  references?: References,
): Mark {
  return { kind: "link", target, title, once, used: false, references };
}

export const isInLink = (path: MarkPath): boolean => path.some((mark) => mark.kind === "link");

/** True if two adjacent marks can be written as one. */
export function isSameMark(one: Mark, other: Mark): boolean {
  return one === other || (one.kind === other.kind && one.kind !== "link");
}

/** True if two links are pieces of one: same target and title. */
export function isSameTarget(one: Mark, other: Mark): boolean {
  return !one.once && !other.once && one.target === other.target && one.title === other.title;
}
