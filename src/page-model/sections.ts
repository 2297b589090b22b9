// Headings and the content below each of them, up to the next heading of the same or a higher
// level.
import { isHidden, type PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";

export type Section = {
  readonly heading: PageNode;
  readonly title: string;
  /** 1 to 6; 7 for summaries and legends, 8 for separate bold lines. */
  readonly level: number;
  /** First node behind the heading. */
  readonly start: number;
  /** Node behind the last one of the section. */
  readonly end: number;
};

const MAX_TITLE_CHARACTERS = 160;
const MAX_SECTIONS = 2_000;

type OpenSection = { -readonly [key in keyof Section]: Section[key] };

export function readSections(tree: NodeTree): Section[] {
  const open: OpenSection[] = [];
  const sections: OpenSection[] = [];
  const closeUntil = (index: number, level: number): void => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (last.level < level && index < last.end) return;
      last.end = Math.min(last.end, index);
      open.pop();
    }
  };
  for (const node of tree.nodes) {
    if (sections.length >= MAX_SECTIONS) break;
    const level = readHeadingLevel(tree, node);
    if (level === 0) continue;
    const title = tree.lineOf(node);
    if (title === "" || title.length > MAX_TITLE_CHARACTERS) continue;
    closeUntil(node.index, level);
    // A section ends with the `section`, `article` or `main` of its heading, and where a column
    // begins beside.
    const end = Math.min(
      findSectionBound(tree, node)?.end ?? tree.nodes.length,
      findAsideBehind(tree, node) ?? tree.nodes.length,
    );
    const section = { heading: node, title, level, start: node.end, end };
    sections.push(section);
    open.push(section);
  }
  return sections;
}

const BOUNDS: ReadonlySet<string> = new Set([
  "section",
  "article",
  "main",
  "aside",
  "details",
  "li",
  "fieldset",
]);

function findSectionBound(tree: NodeTree, heading: PageNode): PageNode | undefined {
  for (let at = tree.parent(heading); at !== undefined; at = tree.parent(at))
    if (BOUNDS.has(at.element.name) || holdsSection(at, heading)) return at;
  return undefined;
}

/** True for a cell of a layout table that holds the text below a heading, too. */
const holdsSection = ({ element: { name }, to, from }: PageNode, heading: PageNode): boolean =>
  name === "td" && to - from > heading.to - heading.from + MIN_BELOW;

/** Characters that a cell must have besides its heading. */
const MIN_BELOW = 10;

/** The next `aside` that does not contain the heading. */
function findAsideBehind(tree: NodeTree, heading: PageNode): number | undefined {
  const found = tree.asides;
  let low = 0;
  let high = found.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((found[middle] ?? 0) <= heading.index) low = middle + 1;
    else high = middle;
  }
  return found[low];
}

function readHeadingLevel(tree: NodeTree, node: PageNode): number {
  const { name, attribs } = node.element;
  if (isHidden(node)) return 0;
  if (/^h[1-6]$/.test(name)) return Number(name[1]);
  if (attribs["role"] === "heading") {
    const level = Number(attribs["aria-level"]);
    return level >= 1 && level <= 6 ? level : 2;
  }
  if (name === "summary" || name === "legend" || name === "caption") return 7;
  return isBoldLine(tree, node) ? 8 : 0;
}

/** A paragraph with only bold words. */
function isBoldLine(tree: NodeTree, node: PageNode): boolean {
  const { name } = node.element;
  if (name !== "p" && name !== "div") return false;
  const children = tree.children(node);
  const [only] = children;
  return (
    children.length === 1 &&
    only !== undefined &&
    (only.element.name === "strong" || only.element.name === "b") &&
    only.from === node.from &&
    only.to === node.to &&
    node.to - node.from <= 80
  );
}
