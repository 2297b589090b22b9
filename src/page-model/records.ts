// Repeated records: sibling parts with the same structure, such as cards, rows and posts. Found by
// structure alone; class names only count as style, never by their meaning.
import { isOtherItemsHeading } from "../html/evidence/other-items.ts";
import { FLAG, hasOwnText, isAside, isHidden, type PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";
import type { Section } from "./sections.ts";

export type PageRecord = {
  /** The nodes of the record: one, or a run of siblings from a heading to the next. */
  readonly nodes: readonly PageNode[];
};

export type RecordSet = {
  /** The node that holds the records; of sets joined over several lists, the first one's. */
  readonly parent: PageNode;
  readonly records: readonly PageRecord[];
  /** The heading before the records; "" without one. */
  readonly title: string;
  /** For each record, the heading of its list, where the set was joined over several lists. */
  readonly groups: readonly string[];
  /** In navigation, a footer, or below a heading such as "You may also like". */
  readonly isAside: boolean;
};

const MAX_SETS = 1_500;
const MAX_RECORDS = 5_000;
const MAX_SHAPE_DEPTH = 6;
const MAX_PATHS = 60;
/** Minimum share of common parts for two elements to have the same structure. */
const MIN_LIKENESS = 0.5;

/** For records of one class below parents of one class. */
const MIN_STYLED_LIKENESS = 0.25;

const NO_RECORDS: ReadonlySet<string> = new Set([
  "p",
  "tr",
  "thead",
  "select",
  "optgroup",
  "picture",
  "video",
  "audio",
  "ruby",
  "pre",
  "code",
  "html",
]);

export function readRecordSets(tree: NodeTree, sections: readonly Section[]): RecordSet[] {
  const shapes = new ShapeReader(tree);
  const sets: RecordSet[] = [];
  for (const node of tree.nodes) {
    if (sets.length >= MAX_SETS) break;
    if (isHidden(node) || NO_RECORDS.has(node.element.name) || hasOwnText(node)) continue;
    for (const records of findRecordsBelow(tree, node, shapes))
      sets.push(toSet(sections, node, records));
  }
  return joinLists(tree, sets, shapes, sections);
}

function toSet(
  sections: readonly Section[],
  parent: PageNode,
  records: readonly PageRecord[],
): RecordSet {
  const first = records[0]?.nodes[0] ?? parent;
  const section = findSectionBefore(sections, first);
  const title = section?.title ?? "";
  // The page's own heading names its topic: "Most popular films".
  const isOwn = section?.heading.element.name === "h1";
  // Headings between the records name parts of the list.
  const titles = records
    .slice(0, MAX_RECORDS)
    .map(({ nodes }) => findSiblingTitle(sections, nodes[0] ?? first));
  const isGrouped =
    (records[0]?.nodes.length ?? 0) === 1 && !titles.includes("") && new Set(titles).size > 1;
  return {
    parent,
    records: records.slice(0, MAX_RECORDS),
    title: isGrouped ? "" : title,
    groups: isGrouped ? titles : [],
    isAside: isAside(parent) || isAside(first) || (!isOwn && isOtherItemsHeading(title)),
  };
}

function* findRecordsBelow(
  tree: NodeTree,
  node: PageNode,
  shapes: ShapeReader,
): Generator<readonly PageRecord[]> {
  const children = tree.children(node).filter((child) => !isHidden(child) && child.to > child.from);
  if (children.length < 2) return;
  const runs = splitHeadingRuns(children, node.element.name === "dl");
  if (runs !== undefined) yield runs;
  for (const group of shapes.group(children)) {
    const records = group.map((child): PageRecord => ({ nodes: [child] }));
    if (records.length >= 2 && group.some((child) => countParts(tree, child) >= 2)) yield records;
  }
}

/** Counts the visible parts of an element, texts and pictures, up to two. */
function countParts(tree: NodeTree, node: PageNode): number {
  const pieces = tree.pieces(node).length;
  if (pieces >= 2) return pieces;
  const hasMore = tree
    .below(node)
    .some(
      ({ element: { name }, index }) =>
        index !== node.index && (name === "img" || name === "a" || name === "time"),
    );
  return pieces + (hasMore ? 1 : 0);
}

/**
 * Records spread over siblings: each heading starts one, and each has content below it. In a
 * description list each term starts one, and headings are no part of them.
 */
function splitHeadingRuns(
  all: readonly PageNode[],
  isDescriptionList: boolean,
): PageRecord[] | undefined {
  const children = isDescriptionList
    ? all.filter(({ element: { name } }) => !/^h[1-6]$/.test(name))
    : all;
  const levels = children
    .map(({ element: { name } }) => (/^h[2-6]$/.test(name) ? name : name === "dt" ? "dt" : ""))
    .filter((name) => name !== "");
  const level = levels[0];
  if (level === undefined || levels.length < 2 || levels.some((name) => name < level))
    return undefined;
  const runs: PageNode[][] = [];
  for (const child of children) {
    if (child.element.name === level) {
      const last = runs.at(-1);
      // Several terms before one description are one record.
      if (
        level === "dt" &&
        last !== undefined &&
        last.every(({ element }) => element.name === "dt")
      )
        last.push(child);
      else runs.push([child]);
    } else runs.at(-1)?.push(child);
  }
  const whole = runs.filter((run) => run.length > 1);
  return whole.length >= 2 ? whole.map((nodes) => ({ nodes })) : undefined;
}

class ShapeReader {
  readonly #tree: NodeTree;
  readonly #shapes = new Map<number, ReadonlySet<string>>();

  constructor(tree: NodeTree) {
    this.#tree = tree;
  }

  /** Children in groups of one shape, in document order; a group has two members at least. */
  group(children: readonly PageNode[]): PageNode[][] {
    const groups: { readonly shape: ReadonlySet<string>; readonly nodes: PageNode[] }[] = [];
    for (const child of children) {
      const shape = this.getShape(child);
      const known = groups.find(
        (group) =>
          group.nodes[0]?.element.name === child.element.name &&
          measureLikeness(group.shape, shape) >= MIN_LIKENESS,
      );
      if (known !== undefined) known.nodes.push(child);
      else if (groups.length < 8) groups.push({ shape, nodes: [child] });
    }
    return groups.filter(({ nodes }) => nodes.length >= 2).map(({ nodes }) => nodes);
  }

  /** Paths of tags below an element to text, links or images, each with the kind of its content. */
  getShape(node: PageNode): ReadonlySet<string> {
    const known = this.#shapes.get(node.index);
    if (known !== undefined) return known;
    const paths = new Set<string>();
    const trail: string[] = [];
    let looked = 0;
    for (
      let at = node.index;
      at < node.end && paths.size < MAX_PATHS && looked < 400;
      looked += 1
    ) {
      const here = this.#tree.nodes[at] as PageNode;
      const depth = here.depth - node.depth;
      if (depth > MAX_SHAPE_DEPTH || (here.flags & FLAG.hidden) !== 0) {
        at = here.end;
        continue;
      }
      trail.length = depth;
      trail[depth] = here.element.name;
      const { name } = here.element;
      if (hasOwnText(here) || name === "img" || name === "a" || name === "input" || name === "time")
        paths.add(trail.join(">"));
      at += 1;
    }
    this.#shapes.set(node.index, paths);
    return paths;
  }
}

/** Share of the parts that both have, 0 to 1 (Jaccard). */
function measureLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return one.size === other.size ? 1 : 0;
  let common = 0;
  for (const path of one) if (other.has(path)) common += 1;
  return common / (one.size + other.size - common);
}

