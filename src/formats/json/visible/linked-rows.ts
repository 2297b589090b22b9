// Rows of a list that each begin with a link to another page, such as neighboring stations: what
// stands behind the link is a value of the linked item, not of the page.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { RecordSet } from "../../../page-model/records.ts";

const MIN_ROWS = 2;
const MAX_LOOKED = 12;

/** Ranges of node indexes behind the links, in document order. */
export const listLinkedRowRanges = (model: PageModel): (readonly [number, number])[] =>
  model.recordSets
    .flatMap((set) => listRanges(model, set))
    .toSorted(([one], [other]) => one - other);

function listRanges(model: PageModel, { records }: RecordSet): (readonly [number, number])[] {
  if (records.length < MIN_ROWS) return [];
  const looked = records.slice(0, MAX_LOOKED).map(({ nodes }) => findOpeningLink(model, nodes));
  const targets = new Set(looked.map((link) => link?.element.attribs["href"]));
  if (looked.includes(undefined) || targets.size < looked.length) return [];
  return records.flatMap(({ nodes }) => {
    const [row] = nodes;
    const link = findOpeningLink(model, nodes);
    return row === undefined || link === undefined ? [] : [[link.end, row.end] as const];
  });
}

/** The link at the start of a row that has more text behind it. */
function findOpeningLink(model: PageModel, nodes: readonly PageNode[]): PageNode | undefined {
  const [row, another] = nodes;
  if (row === undefined || another !== undefined) return undefined;
  const link = model
    .below(row)
    .find(({ element: { name }, from, to }) => name === "a" && from === row.from && to > from);
  const target = link?.element.attribs["href"] ?? "";
  return link !== undefined && link.to < row.to && /^(?!#|javascript:|mailto:|tel:)\S/i.test(target)
    ? link
    : undefined;
}
