// Selects the nodes of a path in one pass over a scope.
import { parsePath, type PathStep } from "../contract/extractors/path.ts";
import type { PageNode } from "../page-model/node.ts";
import type { ExtractorPage, Scope } from "./extractor-page.ts";

const parsed = new Map<string, readonly PathStep[]>();
const MAX_PARSED = 5_000;

/** Returns the steps of a path that the contract has validated. */
export function parseSteps(path: string): readonly PathStep[] {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  const read = parsePath(path);
  const steps = "steps" in read ? read.steps : [];
  if (parsed.size >= MAX_PARSED) parsed.clear();
  parsed.set(path, steps);
  return steps;
}

/** Nodes of a path within a scope, in document order. Linear in the size of the scope. */
export function selectNodes(page: ExtractorPage, path: string, scope: Scope): PageNode[] {
  const { root } = scope;
  const steps = parseSteps(path);
  if (steps.length === 0) return root === undefined ? [] : [root];
  const { nodes } = page.model;
  const found: PageNode[] = [];
  const from = root === undefined ? scope.from : root.index + 1;
  const top = root === undefined ? (nodes[from]?.depth ?? 0) : root.depth + 1;
  const done = 1 << steps.length;
  // Bit n: the first n steps end at the open node of that depth, or at one of its ancestors.
  const ends: number[] = [];
  const around: number[] = [];
  const { holes = [] } = scope;
  let hole = 0;
  for (let index = from; index < scope.to; index += 1) {
    if (holes[hole]?.from === index) {
      index = (holes[hole]?.to ?? index + 1) - 1;
      hole += 1;
      continue;
    }
    const node = nodes[index] as PageNode;
    const level = node.depth - top;
    const parentEnds = level === 0 ? 1 : (ends[level - 1] ?? 0);
    const above = level === 0 ? 1 : (around[level - 1] ?? 0) | parentEnds;
    let mask = 0;
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at] as PathStep;
      const before = step.combinator === "child" ? parentEnds : above;
      if ((before & (1 << at)) !== 0 && fits(page, node, step)) mask |= 1 << (at + 1);
    }
    ends[level] = mask;
    around[level] = above;
    if ((mask & done) !== 0) found.push(node);
  }
  return found;
}

function fits(page: ExtractorPage, node: PageNode, step: PathStep): boolean {
  const { name, attribs } = node.element;
  if (step.tag !== undefined && step.tag !== name) return false;
  if (step.id !== undefined && attribs["id"] !== step.id) return false;
  if (step.classes.length > 0) {
    const classes = attribs["class"];
    if (classes === undefined || !step.classes.every((each) => hasClass(classes, each)))
      return false;
  }
  for (const { name: attribute, value } of step.attributes) {
    const written = attribs[attribute];
    if (written === undefined || (value !== undefined && written !== value)) return false;
  }
  if (step.nth === undefined) return true;
  return step.nth === (step.nth > 0 ? page.positionOf(node) : page.backPositionOf(node));
}

/** True if a class attribute has a token. */
export function hasClass(classes: string, token: string): boolean {
  for (let at = classes.indexOf(token); at !== -1; at = classes.indexOf(token, at + 1)) {
    const before = at === 0 ? " " : classes[at - 1];
    const after = classes[at + token.length] ?? " ";
    if (/\s/.test(before ?? " ") && /\s/.test(after)) return true;
  }
  return false;
}
