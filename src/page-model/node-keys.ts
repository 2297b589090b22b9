// Keys of positions on a page that are the same on every page of its template: tags with their
// classes, without indexes.
import type { PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";

const MAX_CLASSES = 3;
const MAX_STEPS = 8;
/** Classes from build tools and of states differ between pages. */
const UNSTABLE = /\d{3}|^(?:is-|has-|active|selected|current|first|last|odd|even|sold)|[:[\]/]/i;

/** Tag and classes of a node. */
export function getNodeKey({ element: { name, attribs } }: PageNode): string {
  const classes = (attribs["class"] ?? "")
    .split(/\s+/)
    .filter((one) => one !== "" && !UNSTABLE.test(one))
    .slice(0, MAX_CLASSES);
  const { itemprop } = attribs;
  return [name, ...(itemprop === undefined ? [] : [itemprop]), ...classes].join(".");
}

/** The keys from a node up to `root`, without it; up to the page without one. */
export function getNodePath(tree: NodeTree, node: PageNode, root?: PageNode): string {
  const steps: string[] = [];
  for (
    let at: PageNode | undefined = node;
    at !== undefined && at !== root && steps.length < MAX_STEPS;
    at = tree.parent(at)
  )
    steps.push(getNodeKey(at));
  return steps.toReversed().join(">");
}

/** Labels compare without case, blanks and punctuation at their ends. */
export const foldLabelText = (label: string): string =>
  label
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, 120)
    .replace(/[:：.*•]{1,5}$/u, "")
    .trim();
