// What a page says about itself, whatever it is written in: things with named values, each with the place it stands at.

export type SourceKind =
  | "json-ld"
  | "microdata"
  | "rdfa"
  | "state"
  | "metadata"
  | "label"
  | "section"
  | "table"
  | "list"
  | "mark";

/** Where a value stands. */
export type Evidence = {
  readonly source: SourceKind | "model";
  /** The element, as `body > div#page > p.price`; for a script, the script. */
  readonly selector?: string;
  /** Inside a script: the way to the value, as `offers.price`. */
  readonly path?: string;
  /** The words of the page, shortened. */
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
  /** Names of its types without their vocabulary, such as Product. */
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
