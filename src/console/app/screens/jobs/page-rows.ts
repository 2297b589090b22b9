// The results of a job as short rows, loaded for the rows in view. Pure of elements.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Document } from "../../../../contract/page/document.ts";
import { call } from "../../data/api.ts";
import { NO_SEARCH, searchPages, toRow, type PageRow, type PageSearch } from "./search-pages.ts";

type Results = { readonly data: readonly Document[] };

const CHUNK = 25;
/** A quick scroll passes places without loading them. */
const REST_MS = 60;
/** Wait after the last key press before the search starts. */
const SEARCH_REST_MS = 300;

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
  /** Loads the rows in view that are missing. */
  readonly retry: () => void;
};

/** Rows of the first `count` results of a job. */
export function usePageRows(path: string, count: number): PageRows {
  const chunks = useRef(new Map<number, readonly PageRow[]>());
  const running = useRef(new Map<number, AbortController>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const range = useRef<readonly [first: number, last: number]>([0, 0]);
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
  const show = (first: number, last: number): void => {
    range.current = [first, last];
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
  };
  return {
    rowAt: (index) => chunks.current.get(Math.floor(index / CHUNK))?.[index % CHUNK],
    error,
    show,
    retry: () => show(...range.current),
  };
}

/**
 * Searches the `count` results of the job; when it grows, the search continues with the new ones.
 * Returns undefined without words.
 */
export function usePageSearch(
  path: string,
  words: string,
  count: number,
): (PageSearch & { readonly retry: () => void }) | undefined {
  const [state, setState] = useState<PageSearch>(NO_SEARCH);
  const latestCount = useRef(count);
  latestCount.current = count;
  const resume = useRef<() => void>(() => undefined);
  useEffect(() => {
    let progress = NO_SEARCH;
    let isRunning = true;
    const onProgress = (search: PageSearch): void => {
      progress = search;
      setState(search);
    };
    onProgress(NO_SEARCH);
    if (words === "") return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const run = (): void => {
      isRunning = true;
      searchPages({
        read: (skip, limit) => loadDocuments(path, skip, limit, signal),
        words,
        from: progress,
        readCount: () => latestCount.current,
        onProgress: (search) => !signal.aborted && onProgress(search),
      })
        .catch((cause: unknown) => {
          if (signal.aborted) return;
          const error = cause instanceof Error ? cause : new Error(String(cause));
          onProgress({ ...progress, isDone: true, error });
        })
        .finally(() => {
          isRunning = false;
        });
    };
    resume.current = () => {
      if (!isRunning && progress.searched < latestCount.current) run();
    };
    const timer = setTimeout(run, SEARCH_REST_MS);
    return () => {
      resume.current = () => undefined;
      clearTimeout(timer);
      controller.abort();
    };
  }, [path, words]);
  useEffect(() => resume.current(), [count]);
  return words === "" ? undefined : { ...state, retry: () => resume.current() };
}
