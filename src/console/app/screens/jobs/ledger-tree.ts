// The ledger as a tree of the site: each folder with a bar of the outcomes of its URLs; the sums
// add up to the URLs seen.
import type { LedgerEntry } from "../../../../contract/jobs/ledger.ts";

export type SiteNode = {
  readonly name: string;
  readonly path: string;
  readonly children: Map<string, SiteNode>;
  /** Counts by outcome, for this URL and those below. */
  readonly sums: Map<string, number>;
  /** The URLs of exactly this place. */
  readonly entries: LedgerEntry[];
  total: number;
};

const createNode = (name: string, path: string): SiteNode => ({
  name,
  path,
  children: new Map(),
  sums: new Map(),
  entries: [],
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

export function buildTree(entries: Iterable<LedgerEntry>): SiteNode {
  const root = createNode("", "");
  for (const entry of entries) {
    let node = root;
    count(node, entry.fate);
    for (const part of partsOf(entry.url)) {
      const known = node.children.get(part);
      const child = known ?? createNode(part, `${node.path}/${part}`);
      if (known === undefined) node.children.set(part, child);
      node = child;
      count(node, entry.fate);
    }
    node.entries.push(entry);
  }
  return root;
}

export type TreeRow = { readonly node: SiteNode; readonly depth: number; readonly isOpen: boolean };

/** Folders before pages, largest first. */
const order = (one: SiteNode, other: SiteNode): number =>
  Number(other.children.size > 0) - Number(one.children.size > 0) ||
  other.total - one.total ||
  one.name.localeCompare(other.name);

/** Visible rows; `open` holds the paths of the open folders. Iterative: sites may be deep. */
export function listRows(root: SiteNode, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const stack: { node: SiteNode; depth: number }[] = [...root.children.values()]
    .toSorted(order)
    .toReversed()
    .map((node) => ({ node, depth: 0 }));
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    const { node, depth } = one;
    const isOpen = open.has(node.path);
    rows.push({ node, depth, isOpen });
    if (isOpen)
      for (const child of [...node.children.values()].toSorted(order).toReversed())
        stack.push({ node: child, depth: depth + 1 });
  }
  return rows;
}
