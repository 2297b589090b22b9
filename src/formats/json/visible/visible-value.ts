// A value that the page shows, with the node that shows it.
import { describePath } from "../../../html/parse/tree.ts";
import type { PageNode } from "../../../page-model/node.ts";
import { shorten, type Evidence, type Leaf, type SourceKind } from "../declared/finding.ts";
import type { VisibleScope } from "./visible-scope.ts";

export type Confidence = "high" | "medium";

export type VisibleValue = {
  readonly leaves: readonly Leaf[];
  readonly confidence: Confidence;
  /** True if its label, or its row and column, have the name of the property. */
  readonly isExact?: boolean;
  /** The node that shows it. */
  readonly node: PageNode;
};

export type VisibleAnswer =
  | { readonly found: VisibleValue }
  /** Reason why the page gives no value, for `missing`. */
  | { readonly reason: string };

/** Creates leaves for a value with its source. */
export function toVisibleLeaf(
  scope: VisibleScope,
  node: PageNode,
  value: string | number | boolean,
  source: SourceKind,
  text = scope.model.lineOf(node),
): Leaf {
  const evidence: Evidence = {
    source,
    selector: describePath(node.element),
    ref: node.ref,
    text: shorten(text),
  };
  return { kind: "leaf", value, evidence };
}

/** Letters and digits alone, for comparison. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
