// The evidence of the values that a page gives for a schema, by JSON pointer (RFC 6901), and the
// reasons for missing ones.
import type { Evidence, Leaf } from "../declared/finding.ts";
import type { Confidence } from "../visible/visible-value.ts";

/** The reason for a missing value that is the value of another property of its object. */
export const OF_OTHER_PROPERTY = "its only value belongs to another property";

export class Notes {
  readonly evidence = new Map<string, Evidence>();
  /** Pointers of values with firm evidence: machine-readable data or a label of the property. */
  readonly strong = new Set<string>();
  /** Pointers of strong values whose place has the name of the property. */
  readonly exact = new Set<string>();
  readonly reasons = new Map<string, string>();

  note(pointer: string, leaf: Leaf, confidence: Confidence, isExact = false): void {
    this.evidence.set(pointer, { ...leaf.evidence, confidence });
    if (confidence === "high") this.strong.add(pointer);
    else this.strong.delete(pointer);
    if (confidence === "high" && isExact) this.exact.add(pointer);
    else this.exact.delete(pointer);
    this.reasons.delete(pointer);
  }

  forget(pointer: string): void {
    for (const all of [this.evidence, this.reasons, this.strong, this.exact])
      for (const at of all.keys())
        if (at === pointer || at.startsWith(`${pointer}/`)) all.delete(at);
  }

  /** Returns a function that takes back what is noted about a value after this call. */
  save(pointer: string): () => void {
    const noted = this.evidence.get(pointer);
    const [isStrong, isExact] = [this.strong.has(pointer), this.exact.has(pointer)];
    return () => {
      if (noted !== undefined) this.evidence.set(pointer, noted);
      if (isStrong) this.strong.add(pointer);
      if (isExact) this.exact.add(pointer);
      this.reasons.delete(pointer);
    };
  }

  /** The place that a value was copied from. */
  placeOf(pointer: string): string | undefined {
    const evidence = this.evidence.get(pointer);
    if (evidence === undefined) return undefined;
    const { source, selector = "", path = "", text } = evidence;
    return [source, selector, path, text].join("\n");
  }
}
