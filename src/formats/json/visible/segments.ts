// The short texts of a scope: its pieces, their parts between separators, and elements within them.
import { isHidden, isStruck, type PageNode } from "../../../page-model/node.ts";
import { readCurrentText } from "../../../page-model/grids.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { LEADING_CLOCK } from "./visible-title.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/** Part of a piece of text between separators: "Dublin · Full-time" has two. */
export type Segment = { readonly text: string; readonly node: PageNode };

const SEPARATOR = /\s*[·•|]\s*|\s+[–—]\s+|\n/u;
export const MAX_PIECE = 200;

const segments = new WeakMap<VisibleScope, readonly Segment[]>();

export function getSegments(scope: VisibleScope): readonly Segment[] {
  let known = segments.get(scope);
  if (known === undefined) {
    known = readSegments(scope);
    segments.set(scope, known);
  }
  return known;
}

function readSegments(scope: VisibleScope): Segment[] {
  const { model } = scope;
  return scope.pieces.flatMap((node): Segment[] => {
    if (node.to - node.from > MAX_PIECE || isStruck(node)) return [];
    const isCorrected = model.below(node).some(isStruck);
    const line = readCurrentText(model, { node, text: model.lineOf(node) });
    const text = isCorrected ? line : model.textOf(node);
    const whole = { text: line, node };
    const [, clock, behind] = LEADING_CLOCK.exec(text) ?? [];
    const divided = clock === undefined ? text.split(SEPARATOR) : [clock, behind ?? ""];
    const [first] = model.children(node);
    const lead = first !== undefined && first.from === node.from ? model.textOf(first) : "";
    const parts = divided
      .flatMap((part) => splitLead(part, lead))
      .map((part) => ({ text: part.trim(), node }));
    const inner = model
      .below(node)
      .filter(
        (child) =>
          child.index !== node.index &&
          child.to > child.from &&
          !isHidden(child) &&
          !isStruck(child),
      )
      .map((child) => ({ text: model.lineOf(child), node: child }));
    const known = new Set<string>();
    return [whole, ...parts, ...inner].filter(({ text: part }) => {
      if (part === "" || known.has(part)) return false;
      known.add(part);
      return true;
    });
  });
}

/** "Ada Whit, head of department" with the name in an element of its own has two parts. */
function splitLead(text: string, lead: string): string[] {
  const rest = lead !== "" && text.startsWith(lead) ? text.slice(lead.length) : "";
  return /^\s?[,–—-]\s/u.test(rest) ? [lead, rest.replace(/^\s?[,–—-]\s/u, "")] : [text];
}

/** The answer for a segment with the value it shows. */
export const toAnswer = (
  scope: VisibleScope,
  { node, text }: Segment,
  value: string | boolean,
): VisibleAnswer => ({
  found: {
    leaves: [toVisibleLeaf(scope, node, value, "list", text)],
    confidence: "medium",
    node,
  },
});
