// Learns from labelled pages how strongly words and names indicate main content. A page's own
// domain is always left out.
import { visitTokens, type PageTokens } from "../../src/html/main-content/features/evidence.ts";
import {
  packTable,
  TABLE_NAMES,
  type PackedTables,
  type TableName,
} from "../../src/html/main-content/features/word-table.ts";

/** A training page and the weights of its blocks. */
export type WordPage = {
  readonly domain: string;
  readonly signs: PageTokens;
  readonly targets: Float32Array;
  readonly weights: Float32Array;
};

/** Maximum words per table. */
const MAX_WORDS: Readonly<Record<TableName, number>> = {
  near: 1500,
  far: 1200,
  text: 1500,
  heading: 500,
  label: 500,
};
/** Words of fewer domains may be site names. */
const MIN_DOMAINS = 5;
/** Prior weight of a word. */
const PRIOR_WEIGHT = 20;
const MAX_ODDS = 5;

/** Sums over the blocks of one fold, by word number. */
type Part = { weight: Float64Array; wanted: Float64Array; domains: Float64Array };
type Whole = { weight: number; wanted: number };

/** Counts of words by fold. */
export class WordCounts {
  readonly #numbers: Readonly<Record<TableName, Map<number, number>>>;
  readonly #parts: readonly (Readonly<Record<TableName, Part>> & { whole: Whole })[];

  /** `findPart` returns the fold of a page; pages of one domain are in one fold. */
  constructor(pages: readonly WordPage[], parts: number, partOf: (domain: string) => number) {
    const sorted = pages.toSorted((one, two) =>
      one.domain === two.domain ? 0 : one.domain < two.domain ? -1 : 1,
    );
    this.#numbers = record((table) => countCommonWords(sorted, table));
    this.#parts = Array.from({ length: parts }, (_, part) => {
      const own = sorted.filter(({ domain }) => partOf(domain) === part);
      return {
        ...record((table) => countPart(own, table, this.#numbers[table])),
        whole: sumWeights(own),
      };
    });
  }

  /** Returns the tables learned from all folds except those left out. */
  tables(without: readonly number[]): PackedTables {
    const parts = this.#parts.filter((_, part) => !without.includes(part));
    const weight = parts.reduce((sum, { whole }) => sum + whole.weight, 0);
    const share = parts.reduce((sum, { whole }) => sum + whole.wanted, 0) / weight;
    return record((table) => {
      const own = parts.map((part) => part[table]);
      return packTable(selectBestWords(own, this.#numbers[table], share, MAX_WORDS[table]));
    });
  }
}

const record = <Value>(make: (table: TableName) => Value): Record<TableName, Value> =>
  Object.fromEntries(TABLE_NAMES.map((table) => [table, make(table)])) as Record<TableName, Value>;

/** Numbers the words that enough domains have; pages come sorted by domain. */
function countCommonWords(pages: readonly WordPage[], table: TableName): Map<number, number> {
  const domains = new Map<number, number>();
  const last = new Map<number, string>();
  visitWords(pages, table, (hash, { domain }) => {
    if (last.get(hash) === domain) return;
    last.set(hash, domain);
    domains.set(hash, (domains.get(hash) ?? 0) + 1);
  });
  const numbers = new Map<number, number>();
  for (const [hash, count] of domains) if (count >= MIN_DOMAINS) numbers.set(hash, numbers.size);
  return numbers;
}

function visitWords(
  pages: readonly WordPage[],
  table: TableName,
  visit: (hash: number, page: WordPage, block: number) => void,
): void {
  for (const page of pages)
    page.weights.forEach((weight, block) => {
      if (weight > 0) visitTokens(page.signs, table, block, (hash) => visit(hash, page, block));
    });
}

function countPart(
  pages: readonly WordPage[],
  table: TableName,
  numbers: ReadonlyMap<number, number>,
): Part {
  const column = (): Float64Array => new Float64Array(numbers.size);
  const part = { weight: column(), wanted: column(), domains: column() };
  const last: string[] = [];
  visitWords(pages, table, (hash, { domain, weights, targets }, block) => {
    const word = numbers.get(hash);
    if (word === undefined) return;
    part.weight[word]! += weights[block]!;
    part.wanted[word]! += weights[block]! * targets[block]!;
    if (last[word] !== domain) part.domains[word]!++;
    last[word] = domain;
  });
  return part;
}

function sumWeights(pages: readonly WordPage[]): Whole {
  const whole = { weight: 0, wanted: 0 };
  for (const { weights, targets } of pages)
    weights.forEach((weight, block) => {
      if (weight === 0) return;
      whole.weight += weight;
      whole.wanted += weight * targets[block]!;
    });
  return whole;
}

/** Selects the most informative words: log odds against blocks in general, by weight and square. */
function selectBestWords(
  parts: readonly Part[],
  numbers: ReadonlyMap<number, number>,
  share: number,
  max: number,
): [number, number][] {
  const sum = (of: (part: Part) => number): number =>
    parts.reduce((whole, part) => whole + of(part), 0);
  const words: { hash: number; odds: number; says: number }[] = [];
  for (const [hash, word] of numbers) {
    if (sum(({ domains }) => domains[word]!) < MIN_DOMAINS) continue;
    const weight = sum((part) => part.weight[word]!);
    const wanted = sum((part) => part.wanted[word]!);
    const raw = Math.log(
      ((wanted + PRIOR_WEIGHT * share) * (1 - share)) /
        ((weight - wanted + PRIOR_WEIGHT * (1 - share)) * share),
    );
    const odds = Math.min(Math.max(raw, -MAX_ODDS), MAX_ODDS);
    words.push({ hash, odds, says: weight * odds * odds });
  }
  words.sort((one, two) => two.says - one.says || one.hash - two.hash);
  return words.slice(0, max).map(({ hash, odds }) => [hash, odds]);
}
