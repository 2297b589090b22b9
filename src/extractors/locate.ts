// Locates one source of a field within a scope: the texts at its place, each with its position.
import type { ProgramSource } from "../contract/extractors/program.ts";
import type { PageNode } from "../page-model/node.ts";
import { takeParts } from "./convert.ts";
import { foldLabel } from "./fold-label.ts";
import { isInScope, type ExtractorPage, type Scope } from "./extractor-page.ts";
import { selectNodes, parseSteps } from "./select-nodes.ts";

export type Hit = {
  readonly text: string;
  /** Undefined for data of the page's head and scripts. */
  readonly node: PageNode | undefined;
  /** All words at the place, which contain `text`. */
  readonly quote: string;
};

const MAX_HITS = 5_000;

export function locate(source: ProgramSource, scope: Scope, page: ExtractorPage): Hit[] {
  const { data, take, attribute, path } = source;
  const hits: Hit[] = [];
  const add = (raw: string, node: PageNode | undefined): void => {
    if (hits.length >= MAX_HITS) return;
    for (const part of takeParts(raw, take, page)) {
      const text = part.trim();
      if (text !== "") hits.push({ text, node, quote: raw });
    }
  };
  if (data?.kind === "heading") {
    const node = page.headingAbove(data.path, scope);
    if (node !== undefined) add(page.textOf(node), node);
  } else if (data !== undefined)
    for (const value of page.data.values(data.kind, data.path)) add(String(value), undefined);
  else if (path === undefined) readPairs(source, scope, page, add);
  else
    for (const node of selectAnchored(selectNodes(page, path, scope), source, scope, page)) {
      const raw = attribute === undefined ? page.textOf(node) : node.element.attribs[attribute];
      if (raw !== undefined) add(raw, node);
    }
  return hits;
}

/** Filters the nodes by the anchor. */
function selectAnchored(
  nodes: readonly PageNode[],
  { anchor }: ProgramSource,
  scope: Scope,
  page: ExtractorPage,
): readonly PageNode[] {
  if (anchor?.label !== undefined) {
    const label = foldLabel(anchor.label);
    return nodes.filter((node) => page.labelsAround(node, scope).has(label));
  }
  if (anchor?.heading !== undefined) {
    const ranges = findSections(anchor.heading, page);
    return nodes.filter(({ index }) => ranges.some(([from, to]) => index >= from && index < to));
  }
  if (anchor?.column !== undefined) {
    const column = foldLabel(anchor.column);
    return nodes.filter((node) => page.columnOf(node) === column);
  }
  return nodes;
}

const MAX_SECTIONS = 50;

function findSections(
  heading: string,
  page: ExtractorPage,
): (readonly [from: number, to: number])[] {
  const wanted = foldLabel(heading);
  return page.model.sections
    .filter(({ title }) => foldLabel(title) === wanted)
    .slice(0, MAX_SECTIONS)
    .map(({ start, end }) => [start, end]);
}

/** Values beside a label, or the cells of a column, at any position. */
function readPairs(
  { anchor, attribute }: ProgramSource,
  scope: Scope,
  page: ExtractorPage,
  add: (raw: string, node: PageNode) => void,
): void {
  const isInside = (node: PageNode): boolean => isInScope(node, scope);
  const addNode = (node: PageNode, text: string): void => {
    const raw = attribute === undefined ? text : node.element.attribs[attribute];
    if (raw !== undefined) add(raw, node);
  };
  if (anchor?.label !== undefined) {
    const wanted = foldLabel(anchor.label);
    for (const { node, value } of page.pairsOf(wanted)) if (isInside(node)) addNode(node, value);
  } else if (anchor?.column !== undefined) {
    const wanted = foldLabel(anchor.column);
    for (let index = scope.from; index < scope.to; index += 1) {
      const node = page.model.nodes[index] as PageNode;
      if (isInside(node) && page.columnOf(node) === wanted) addNode(node, page.textOf(node));
    }
  } else if (anchor?.heading !== undefined)
    for (const [from] of findSections(anchor.heading, page)) {
      const node = page.model.nodes[from];
      if (node !== undefined && isInside(node)) addNode(node, page.textOf(node));
    }
}

/**
 * Rates the stability of a place: 3 if words of the page or data name it, 2 if the markup names it,
 * 1 for a position.
 */
export function rateStrength({ data, anchor, take, path }: ProgramSource): 1 | 2 | 3 {
  if (data !== undefined || anchor?.label !== undefined || anchor?.column !== undefined) return 3;
  if (/\p{L}{3}/u.test(take?.after ?? "")) return 3;
  const steps = path === undefined ? [] : parseSteps(path);
  const last = steps.at(-1);
  if (anchor?.heading !== undefined) return last?.nth === undefined ? 2 : 1;
  if (steps.some(({ nth }) => nth !== undefined)) return 1;
  if (last?.tag === "h1") return 3;
  const isNamed = steps.some(
    ({ id, classes, attributes }) =>
      id !== undefined || classes.length > 0 || attributes.length > 0,
  );
  return isNamed || last?.tag?.includes("-") === true ? 2 : 1;
}
