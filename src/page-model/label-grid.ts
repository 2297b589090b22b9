// CSS grids that are laid out as labels with values: a narrow column of labels beside a wide one.
import { isHidden, type PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";

const NARROW = String.raw`(?:auto|max-content|min-content|fit-content\([^()]{0,20}\)|[\d.]{1,6}(?:px|rem|em|ch|%))`;
const WIDE = String.raw`(?:1fr|auto|minmax\([^()]{0,30}\))`;
const BY_TEMPLATE = new RegExp(String.raw`^\s{0,5}${NARROW}\s{1,5}${WIDE}\s{0,5}$`, "i");
/** Tailwind's way to write it. */
const BY_CLASS = new RegExp(
  String.raw`(?:^|\s)(?:[a-z]{2}:)?grid-cols-\[${NARROW}_${WIDE}\](?=\s|$)`,
);

const MAX_LABEL = 40;
const MAX_PAIRS = 200;

/** The cells in order, alternating labels and values; undefined for other elements. */
export function labelGridCells(tree: NodeTree, node: PageNode): readonly PageNode[] | undefined {
  const { class: classes = "" } = node.element.attribs;
  if (!BY_TEMPLATE.test(tree.readGridColumns(node)) && !BY_CLASS.test(classes)) return undefined;
  const cells = tree.children(node).filter((child) => !isHidden(child) && child.to > child.from);
  if (cells.length < 2 || cells.length % 2 !== 0 || cells.length > MAX_PAIRS * 2) return undefined;
  const labels = cells.filter((_, at) => at % 2 === 0).map((cell) => tree.textOf(cell));
  const areLabels = labels.every(
    (text) => text.length <= MAX_LABEL && /\p{L}/u.test(text) && !/[\d\n]/.test(text),
  );
  return areLabels && new Set(labels).size === labels.length ? cells : undefined;
}
