// Statements of a page in any syntax: objects with named values, each with its location.

export type SourceKind =
  | "json-ld"
  | "microdata"
  | "rdfa"
  /** Posts of a known forum software. */
  | "thread"
  | "state"
  | "metadata"
  | "label"
  | "section"
  | "table"
  | "list"
  | "mark";

/** Location of a value. */
export type Evidence = {
  readonly source: SourceKind | "model";
  /** The element, as `body > div#page > p.price`; for script data, the script. */
  readonly selector?: string;
  /** Reference of the node in the page model. */
  readonly ref?: string;
  /** Strength of the evidence; values with weaker evidence are not given. */
  readonly confidence?: "high" | "medium";
  /** Inside a script: the path to the value, such as `offers.price`. */
  readonly path?: string;
  /** The page's words, shortened. */
  readonly text: string;
};

export type Leaf = {
  readonly kind: "leaf";
  readonly value: string | number | boolean;
  readonly evidence: Evidence;
};

export type Thing = {
  readonly kind: "thing";
  readonly source: SourceKind;
  /** Type names without their vocabulary, such as Product. */
  readonly types: readonly string[];
  /** By name as written; several values of one name in order. */
  readonly fields: ReadonlyMap<string, readonly Value[]>;
  readonly evidence: Evidence;
};

export type Value = Leaf | Thing;

const MAX_TEXT = 300;

export const shorten = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;

export function toLeaf(value: string | number | boolean, evidence: Omit<Evidence, "text">): Leaf {
  return { kind: "leaf", value, evidence: { ...evidence, text: shorten(String(value)) } };
}
