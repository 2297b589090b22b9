// Evidence from learned words about a block: names of the elements around it, words of its text, of
// the heading above and of the short texts that open its parts. Each is reported as mean, minimum
// and maximum log odds of the words that a table knows.
import { addSums, createSums, writeSums, type Sums } from "./odds-sums.ts";
import type { PageNames } from "./page-names.ts";
import { MAX_LOOKUPS, lookupHashes, type PageWords } from "./page-words.ts";
import { TABLE_NAMES, type TableName, type WordTable, type WordTables } from "./word-table.ts";

/** Everything on a page that is looked up in the tables. */
export type PageTokens = { readonly names: PageNames; readonly words: PageWords };

const PARTS = ["mean", "least", "most"];
/** Feature names, in the order of `weighTokens`. */
export const EVIDENCE_NAMES: readonly string[] = TABLE_NAMES.flatMap((table) =>
  PARTS.map((part) => `${table}-${part}`),
);
/** Levels whose names count as near a block: its container and the next ancestors. */
const MAX_NEAR_LEVELS = 3;
/** Names of inline elements get separate hashes. */
const hashInlineName = (hash: number): number => (Math.imul(hash, 31) + 7) | 0;

/**
 * Writes the evidence of every block into its row from column `at`. Rows are `width` wide and zero
 * there.
 */
export function weighTokens(
  signs: PageTokens,
  tables: WordTables,
  rows: Float32Array,
  width: number,
  at: number,
): void {
  const { container } = signs.names;
  const { near, far } = weighNames(signs.names, tables);
  const { text, heading, label } = weighWords(signs, tables);
  for (let block = 0; block < container.length; block++) {
    const start = block * width + at;
    const element = container[block]!;
    writeSums(near, block, rows, start);
    if (element >= 0) writeSums(far, element, rows, start + 3);
    writeSums(text, block, rows, start + 6);
    const above = signs.words.heading[block]!;
    if (above >= 0 && above !== block) writeSums(heading, above, rows, start + 9);
    if (element >= 0) writeSums(label, element, rows, start + 12);
  }
}

/** Sums the names near each block, and the names of all ancestors of each element. */
function weighNames(names: PageNames, tables: WordTables): { near: Sums; far: Sums } {
  const { own, ownStart, inline, inlineStart, parent, container } = names;
  const lists = names.listStart.length - 1;
  const [beside, beyond, within, close, far, near] = createSums(
    lists,
    lists,
    lists,
    parent.length,
    parent.length,
    container.length,
  ) as [Sums, Sums, Sums, Sums, Sums, Sums];
  addLists(names, own, tables.near, names.hashes, beside);
  addLists(names, own, tables.far, names.hashes, beyond);
  addLists(names, inline, tables.near, names.hashes.map(hashInlineName), within);
  for (let element = 0; element < parent.length; element++) {
    const up = parent[element]!;
    if (up >= 0) addSums(far, element, far, up);
    for (let at = ownStart[element]!; at < ownStart[element + 1]!; at++) {
      addSums(close, element, beside, own[at]!);
      addSums(far, element, beyond, own[at]!);
    }
  }
  for (let block = 0; block < container.length; block++) {
    for (let at = inlineStart[block]!; at < inlineStart[block + 1]!; at++)
      addSums(near, block, within, inline[at]!);
    let element = container[block]!;
    for (let level = 0; element >= 0 && level < MAX_NEAR_LEVELS; level++) {
      addSums(near, block, close, element);
      element = parent[element]!;
    }
  }
  return { near, far };
}

/** Adds a table's odds for each of the given lists to that list's sums. */
function addLists(
  { listStart }: PageNames,
  lists: readonly number[],
  table: WordTable,
  hashes: Int32Array,
  sums: Sums,
): void {
  const isAdded = new Uint8Array(listStart.length);
  for (const list of lists) {
    if (isAdded[list] === 1) continue;
    isAdded[list] = 1;
    table.add(hashes, listStart[list]!, listStart[list + 1]!, sums, list);
  }
}

/**
 * Sums the words of each block, of each heading, and of the short texts that open the parts around
 * each element.
 */
function weighWords(
  { names, words }: PageTokens,
  tables: WordTables,
): Record<"text" | "heading" | "label", Sums> {
  const { parent } = names;
  const count = names.container.length;
  const [text, heading, opening, label] = createSums(count, count, count, parent.length) as [
    Sums,
    Sums,
    Sums,
    Sums,
  ];
  const asked = new Int32Array(MAX_LOOKUPS);
  for (let block = 0; block < count; block++) {
    const hashes = lookupHashes(words, block, asked);
    tables.text.add(asked, 0, hashes, text, block);
    if (words.heading[block] === block) tables.heading.add(asked, 0, hashes, heading, block);
  }
  const isWeighed = new Uint8Array(count);
  for (let element = 0; element < parent.length; element++) {
    const up = parent[element]!;
    if (up >= 0) addSums(label, element, label, up);
    const block = words.label[element]!;
    if (block < 0) continue;
    if (isWeighed[block] === 0)
      tables.label.add(asked, 0, lookupHashes(words, block, asked), opening, block);
    isWeighed[block] = 1;
    addSums(label, element, opening, block);
  }
  return { text, heading, label };
}

/** Calls `visit` with every lookup of a table for a block; used for training. */
export function visitTokens(
  { names, words }: PageTokens,
  table: TableName,
  block: number,
  visit: (hash: number) => void,
): void {
  const outer = names.container[block]!;
  const visitWords = (of: number): void => {
    const asked = new Int32Array(MAX_LOOKUPS);
    for (const hash of asked.subarray(0, lookupHashes(words, of, asked))) visit(hash);
  };
  if (table === "text") visitWords(block);
  else if (table === "heading") {
    const above = words.heading[block]!;
    if (above >= 0 && above !== block) visitWords(above);
  } else if (table === "label") {
    for (let element = outer; element >= 0; element = names.parent[element]!)
      if (words.label[element]! >= 0) visitWords(words.label[element]!);
  } else {
    const { own, ownStart, inline, inlineStart, hashes, listStart, parent } = names;
    const visitNames = (list: number, as: (hash: number) => number): void => {
      for (const hash of hashes.slice(listStart[list], listStart[list + 1])) visit(as(hash));
    };
    if (table === "near")
      for (const list of inline.slice(inlineStart[block], inlineStart[block + 1]))
        visitNames(list, hashInlineName);
    const levels = table === "near" ? MAX_NEAR_LEVELS : Number.POSITIVE_INFINITY;
    for (let element = outer, level = 0; element >= 0 && level < levels; level++) {
      for (const list of own.slice(ownStart[element], ownStart[element + 1]))
        visitNames(list, (hash) => hash);
      element = parent[element]!;
    }
  }
}
