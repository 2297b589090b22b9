// Finds the records of a list from some of them: the elements that hold the values of one record
// each, and their common path.
import type { RecordsPlace, ScalarType } from "../../contract/extractors/program.ts";
import type { PageNode } from "../../page-model/node.ts";
import type { Scalar } from "../convert.ts";
import type { ExtractorPage, Scope } from "../extractor-page.ts";
import { readRecordScopes } from "../record-scopes.ts";
import { listCompounds } from "./places.ts";
import { findOccurrences } from "./occurrences.ts";

export type ListExample = {
  readonly page: ExtractorPage;
  readonly scope: Scope;
  readonly records: readonly Readonly<Record<string, unknown>>[];
};

export type FoundRecords = {
  readonly place: RecordsPlace;
  /** The scope of each example record, by example and record. */
  readonly scopes: readonly (readonly Scope[])[];
  /** Records that no example describes, by example. */
  readonly others: readonly (readonly Scope[])[];
};

const MAX_RECORDS = 40;
const MAX_LEVELS = 8;

/** Undefined if no path separates the example records. */
export function findRecords(examples: readonly ListExample[]): FoundRecords | undefined {
  const candidates = examples.map(({ page, scope, records }) =>
    records.slice(0, MAX_RECORDS).map((record) => findRecordRoots(record, page, scope)),
  );
  const max = Math.max(0, ...candidates.flat().map(({ values }) => values));
  // Tries in order: all values in one element; spread over siblings; some values outside, such as
  // the name of a group.
  for (let left = 0; left < max && left <= max * MAX_OUTSIDE; left += 1) {
    const found =
      findHolders(examples, candidates, left, false) ??
      findHolders(examples, candidates, left, true);
    if (found !== undefined) return found;
    const runs = left === 0 ? findRuns(examples) : undefined;
    if (runs !== undefined) return runs;
  }
  return undefined;
}

/** Records whose elements hold all but a few of their values. */
function findHolders(
  examples: readonly ListExample[],
  candidates: readonly (readonly RecordRoots[])[],
  left: number,
  nested: boolean,
): FoundRecords | undefined {
  const roots = candidates.map((records) =>
    chooseSeparate(
      records.map((record) =>
        record.roots
          .filter(({ held }) => held >= Math.max(1, record.values - left))
          .map(({ node }) => node),
      ),
      nested,
    ),
  );
  if (roots.some((each) => each === undefined)) return undefined;
  return findPlace(examples, roots as PageNode[][], nested);
}

/** Maximum share of a record's values that may be outside its element. */
const MAX_OUTSIDE = 0.4;

/** Picks one element per record, none within another's unless records are nested. */
function chooseSeparate(
  candidates: readonly (readonly PageNode[])[],
  nested: boolean,
): PageNode[] | undefined {
  const chosen: PageNode[] = [];
  for (const nodes of candidates) {
    const free = nodes.find((node) =>
      chosen.every((other) => (nested ? node !== other : !overlaps(node, other))),
    );
    if (free === undefined) return undefined;
    chosen.push(free);
  }
  return chosen.length === 0 ? undefined : chosen;
}

const overlaps = (one: PageNode, other: PageNode): boolean =>
  one.index < other.end && other.index < one.end;

type Root = { readonly node: PageNode; readonly held: number };
type RecordRoots = { readonly roots: readonly Root[]; readonly values: number };

/** Ancestors of a record's values with the number of its values in them, the smallest first. */
function findRecordRoots(
  record: Readonly<Record<string, unknown>>,
  page: ExtractorPage,
  scope: Scope,
): RecordRoots {
  const places = findValuePlaces(record, page, scope);
  const found = new Map<number, Root>();
  for (const start of places.flat()) {
    let before = 0;
    for (let at: PageNode | undefined = start; at !== undefined; at = page.model.parent(at)) {
      const node = at;
      if (node.index < scope.from || node.element.name === "body" || found.has(node.index)) break;
      const held = places.filter((nodes) => nodes.some((each) => page.model.contains(node, each)));
      // Elements that hold no more values than their descendants are not added.
      if (held.length > before) found.set(node.index, { node, held: held.length });
      before = Math.max(before, held.length);
    }
  }
  const roots = [...found.values()].toSorted(
    (one, other) => measureNode(one.node) - measureNode(other.node),
  );
  return { roots, values: places.length };
}

