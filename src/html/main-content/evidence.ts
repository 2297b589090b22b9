// What learned words say of a block: names of the elements around it, words of its text, of the heading above and of the short texts that
// open the parts it stands in. Each is told as the mean, the least and the most of the log odds of the words that a table knows.
import type { NameList, PageNames } from "./page-names.ts";
import { MOST_ASKED, wordsAsked, type PageWords } from "./page-words.ts";
import {
  STEPS,
  TABLE_NAMES,
  type TableName,
  type WordTable,
  type WordTables,
} from "./word-table.ts";

/** All of a page that tables are asked about. */
export type PageSigns = { readonly names: PageNames; readonly words: PageWords };

const PARTS = ["mean", "least", "most"];
/** The names of the features, in the order of `weighSigns`. */
export const EVIDENCE_NAMES: readonly string[] = TABLE_NAMES.flatMap((table) =>
  PARTS.map((part) => `${table}-${part}`),
);
/** Elements whose names are near a block: its container and those above it. */
const NEAR_LEVELS = 3;
/** What stands inline around a text is known under names of its own. */
const inlineName = (hash: number): number => (Math.imul(hash, 31) + 7) | 0;

/** For many things at once the sum of log odds, their number, the least and the most. */
class Sums {
  readonly #columns: Float64Array;

  constructor(count: number) {
    this.#columns = new Float64Array(count * 4);
  }

  add(at: number, odds: number): void {
    if (!Number.isNaN(odds)) this.#join(at * 4, odds, 1, odds, odds);
  }

  merge(at: number, from: Sums, other: number): void {
    const columns = from.#columns;
    const start = other * 4;
    const count = columns[start + 1]!;
    if (count > 0)
      this.#join(at * 4, columns[start]!, count, columns[start + 2]!, columns[start + 3]!);
  }

  #join(start: number, sum: number, count: number, least: number, most: number): void {
    const columns = this.#columns;
    const before = columns[start + 1]!;
    columns[start]! += sum;
    columns[start + 1] = before + count;
    if (before === 0 || least < columns[start + 2]!) columns[start + 2] = least;
    if (before === 0 || most > columns[start + 3]!) columns[start + 3] = most;
  }

  write(at: number, row: Float32Array, start: number): void {
    const columns = this.#columns;
    const count = columns[at * 4 + 1]!;
    if (count === 0) return;
    // Whole steps again, so that the mean does not depend on the order in which words were met.
    row[start] = Math.round(columns[at * 4]! * STEPS) / STEPS / count;
    row[start + 1] = columns[at * 4 + 2]!;
    row[start + 2] = columns[at * 4 + 3]!;
  }
}

/** Writes the evidence of every block into its row, from column `at` on; rows are `width` wide and hold zeros there. */
export function weighSigns(
  signs: PageSigns,
  tables: WordTables,
  rows: Float32Array,
  width: number,
  at: number,
): void {
  const { container } = signs.names;
  const count = container.length;
  const { near, far } = weighNames(signs.names, tables);
  const { text, heading, label } = weighWords(signs, tables);
  for (let block = 0; block < count; block++) {
    const start = block * width + at;
    const element = container[block]!;
    near.write(block, rows, start);
    if (element >= 0) far.write(element, rows, start + 3);
    text.write(block, rows, start + 6);
    const above = signs.words.heading[block]!;
    if (above >= 0 && above !== block) heading.write(above, rows, start + 9);
    if (element >= 0) label.write(element, rows, start + 12);
  }
}

/** Names near each block, and names of all elements around each element. */
function weighNames(names: PageNames, tables: WordTables): { near: Sums; far: Sums } {
  const { own, parent, container, inline } = names;
  const numbers = new Map<NameList, number>();
  const number = (list: NameList): void => {
    if (!numbers.has(list)) numbers.set(list, numbers.size);
  };
  for (const lists of own) lists.forEach(number);
  const beside = sumLists(numbers, tables.near);
  const beyond = sumLists(numbers, tables.far);
  const close = new Sums(own.length);
  const far = new Sums(own.length);
  own.forEach((lists, element) => {
    if (parent[element]! >= 0) far.merge(element, far, parent[element]!);
    for (const list of lists) {
      const at = numbers.get(list)!;
      close.merge(element, beside, at);
      far.merge(element, beyond, at);
    }
  });
  numbers.clear();
  for (const lists of inline) lists.forEach(number);
  const within = sumLists(numbers, tables.near, inlineName);
  const near = new Sums(container.length);
  container.forEach((outer, block) => {
    for (const list of inline[block]!) near.merge(block, within, numbers.get(list)!);
    for (let element = outer, level = 0; element >= 0 && level < NEAR_LEVELS; level++) {
      near.merge(block, close, element);
      element = parent[element]!;
    }
  });
  return { near, far };
}

/** The sums of each list that elements share. */
function sumLists(
  numbers: ReadonlyMap<NameList, number>,
  table: WordTable,
  as: (hash: number) => number = (hash) => hash,
): Sums {
  const sums = new Sums(numbers.size);
  for (const [list, at] of numbers) for (const hash of list) sums.add(at, table.at(as(hash)));
  return sums;
}

/** Words of each block, of each heading, and of the short texts that open the parts around each element. */
function weighWords(
  { names, words }: PageSigns,
  tables: WordTables,
): Record<"text" | "heading" | "label", Sums> {
  const count = names.container.length;
  const text = new Sums(count);
  const heading = new Sums(count);
  const asked = new Int32Array(MOST_ASKED);
  const weigh = (table: WordTable, block: number, sums: Sums): void => {
    const hashes = wordsAsked(words, block, asked);
    for (let at = 0; at < hashes; at++) sums.add(block, table.at(asked[at]!));
  };
  for (let block = 0; block < count; block++) {
    weigh(tables.text, block, text);
    if (words.heading[block] === block) weigh(tables.heading, block, heading);
  }
  const opening = new Sums(count);
  const isWeighed = new Uint8Array(count);
  const label = new Sums(names.parent.length);
  names.parent.forEach((up, element) => {
    if (up >= 0) label.merge(element, label, up);
    const block = words.label[element]!;
    if (block < 0) return;
    if (isWeighed[block] === 0) weigh(tables.label, block, opening);
    isWeighed[block] = 1;
    label.merge(element, opening, block);
  });
  return { text, heading, label };
}

/** Calls `visit` with all that a table is asked about a block, to learn the table from. */
export function visitSigns(
  { names, words }: PageSigns,
  table: TableName,
  block: number,
  visit: (hash: number) => void,
): void {
  const outer = names.container[block]!;
  const visitWords = (of: number): void => {
    const asked = new Int32Array(MOST_ASKED);
    for (const hash of asked.subarray(0, wordsAsked(words, of, asked))) visit(hash);
  };
  if (table === "text") visitWords(block);
  else if (table === "heading") {
    const above = words.heading[block]!;
    if (above >= 0 && above !== block) visitWords(above);
  } else if (table === "label") {
    for (let element = outer; element >= 0; element = names.parent[element]!)
      if (words.label[element]! >= 0) visitWords(words.label[element]!);
  } else {
    if (table === "near")
      for (const list of names.inline[block]!) for (const hash of list) visit(inlineName(hash));
    const levels = table === "near" ? NEAR_LEVELS : Number.POSITIVE_INFINITY;
    for (let element = outer, level = 0; element >= 0 && level < levels; level++) {
      for (const list of names.own[element]!) for (const hash of list) visit(hash);
      element = names.parent[element]!;
    }
  }
}
