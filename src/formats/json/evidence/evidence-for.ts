import { listLeaves } from "./check-evidence.ts";
import type { Evidence } from "../declared/finding.ts";
import { readPointer } from "../../../runtime/json-schema/pointer.ts";

export type EvidenceSource = {
  readonly value: unknown;
  /** By JSON pointer. */
  readonly evidence: Readonly<Record<string, Evidence>>;
};

/**
 * Returns the evidence of every remaining value from earlier evidence; later sources win. List
 * members may have moved, so a value at a new position is found by content.
 */
export function mergeEvidence(
  value: unknown,
  sources: readonly EvidenceSource[],
): Record<string, Evidence> {
  const byValue = new Map<string, Evidence>();
  for (const source of sources)
    for (const [pointer, found] of Object.entries(source.evidence))
      byValue.set(JSON.stringify(readPointer(source.value, pointer)), found);
  const evidence: Record<string, Evidence> = {};
  for (const { pointer, value: leaf } of listLeaves(value)) {
    const own = sources.findLast(
      (source) =>
        source.evidence[pointer] !== undefined && readPointer(source.value, pointer) === leaf,
    );
    const found = own?.evidence[pointer] ?? byValue.get(JSON.stringify(leaf));
    if (found !== undefined) evidence[pointer] = found;
  }
  return evidence;
}