const measureNode = ({ index, end }: PageNode): number => end - index;

/** Finds the nodes of each value that occurs on the page. */
function findValuePlaces(
  record: Readonly<Record<string, unknown>>,
  page: ExtractorPage,
  scope: Scope,
): PageNode[][] {
  const places: PageNode[][] = [];
  for (const value of Object.values(record)) {
    const members = (Array.isArray(value) ? (value as unknown[]) : [value]).slice(0, 5);
    for (const member of members) {
      if (typeof member !== "string" && typeof member !== "number") continue;
      const nodes = listTypes(member).flatMap((type) =>
        findOccurrences({ value: member }, { type }, page, scope).flatMap(({ node }) => node ?? []),
      );
      if (nodes.length > 0) places.push(nodes);
    }
  }
  return places;
}

function listTypes(value: Scalar): ScalarType[] {
  if (typeof value === "number") return ["number"];
  if (/^https?:\/\/\S+$/.test(String(value))) return ["url"];
  return /^\d{4}-\d{2}-\d{2}/.test(String(value)) ? ["string", "date"] : ["string"];
}

/** Finds the outermost elements that still hold one record each, and their path. */
function findPlace(
  examples: readonly ListExample[],
  roots: readonly (readonly PageNode[])[],
  nested: boolean,
): FoundRecords | undefined {
  const levels: { readonly found: FoundRecords; readonly score: number }[] = [];
  let current = roots;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    const best = findBestPath(examples, current, nested);
    if (best !== undefined) levels.push({ ...best, score: best.score + level * 0.01 });
    const above = current.map((nodes, at) =>
      nodes.map((node) => examples[at]?.page.model.parent(node)),
    );
    if (!above.every((nodes, at) => areSeparate(nodes, examples[at]))) break;
    current = above as PageNode[][];
  }
  return levels.toSorted((one, other) => other.score - one.score)[0]?.found;
}

function areSeparate(
  nodes: readonly (PageNode | undefined)[],
  example: ListExample | undefined,
): boolean {
  if (example === undefined) return false;
  const { scope } = example;
  const isInside = nodes.every(
    (node) =>
      node !== undefined &&
      node.index >= scope.from &&
      node !== scope.root &&
      !/^(?:body|html|main|table|tbody|ul|ol|dl)$/.test(node.element.name),
  );
  const known = nodes as readonly PageNode[];
  return (
    isInside &&
    known.every((one, at) => known.slice(at + 1).every((other) => !overlaps(one, other)))
  );
}

function findBestPath(
  examples: readonly ListExample[],
  roots: readonly (readonly PageNode[])[],
  nested: boolean,
): { readonly found: FoundRecords; readonly score: number } | undefined {
  let paths: Set<string> | undefined;
  for (const [at, nodes] of roots.entries())
    for (const node of nodes) {
      const offered = listPaths(node, examples[at] as ListExample);
      paths = paths === undefined ? offered : paths.intersection(offered);
    }
  let best: { found: FoundRecords; score: number } | undefined;
  for (const path of paths ?? []) {
    const judged = judgePath({ path, ...(nested ? { nested } : {}) }, examples, roots);
    if (judged !== undefined && judged.score > (best?.score ?? 0)) best = judged;
  }
  return best;
}

/** Paths of a record without positions. */
function listPaths(node: PageNode, { page, scope }: ListExample): Set<string> {
  const own = [...listCompounds(node).slice(0, 5), node.element.name];
  const paths = new Set(own);
  let between = "";
  let distance = 0;
  for (let at = page.model.parent(node); at !== undefined; at = page.model.parent(at)) {
    if (at.index < scope.from || at === scope.root || at.element.name === "html" || distance > 6)
      break;
    distance += 1;
    for (const name of [...listCompounds(at).slice(0, 3), at.element.name])
      for (const each of own) {
        paths.add(`${name} > ${between}${each}`);
        if (name !== at.element.name) paths.add(`${name} ${each}`);
      }
    between = `${at.element.name} > ${between}`;
  }
  return paths;
}

