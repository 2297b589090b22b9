// The scopes of records on a page.
import type { RecordsPlace } from "../contract/extractors/program.ts";
import type { PageNode } from "../page-model/node.ts";
import type { ExtractorPage, Scope } from "./extractor-page.ts";
import { selectNodes } from "./select-nodes.ts";

const MAX_RECORDS = 5_000;

/**
 * Reads records in document order; a node within another record of the same place is not a separate
 * record.
 */
export function readRecordScopes(
  { path, until, nested }: RecordsPlace,
  scope: Scope,
  page: ExtractorPage,
): Scope[] {
  if (nested === true) return readNested(selectNodes(page, path, scope).slice(0, MAX_RECORDS));
  const scopes: Scope[] = [];
  const starts = selectNodes(page, path, scope);
  for (const [at, node] of starts.entries()) {
    if (scopes.length >= MAX_RECORDS) break;
    if (node.index < (scopes.at(-1)?.to ?? 0)) continue;
    if (until === undefined) scopes.push({ from: node.index, to: node.end, root: node });
    else
      scopes.push({
        from: node.index,
        to: findRunEnd(node, starts[at + 1], page),
        root: undefined,
      });
  }
  return scopes;
}

/** Each record without its nested records. */
function readNested(nodes: readonly PageNode[]): Scope[] {
  const scopes: { from: number; to: number; root: PageNode; holes: Scope[] }[] = [];
  const open: (typeof scopes)[number][] = [];
  for (const node of nodes) {
    while (open.length > 0 && (open.at(-1)?.to ?? 0) <= node.index) open.pop();
    const scope = { from: node.index, to: node.end, root: node, holes: [] };
    open.at(-1)?.holes.push(scope);
    open.push(scope);
    scopes.push(scope);
  }
  return scopes;
}

/** Index after the last sibling before the next record starts. */
function findRunEnd(start: PageNode, next: PageNode | undefined, page: ExtractorPage): number {
  const parent = page.model.parent(start);
  const end = parent?.end ?? page.model.nodes.length;
  return next !== undefined && next.parent === start.parent ? next.index : end;
}
