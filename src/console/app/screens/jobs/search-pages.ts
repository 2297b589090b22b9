// Results of a job as short rows, and a search in them. Pure.
import type { Document } from "../../../../contract/page/document.ts";

const READ_AT_ONCE = 100;
const MAX_FOUND = 1_000;

export type PageRow = {
  /** Number of results before it. */
  readonly index: number;
  readonly address: string;
  readonly title: string;
  readonly statusCode: number | undefined;
  readonly verdict: string | undefined;
  readonly sizeBytes: number;
};

const readAddress = ({ metadata }: Document): string => metadata.sourceURL ?? metadata.url ?? "";

const readTitle = ({ metadata }: Document): string =>
  typeof metadata.title === "string" ? metadata.title : "";

export const toRow = (document: Document, index: number): PageRow => ({
  index,
  address: readAddress(document),
  title: readTitle(document),
  statusCode: document.metadata.statusCode ?? undefined,
  verdict: document.metadata.verdict ?? undefined,
  sizeBytes: new TextEncoder().encode(document.markdown ?? "").length,
});

export type PageSearch = {
  readonly found: readonly PageRow[];
  readonly searched: number;
  readonly isDone: boolean;
  readonly error?: Error;
};

export const NO_SEARCH: PageSearch = { found: [], searched: 0, isDone: false };

const hasWords = (document: Document, words: string): boolean =>
  `${readAddress(document)} ${readTitle(document)} ${document.markdown ?? ""}`
    .toLowerCase()
    .includes(words);

export type SearchPagesOptions = {
  /** Returns at most `limit` documents after the first `skip` ones. */
  readonly read: (skip: number, limit: number) => Promise<readonly Document[]>;
  readonly words: string;
  /** Where the search continues. */
  readonly from: PageSearch;
  /** Number of results, which grows while the job runs. */
  readonly readCount: () => number;
  readonly onProgress: (search: PageSearch) => void;
};

/** Reads the results after those searched before, and keeps those with the words. */
export async function searchPages(options: SearchPagesOptions): Promise<void> {
  const { read, from, readCount, onProgress } = options;
  const words = options.words.toLowerCase();
  const found = [...from.found];
  let { searched } = from;
  while (searched < readCount() && found.length < MAX_FOUND) {
    const documents = await read(searched, READ_AT_ONCE);
    if (documents.length === 0) break;
    for (const [at, document] of documents.entries())
      if (hasWords(document, words)) found.push(toRow(document, searched + at));
    searched += documents.length;
    onProgress({ found: [...found], searched, isDone: false });
  }
  onProgress({ found, searched, isDone: true });
}
