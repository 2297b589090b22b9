// The ledger as a tree of the site: each folder with a bar of the outcomes of its URLs; the sums
// add up to the URLs seen.
import type { LedgerEntry } from "../../../../contract/jobs/ledger.ts";

export type SiteNode = {
  readonly name: string;
  readonly path: string;
  /** Undefined for a page without pages below it. */
  children: Map<string, SiteNode> | undefined;
  /** Counts by outcome, for this URL and those below. */
  readonly sums: Map<string, number>;
  /** The URL of exactly this place, or the first of several. */
  entry: LedgerEntry | undefined;
  total: number;
};

const createNode = (name: string, path: string): SiteNode => ({
  name,
  path,
  children: undefined,
  sums: new Map(),
  entry: undefined,
  total: 0,
});

function count(node: SiteNode, fate: string): void {
  node.total += 1;
  node.sums.set(fate, (node.sums.get(fate) ?? 0) + 1);
}

/** Host, then the folders of the path; the last part is the name of a leaf. */
function partsOf(address: string): string[] {
  const url = URL.parse(address);
  if (url === null) return [address];
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const last = `${parts.pop() ?? ""}${url.search}`;
  return [url.host, ...parts.map((part) => `${part}/`), last === "" ? "/" : last];
}

export const createTree = (): SiteNode => createNode("", "");

export function addToTree(root: SiteNode, entries: Iterable<LedgerEntry>): void {
  for (const entry of entries) {
    let node = root;
    count(node, entry.fate);
    for (const part of partsOf(entry.url)) {
      const children = (node.children ??= new Map<string, SiteNode>());
      const known = children.get(part);
      const child = known ?? createNode(part, `${node.path}/${part}`);
      if (known === undefined) children.set(part, child);
      node = child;
      count(node, entry.fate);
    }
    node.entry ??= entry;
  }
}

export type TreeRow = { readonly node: SiteNode; readonly depth: number; readonly isOpen: boolean };

/** Folders before pages, largest first. Names are compared by code units: folders may be large. */
const order = (one: SiteNode, other: SiteNode): number =>
  Number(other.children !== undefined) - Number(one.children !== undefined) ||
  other.total - one.total ||
  (one.name < other.name ? -1 : 1);

/** Visible rows; `open` holds the paths of the open folders. Iterative: sites may be deep. */
export function listRows(root: SiteNode, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const childrenOf = (node: SiteNode): SiteNode[] =>
    [...(node.children?.values() ?? [])].toSorted(order).toReversed();
  const stack: { node: SiteNode; depth: number }[] = childrenOf(root).map((node) => ({
    node,
    depth: 0,
  }));
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    const { node, depth } = one;
    const isOpen = open.has(node.path);
    rows.push({ node, depth, isOpen });
    if (isOpen) for (const child of childrenOf(node)) stack.push({ node: child, depth: depth + 1 });
  }
  return rows;
}

/** Paths of the hosts and folders without siblings, which are open initially. */
export function findFirstOpen(root: SiteNode): Set<string> {
  const open = new Set<string>();
  let level = [...(root.children?.values() ?? [])];
  while (level.length === 1 && level[0]?.children !== undefined) {
    open.add(level[0].path);
    level = [...level[0].children.values()];
  }
  return open;
}
