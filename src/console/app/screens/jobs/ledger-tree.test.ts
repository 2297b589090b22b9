import { expect, it } from "vitest";
import type { LedgerEntry } from "../../../../contract/jobs/ledger.ts";
import { addToTree, createTree, findFirstOpen, listRows } from "./ledger-tree.ts";

const entry = (url: string, fate: LedgerEntry["fate"] = "fetched"): LedgerEntry => ({
  url,
  fate,
  depth: 0,
});

const show = (urls: readonly LedgerEntry[], open?: readonly string[]): string[] => {
  const root = createTree();
  for (const one of urls) addToTree(root, [one]);
  return listRows(root, open === undefined ? findFirstOpen(root) : new Set(open)).map(
    ({ node, depth }) => `${"  ".repeat(depth)}${node.name} ${node.total}`,
  );
};

it("adds up each folder and lists the largest first", () => {
  const urls = [
    entry("https://a.test/"),
    entry("https://a.test/docs/one"),
    entry("https://a.test/docs/two", "error"),
    entry("https://a.test/blog/old"),
  ];
  expect(show(urls)).toEqual(["a.test 4", "  docs/ 2", "  blog/ 1", "  / 1"]);
  const root = createTree();
  addToTree(root, urls);
  expect([...root.sums]).toEqual([
    ["fetched", 3],
    ["error", 1],
  ]);
});

it("opens hosts and folders without siblings", () => {
  expect(show([entry("https://a.test/x/y/one"), entry("https://a.test/x/y/two")])).toEqual([
    "a.test 2",
    "  x/ 2",
    "    y/ 2",
    "      one 1",
    "      two 1",
  ]);
});

it("keeps a page that is also a folder, and an address that is no URL", () => {
  expect(show([entry("https://a.test/x"), entry("https://a.test/x/one")], ["/a.test"])).toEqual([
    "a.test 2",
    "  x/ 1",
    "  x 1",
  ]);
  expect(show([entry("no address")])).toEqual(["no address 1"]);
});
