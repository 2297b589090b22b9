// The results of a job as short rows, loaded where the list is looked at, and searched page by
// page. Pure of elements.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";

export type PageRow = {
  /** Number of results before it. */
  readonly index: number;
  readonly address: string;
  readonly title: string;
  readonly statusCode: number | undefined;
  readonly verdict: string | undefined;
  readonly sizeBytes: number;
};

type Results = { readonly data: readonly Document[] };

const CHUNK = 25;
/** A quick scroll passes places without loading them. */
const REST_MS = 60;
const SEARCHED_AT_ONCE = 100;
const MAX_FOUND = 1_000;
const SEARCH_REST_MS = 300;

export const readAddress = ({ metadata }: Document): string =>
  metadata.sourceURL ?? metadata.url ?? "";

export const readTitle = ({ metadata }: Document): string =>
  typeof metadata.title === "string" ? metadata.title : "";

const toRow = (document: Document, index: number): PageRow => ({
  index,
  address: readAddress(document),
  title: readTitle(document),
  statusCode: document.metadata.statusCode ?? undefined,
  verdict: document.metadata.verdict ?? undefined,
  sizeBytes: new TextEncoder().encode(document.markdown ?? "").length,
});

/** Loads documents. A response may have fewer than asked for, because its size is limited. */
export async function loadDocuments(
  path: string,
  skip: number,
  limit: number,
  signal: AbortSignal,
): Promise<Document[]> {
  const documents: Document[] = [];
  while (documents.length < limit) {
    const query = { skip: skip + documents.length, limit: limit - documents.length };
    const { data } = await call<Results>("GET", path, { query, signal });
    if (data.length === 0) break;
    documents.push(...data);
  }
  return documents;
}

export type PageRows = {
  readonly rowAt: (index: number) => PageRow | undefined;
  /** Loads the rows from `first` to before `last`. */
  readonly show: (first: number, last: number) => void;
  readonly error: Error | undefined;
};

/** Rows of the first `count` results of a job. */
export function usePageRows(path: string, count: number): PageRows {
  const chunks = useRef(new Map<number, readonly PageRow[]>());
  const running = useRef(new Map<number, AbortController>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [, setTurn] = useState(0);
  const [error, setError] = useState<Error>();
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      for (const controller of running.current.values()) controller.abort();
    },
    [],
  );
  const load = (chunk: number): void => {
    const controller = new AbortController();
    running.current.set(chunk, controller);
    loadDocuments(path, chunk * CHUNK, CHUNK, controller.signal)
      .then(
        (documents) => {
          const rows = documents.map((document, at) => toRow(document, chunk * CHUNK + at));
          chunks.current.set(chunk, rows);
          setError(undefined);
        },
        (fault: unknown) => {
          if (controller.signal.aborted) return;
          setError(fault instanceof Error ? fault : new Error(String(fault)));
        },
      )
      .finally(() => {
        if (running.current.get(chunk) === controller) running.current.delete(chunk);
        setTurn((turn) => turn + 1);
      });
  };
  return {
    rowAt: (index) => chunks.current.get(Math.floor(index / CHUNK))?.[index % CHUNK],
    error,
    show: (first, last) => {
      const [from, to] = [Math.floor(first / CHUNK), Math.ceil(last / CHUNK)];
      for (const [chunk, controller] of running.current)
        if (chunk < from || chunk >= to) controller.abort();
      const missing = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at).filter(
        (chunk) =>
          !running.current.has(chunk) &&
          (chunks.current.get(chunk)?.length ?? 0) < Math.min(CHUNK, count - chunk * CHUNK),
      );
      clearTimeout(timer.current);
      if (missing.length === 0) return;
      const wait = chunks.current.size === 0 ? 0 : REST_MS;
      timer.current = setTimeout(() => missing.forEach(load), wait);
    },
  };
}

export type PageSearch = {
  readonly found: readonly PageRow[];
  readonly searched: number;
  readonly isDone: boolean;
  readonly error?: Error;
};

const hasWords = (document: Document, words: string): boolean =>
  `${readAddress(document)} ${readTitle(document)} ${document.markdown ?? ""}`
    .toLowerCase()
    .includes(words);

/** Reads all results of the job and keeps those with the words; undefined without words. */
export function usePageSearch(path: string, words: string, count: number): PageSearch | undefined {
  const [state, setState] = useState<PageSearch>({ found: [], searched: 0, isDone: false });
  useEffect(() => {
    setState({ found: [], searched: 0, isDone: false });
    if (words === "") return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const search = async (): Promise<void> => {
      const found: PageRow[] = [];
      let searched = 0;
      while (searched < count && found.length < MAX_FOUND) {
        const documents = await loadDocuments(path, searched, SEARCHED_AT_ONCE, signal);
        if (documents.length === 0) break;
        for (const [at, document] of documents.entries())
          if (hasWords(document, words.toLowerCase())) found.push(toRow(document, searched + at));
        searched += documents.length;
        setState({ found: [...found], searched, isDone: false });
      }
      setState({ found, searched, isDone: true });
    };
    const timer = setTimeout(
      () =>
        void search().catch((error: unknown) => {
          if (signal.aborted) return;
          const fault = error instanceof Error ? error : new Error(String(error));
          setState((before) => ({ ...before, isDone: true, error: fault }));
        }),
      SEARCH_REST_MS,
    );
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, words]);
  return words === "" ? undefined : state;
}
