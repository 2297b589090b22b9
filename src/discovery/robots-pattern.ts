// A path pattern of robots.txt, with "*" and "$" (RFC 9309 section 2.2.3).
import { toComparable } from "./robots-address.ts";

export type PathPattern = {
  /** Literal parts between the wildcards, at least one. */
  readonly parts: readonly string[];
  /** Ends with "$", so the path must end there too. */
  readonly anchored: boolean;
  /** Octets of the pattern. The longest matching pattern decides. */
  readonly length: number;
};

/**
 * Parses a pattern with one character per octet. Returns undefined if it is empty or cannot match
 * any path.
 */
export function parsePathPattern(written: string): PathPattern | undefined {
  if (!written.startsWith("/") && !written.startsWith("*")) return undefined;
  const anchored = written.endsWith("$");
  const body = (anchored ? written.slice(0, -1) : written).replaceAll(/\*+/g, "*");
  const parts = body.split("*").map(toComparable);
  const length = parts.reduce((sum, part) => sum + part.length, parts.length - 1);
  return { parts, anchored, length: length + (anchored ? 1 : 0) };
}

/**
 * True if a normalized path matches. Matches each part leftmost, so the time is linear in path and
 * pattern.
 */
export function matchesPath({ parts, anchored }: PathPattern, path: string): boolean {
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let end = first.length;
  if (rest.length === 0) return !anchored || end === path.length;
  const last = anchored ? (rest.pop() ?? "") : "";
  for (const part of rest) {
    const at = path.indexOf(part, end);
    if (at === -1) return false;
    end = at + part.length;
  }
  return !anchored || (path.length - last.length >= end && path.endsWith(last));
}
