// Nests consecutive list items by indentation.
import type { Inline, List, ListItem } from "./block.ts";

export type FlatItem = {
  /** Position of the marker, in points from the left. */
  readonly indent: number;
  readonly marker: string;
  readonly content: readonly Inline[];
};

type OpenList = { list: { ordered: boolean; start: number; items: OpenItem[] }; indent: number };
type OpenItem = { content: readonly Inline[]; children: OpenList["list"][] };

const INDENT_STEP = 4;

export function toLists(items: readonly FlatItem[]): List[] {
  const roots: OpenList["list"][] = [];
  const open: OpenList[] = [];
  for (const item of items) {
    while (open.length > 0 && (open.at(-1) as OpenList).indent > item.indent + INDENT_STEP)
      open.pop();
    const last = open.at(-1);
    const ordered = isOrdered(item.marker);
    const entry: OpenItem = { content: item.content, children: [] };
    if (
      last !== undefined &&
      Math.abs(last.indent - item.indent) <= INDENT_STEP &&
      last.list.ordered === ordered
    ) {
      last.list.items.push(entry);
      continue;
    }
    if (last !== undefined && Math.abs(last.indent - item.indent) <= INDENT_STEP) open.pop();
    const parent = open.at(-1)?.list.items.at(-1);
    const list = { ordered, start: readFirstNumber(item.marker), items: [entry] };
    (parent?.children ?? roots).push(list);
    open.push({ list, indent: item.indent });
  }
  return roots.map(finish);
}

const isOrdered = (marker: string): boolean => /^\(?\d{1,3}[.)]$/.test(marker);
const readFirstNumber = (marker: string): number => Number(/\d+/.exec(marker)?.[0] ?? 1);

const finish = ({ ordered, start, items }: OpenList["list"]): List => ({
  kind: "list",
  ordered,
  start,
  items: items.map(({ content, children }): ListItem => ({
    content,
    children: children.map(finish),
  })),
});