/**
 * Lists of the same structure below parents of the same structure are one set, each with the
 * heading of its list.
 */
function joinLists(
  tree: NodeTree,
  sets: readonly RecordSet[],
  shapes: ShapeReader,
  sections: readonly Section[],
): RecordSet[] {
  const joined: RecordSet[] = [...sets];
  const byPath = new Map<string, RecordSet[]>();
  for (const set of sets) {
    const [first] = set.records;
    if (first === undefined) continue;
    // Terms with their descriptions, such as the dishes of each course; other runs are sections.
    const isRun = first.nodes.length > 1;
    if (isRun && set.parent.element.name !== "dl") continue;
    const key = `${isRun ? "run " : ""}${buildPathKey(tree, set.parent)}`;
    const known = byPath.get(key);
    if (known === undefined) byPath.set(key, [set]);
    else known.push(set);
  }
  for (const [path, several] of byPath) {
    const [first] = several;
    if (first === undefined) continue;
    const shape = shapes.getShape(first.records[0]!.nodes[0]!);
    const isRun = first.records[0]!.nodes.length > 1;
    const singles = isRun ? [] : findSingles(tree, path, several, sections);
    const lists = [...several, ...singles].toSorted(
      (one, other) => one.parent.index - other.parent.index,
    );
    if (lists.length < 2) continue;
    const style = getStyle(first.records[0]!.nodes[0]!);
    const alike = lists.filter(({ records, isAside: aside }) => {
      const record = records[0]!.nodes[0]!;
      const isStyled = style !== "" && getStyle(record) === style;
      const least = isStyled ? MIN_STYLED_LIKENESS : MIN_LIKENESS;
      return aside === first.isAside && measureLikeness(shape, shapes.getShape(record)) >= least;
    });
    if (alike.length < 2) continue;
    const titles = readListTitles(tree, alike);
    joined.push({
      parent: first.parent,
      records: alike.flatMap(({ records }) => records).slice(0, MAX_RECORDS),
      title: "",
      groups: alike
        .flatMap(({ records }, at) => records.map(() => titles[at] ?? ""))
        .slice(0, MAX_RECORDS),
      isAside: first.isAside,
    });
  }
  return joined;
}