/**
 * Scores how well the elements of a path match the example records and their siblings; undefined
 * where an example is missing.
 */
function judgePath(
  place: RecordsPlace,
  examples: readonly ListExample[],
  roots: readonly (readonly PageNode[])[],
): { readonly found: FoundRecords; readonly score: number } | undefined {
  const scopes: Scope[][] = [];
  const others: Scope[][] = [];
  let likeness = 0;
  let isList = false;
  for (const [at, { page, scope }] of examples.entries()) {
    const all = readRecordScopes(place, scope, page);
    const nodes = roots[at] ?? [];
    const own = nodes.map((node) => all.find(({ from }) => from === node.index));
    if (own.some((each) => each === undefined)) return undefined;
    isList ||= all.length > 1;
    const expected = findSiblings(nodes, page);
    const found = new Set(all.map(({ from }) => from));
    likeness += found.intersection(expected).size / found.union(expected).size;
    scopes.push(own as Scope[]);
    others.push(all.filter((each) => !own.includes(each)));
  }
  // A single part of a page is not a list.
  if (!isList) return undefined;
  const score = likeness / examples.length - place.path.length / 10_000;
  return { found: { place, scopes, others }, score };
}

/** Siblings of the records with the same tag, a common class and text. */
function findSiblings(nodes: readonly PageNode[], page: ExtractorPage): Set<number> {
  const found = new Set<number>();
  for (const node of nodes) {
    const parent = page.model.parent(node);
    if (parent === undefined) continue;
    const classes = listClasses(node);
    for (const sibling of page.model.children(parent)) {
      const others = listClasses(sibling);
      const isAlike =
        sibling.element.name === node.element.name &&
        (classes.size === 0 ? others.size === 0 : !classes.isDisjointFrom(others));
      if (isAlike && sibling.to > sibling.from) found.add(sibling.index);
    }
  }
  return found;
}

const listClasses = ({ element: { attribs } }: PageNode): Set<string> =>
  new Set((attribs["class"] ?? "").split(/\s+/).filter((each) => each !== ""));

/** Records spread over siblings, each from one element of a kind to the next. */
function findRuns(examples: readonly ListExample[]): FoundRecords | undefined {
  const starts = examples.map((example) => findRecordStarts(example));
  if (starts.some((each) => each === undefined)) return undefined;
  const known = starts as PageNode[][];
  let paths: Set<string> | undefined;
  for (const [at, nodes] of known.entries())
    for (const node of nodes) {
      const offered = listPaths(node, examples[at] as ListExample);
      paths = paths === undefined ? offered : paths.intersection(offered);
    }
  let best: { found: FoundRecords; score: number } | undefined;
  for (const path of paths ?? []) {
    const judged = judgePath({ path, until: "next" }, examples, known);
    if (judged !== undefined && judged.score > (best?.score ?? 0)) best = judged;
  }
  return best?.found;
}

/** The first sibling of each record, of one tag. */
function findRecordStarts({ page, scope, records }: ListExample): PageNode[] | undefined {
  const starts: PageNode[] = [];
  for (const record of records.slice(0, MAX_RECORDS)) {
    const { roots, values } = findRecordRoots(record, page, scope);
    const root = roots.find(({ held }) => held === values)?.node;
    if (root === undefined) return undefined;
    const children = page.model.children(root);
    const places = findValuePlaces(record, page, scope);
    // The first run of children that holds every value, from each child on.
    const spans = children.flatMap((child, from) => {
      const last = places.map((nodes) =>
        children.findIndex(
          (each, at) => at >= from && nodes.some((node) => page.model.contains(each, node)),
        ),
      );
      return last.includes(-1) ? [] : [{ child, length: Math.max(...last) - from }];
    });
    const shortest = Math.min(...spans.map(({ length }) => length));
    const start = spans.find(({ length }) => length === shortest)?.child;
    if (start === undefined) return undefined;
    starts.push(start);
  }
  const [first] = starts;
  const isOfOneKind = starts.every(({ element }) => element.name === first?.element.name);
  return first !== undefined && isOfOneKind && new Set(starts).size === starts.length
    ? starts
    : undefined;
}
