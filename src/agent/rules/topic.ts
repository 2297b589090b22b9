// Answers without a schema: the passages and tables most relevant to the prompt, under the topic's
// name.
import { scoreTexts } from "../../ranking/bm25.ts";
import { toWords } from "../../ranking/words.ts";
import type { Answer, Source } from "../run.ts";
import { isOnlyLinks, toPlainText, readTable } from "../tables/markdown-table.ts";
import { shareStem } from "../answer/terms.ts";

export type Passage = {
  readonly heading: string;
  readonly text: string;
  readonly score: number;
  readonly start: number;
  readonly end: number;
};

export type TopicTable = {
  readonly heading: string;
  readonly rows: readonly Readonly<Record<string, string>>[];
  readonly score: number;
  readonly start: number;
  readonly end: number;
};

export type PageTopic = {
  readonly url: string;
  readonly title: string;
  readonly passages: readonly Passage[];
  readonly tables: readonly TopicTable[];
};

type Block = {
  readonly text: string;
  readonly start: number;
  readonly heading: string;
  /** Inside a code block, or the end of one. */
  readonly isCode: boolean;
};

const HEADING_WEIGHT = 1.5;
/** Text about a thing is a better answer than code that uses it. */
const CODE_WEIGHT = 0.5;
/** Blocks of links name items but do not describe them. */
const LINKS_WEIGHT = 0.25;
/** Minimum score of a passage or table as a share of the best. */
const MIN_SCORE_SHARE = 0.35;
const MAX_PAGE_PASSAGES = 6;
const MAX_PASSAGES = 20;
const MAX_TABLES = 5;
const MAX_CHARACTERS = 2_000;
const MIN_WORDS = 3;

/** Returns the best passages and tables of one page, best first. */
export function readTopic(
  page: { readonly url: string; readonly title: string; readonly markdown: string },
  terms: readonly string[],
): PageTopic {
  const blocks = splitBlocks(page.markdown);
  const scores = scoreBlocks(blocks, terms);
  const passages: Passage[] = [];
  const tables: TopicTable[] = [];
  for (const [index, { text, start, heading }] of blocks.entries()) {
    const score = scores[index] ?? 0;
    if (score <= 0) continue;
    const place = { heading, score, start, end: start + text.length };
    const rows = readTable(text);
    if (rows !== undefined) tables.push({ ...place, rows });
    else if (toWords(text).length >= MIN_WORDS)
      passages.push({ ...place, text: text.slice(0, MAX_CHARACTERS) });
  }
  const selectBest = <T extends { readonly score: number }>(list: readonly T[], max: number): T[] =>
    list.toSorted((one, other) => other.score - one.score).slice(0, max);
  return {
    url: page.url,
    title: page.title,
    passages: selectBest(passages, MAX_PAGE_PASSAGES),
    tables: selectBest(tables, MAX_TABLES),
  };
}

/** A defined term as definition lists appear in Markdown, unlike a bold sentence. */
const TERM = /^\*\*(.+[^.!?:])\*\*(?:\n\*\*.+\*\*)*$/;

/**
 * Splits into paragraphs, lists and tables with the heading and term above them. A term alone is
 * dropped.
 */
function splitBlocks(markdown: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  let term: string | undefined;
  let fences = 0;
  for (const found of markdown.matchAll(/(?:(?!\n[^\S\n]*\n)[\s\S])+/g)) {
    const text = found[0].trim();
    const start = found.index + found[0].indexOf(text);
    const [, title] = /^#{1,6}\s+(\S.*)$/.exec(text) ?? [];
    const isCode = fences % 2 === 1 || text.startsWith("```");
    fences += text.match(/^ *```/gm)?.length ?? 0;
    const [, defined] = TERM.exec(text) ?? [];
    if (title !== undefined) heading = toPlainText(title);
    if (title !== undefined || defined !== undefined)
      term = defined === undefined ? undefined : toPlainText(defined);
    else if (text !== "")
      blocks.push({
        text,
        start,
        heading: term === undefined ? heading : `${heading}: ${term}`,
        isCode,
      });
  }
  return blocks;
}

/**
 * BM25 over the blocks of the page. Words of a block's heading count as its own, with more weight.
 * A block scores by its share of the terms, because otherwise one rare word would win over all of
 * them.
 */
function scoreBlocks(blocks: readonly Block[], terms: readonly string[]): number[] {
  const counted = blocks.map(({ text, heading }) => ({
    words: toWords(toPlainText(text)),
    heading: toWords(heading),
  }));
  const amounts = terms.map((term) =>
    counted.map(
      ({ words, heading }) =>
        words.filter((word) => shareStem(word, term)).length +
        HEADING_WEIGHT * heading.filter((word) => shareStem(word, term)).length,
    ),
  );
  const scores = scoreTexts(
    counted.map(({ words }) => words.length),
    amounts,
  );
  return [...scores].map((score, index) => {
    const held = amounts.filter((often) => (often[index] ?? 0) > 0).length;
    return (weighBlock(blocks[index]) * score * held) / Math.max(1, terms.length);
  });
}

function weighBlock(block: Block | undefined): number {
  if (block?.isCode === true) return CODE_WEIGHT;
  return block !== undefined && isOnlyLinks(block.text) ? LINKS_WEIGHT : 1;
}

/**
 * Merges the passages of the pages into one object named by the topic; each passage names its page.
 */
export function joinTopic(pages: readonly PageTopic[], topic: readonly string[]): Answer {
  const name = toTopicName(topic);
  const sources: Record<string, readonly Source[]> = {};
  const known = new Set<string>();
  const passages = pages
    .flatMap(({ url, title, passages: own }) => own.map((passage) => ({ ...passage, url, title })))
    .toSorted((one, other) => other.score - one.score)
    .filter(({ text }) => !known.has(text) && known.add(text))
    .filter(({ score }, _, [best]) => score >= MIN_SCORE_SHARE * (best?.score ?? 0))
    .slice(0, MAX_PASSAGES);
  const tables = pages
    .flatMap(({ url, tables: own }) => own.map((table) => ({ ...table, url })))
    .filter(({ rows }) => {
      const key = JSON.stringify(rows);
      return !known.has(key) && known.add(key);
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MAX_TABLES);
  for (const [index, { url, text, start, end }] of passages.entries())
    sources[`/${name}/passages/${index}`] = [{ url, text: text.slice(0, 300), start, end }];
  for (const [index, { url, start, end }] of tables.entries())
    sources[`/${name}/tables/${index}`] = [{ url, start, end }];
  const value = {
    [name]: {
      passages: passages.map(({ heading, text, url, title }) => ({ heading, text, url, title })),
      ...(tables.length === 0
        ? {}
        : { tables: tables.map(({ heading, rows, url }) => ({ heading, rows, url })) }),
    },
  };
  return { value, sources, unfilled: [], valid: true };
}

/** `pricingPlansPro` for "pricing of the plans of Pro". */
export function toTopicName(topic: readonly string[]): string {
  const [first = "result", ...rest] = topic.slice(0, 3);
  return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}