const MAX_TITLE = 60;

/**
 * The title of each list: its heading or, where one heading stands over all lists, the short text
 * before it; "" for all if that is the same, too.
 */
function readListTitles(tree: NodeTree, lists: readonly RecordSet[]): string[] {
  const headings = lists.map(({ title }) => title);
  if (new Set(headings).size > 1) return headings;
  const texts = lists.map(({ parent }) => {
    const before = tree.previous(parent);
    // A note may stand below the title.
    const [first] = before === undefined ? [] : tree.pieces(before);
    const text = first === undefined ? "" : tree.lineOf(first);
    return text.length <= MAX_TITLE ? text : "";
  });
  return new Set(texts).size === lists.length && !texts.includes("") ? texts : lists.map(() => "");
}

/** Minimum characters of a record of one text, such as a reference. */
const MIN_SINGLE_TEXT = 50;

/**
 * Lists of one record beside lists of several, below parents of the same place and style, each with
 * a heading of its own.
 */
function findSingles(
  tree: NodeTree,
  path: string,
  several: readonly RecordSet[],
  sections: readonly Section[],
): RecordSet[] {
  const [first] = several;
  const record = first?.records[0]?.nodes[0];
  if (first === undefined || record === undefined) return [];
  // Short items of one text, such as those of menus, stay apart.
  if (tree.pieces(record).length < 2 && record.to - record.from < MIN_SINGLE_TEXT) return [];
  const { element, depth } = first.parent;
  const known = new Set(several.map(({ parent }) => parent));
  const titles = new Set(several.map(({ title }) => title));
  return tree.nodes.flatMap((parent) => {
    const isAlike =
      parent.depth === depth &&
      parent.element.name === element.name &&
      getStyle(parent) === getStyle(first.parent) &&
      !known.has(parent) &&
      !isHidden(parent) &&
      buildPathKey(tree, parent) === path;
    if (!isAlike) return [];
    const records = tree
      .children(parent)
      .filter(
        (child) =>
          child.element.name === record.element.name &&
          getStyle(child) === getStyle(record) &&
          child.to > child.from,
      );
    if (records.length !== 1) return [];
    const set = toSet(
      sections,
      parent,
      records.map((node) => ({ nodes: [node] })),
    );
    // Parts of a record have no heading of their own.
    const hasOwnHeading = records.some(({ index, end }) =>
      sections.some(({ heading }) => heading.index > index && heading.index < end),
    );
    // Slots of a program hold one talk or several.
    const isSibling = several.some((one) => isInSameList(tree, one.parent, parent));
    if (isSibling && hasOwnHeading) return [set];
    if (several.length < 2) return [];
    const isHeaded = records.some(({ index }) =>
      sections.some(
        ({ heading }) =>
          heading.index < index &&
          (heading.parent === parent.index || (hasOwnHeading && heading.parent === parent.parent)),
      ),
    );
    return isHeaded && set.title !== "" && !titles.has(set.title) ? [set] : [];
  });
}

/** True for two slots of one list, or the only parts of two slots that hold their records. */
function isInSameList(tree: NodeTree, one: PageNode, other: PageNode): boolean {
  if (one.parent === other.parent) return true;
  return tree.parent(one)?.parent === tree.parent(other)?.parent;
}

/** The classes of an element without modifiers such as `list--compact`. */
const getStyle = ({ element }: PageNode): string =>
  (element.attribs["class"] ?? "")
    .split(/\s+/)
    .filter((name) => !name.includes("--"))
    .join(" ");

/** Tags from the page down to a node, with its own class as style. */
function buildPathKey(tree: NodeTree, node: PageNode): string {
  const steps: string[] = [getStyle(node)];
  for (let at: PageNode | undefined = node; at !== undefined; at = tree.parent(at))
    steps.push(at.element.name);
  return steps.join("<");
}

/** The heading before a node among its siblings; "" if there is none. */
function findSiblingTitle(sections: readonly Section[], node: PageNode): string {
  const section = findSectionBefore(sections, node);
  return section?.heading.parent === node.parent ? section.title : "";
}

/** The innermost heading that a node stands below. */
function findSectionBefore(sections: readonly Section[], node: PageNode): Section | undefined {
  // The last section that starts before the node; the sections around it precede it.
  let low = 0;
  let high = sections.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sections[middle]?.start ?? 0) <= node.index) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= 0 && low - at < MAX_CHECKED; at -= 1) {
    const section = sections[at];
    if (section !== undefined && node.index < section.end) return section;
  }
  return undefined;
}

/** Maximum sections checked before a node; most of them are around it or end just before it. */
const MAX_CHECKED = 40;
