// Table rows of several labels with their values side by side: "Opened | 4 June 1992 | Status |
// Open".
import { isLabel } from "./labels.ts";
import type { PageNode } from "./node.ts";
import type { NodeTree } from "./node-tree.ts";

const MAX_CELLS = 8;

/**
 * The cells of a row of labels and values by turns; undefined for other rows. Header cells, one
 * style or colons mark the labels: rows of values look like them without a mark.
 */
export function readLabelRow(
  tree: NodeTree,
  cells: readonly PageNode[],
): readonly (readonly [label: PageNode, value: PageNode])[] | undefined {
  if (cells.length < 4 || cells.length > MAX_CELLS || cells.length % 2 !== 0) return undefined;
  const pairs = Array.from(
    { length: cells.length / 2 },
    (_, at) => [cells[at * 2] as PageNode, cells[at * 2 + 1] as PageNode] as const,
  );
  // The last pair of a row may be empty.
  const filled = pairs.filter(([label, value]) => label.to > label.from || value.to > value.from);
  if (filled.length === 0) return undefined;
  const isNamed = filled.every(([label]) => {
    const text = tree.lineOf(label);
    return isLabel(text) && !/\d/.test(text.replaceAll(/\([^()]*\)/g, ""));
  });
  if (!isNamed) return undefined;
  const marks = [isHeader, toStyle, (cell: PageNode) => isBold(tree, cell), endsInColon(tree)];
  const isMarked = marks.some((mark) => {
    const ofLabels = new Set(filled.map(([label]) => mark(label)));
    return ofLabels.size === 1 && filled.every(([, value]) => !ofLabels.has(mark(value)));
  });
  return isMarked && !isOfColumns(tree, cells) ? filled : undefined;
}

const isHeader = ({ element: { name, attribs } }: PageNode): boolean =>
  name === "th" || attribs["role"] === "rowheader";

const toStyle = ({ element: { attribs } }: PageNode): string =>
  [attribs["class"], attribs["bgcolor"], attribs["style"]].join("|");

const isBold = (tree: NodeTree, cell: PageNode): boolean =>
  tree
    .below(cell)
    .some(
      ({ element: { name }, from, to }) =>
        (name === "b" || name === "strong") && from === cell.from && to === cell.to,
    );

const endsInColon =
  (tree: NodeTree) =>
  (cell: PageNode): boolean =>
    /[:：]$/u.test(tree.lineOf(cell));

/** True for a table with names of columns: a row of nothing but header cells, or two of them. */
function isOfColumns(tree: NodeTree, [cell]: readonly PageNode[]): boolean {
  let table = cell;
  while (table !== undefined && table.element.name !== "table") table = tree.parent(table);
  if (table === undefined) return true;
  return tree.below(table).some((node) => {
    if (node.element.name === "thead") return true;
    if (node.element.name !== "tr") return false;
    const cells = tree.children(node);
    return cells.length > 1 && cells.every(({ element: { name } }) => name === "th");
  });
}
