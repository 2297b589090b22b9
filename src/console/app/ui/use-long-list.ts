// Lists that the server returns page by page: the next page is loaded when the rows before it come
// into view.
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { session } from "../data/session.ts";
import { readEntryId, takeKeptScroll } from "../router.ts";
import { dom } from "./dom.ts";
import { errorBox } from "./feedback.ts";
import {
  addFault,
  addPage,
  isLoadedWhole,
  startLoading,
  type Identified,
  type ListFault,
  type ListPage,
  type ListState,
  type PageLoad,
} from "./list-pages.ts";
import { useRowsInSight, type RowsInSight } from "./rows-in-sight.ts";

export type PagedList<Row> = {
  /** Undefined until the first page has arrived. */
  readonly rows: readonly Row[] | undefined;
  readonly isWhole: boolean;
  /** False while the rows are those of other filters. */
  readonly isCurrent: boolean;
  readonly isLoading: boolean;
  readonly fault: ListFault | undefined;
  /** Loads the page that failed again. */
  readonly retry: () => void;
  /** Loads the next page when `last` is near the end of what is loaded. */
  readonly showTo: (last: number) => void;
};

export type PagesOptions<Row, Cursor> = {
  /** Lists with a name keep their rows and scroll position for the way back. */
  readonly name?: string;
  readonly load: (
    cursor: Cursor | undefined,
    signal: AbortSignal,
  ) => Promise<ListPage<Row, Cursor>>;
  /** The list starts again when they change. */
  readonly filters: readonly string[];
  /** Returns the value that the server sorts by, for rows that move up when it changes. */
  readonly readOrder?: (row: Row) => unknown;
};

/** Rows that are loaded before they come into view. */
const AHEAD = 60;

type KeptList = { readonly session: string; readonly state: unknown };

const MAX_KEPT = 8;
/** State of the lists that were left last, by name and entry of the history. */
const kept = new Map<string, KeptList>();

/** Another session does not see the list. */
const readSessionId = (): string => session.value.csrfToken ?? "";

function keep(key: string, state: unknown): void {
  kept.delete(key);
  kept.set(key, { session: readSessionId(), state });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
}

/** Returns the list that this entry of the history showed when it was left. */
function takeKept<Row, Cursor>(name: string | undefined, filters: string) {
  if (name === undefined) return undefined;
  const top = takeKeptScroll();
  const list = kept.get(`${name} ${readEntryId()}`);
  if (top === undefined || list?.session !== readSessionId()) return undefined;
  const state = list.state as ListState<Row, Cursor>;
  return state.filters === filters ? { top, state } : undefined;
}

/** Loads pages of a list. */
export function usePages<Row extends Identified, Cursor>(
  options: PagesOptions<Row, Cursor>,
): PagedList<Row> {
  const { name, load, readOrder } = options;
  const filters = JSON.stringify(options.filters);
  const entry = useRef(readEntryId());
  const back = useRef<number>(undefined);
  const [state, setState] = useState<ListState<Row, Cursor>>(() => {
    const before = takeKept<Row, Cursor>(name, filters);
    back.current = before?.top;
    return before?.state ?? { cursor: null, isLoading: true };
  });
  const latest = useRef(state);
  latest.current = state;
  const running = useRef<AbortController>(undefined);

  const run = (kind: PageLoad): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState(startLoading);
    const cursor = kind === "more" ? (latest.current.cursor ?? undefined) : undefined;
    load(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        setState((before) => addPage(before, page, { load: kind, filters, readOrder }));
      },
      (cause: unknown) => {
        if (controller.signal.aborted) return;
        const error = cause instanceof Error ? cause : new Error(String(cause));
        setState((before) => addFault(before, { error, load: kind }, filters));
      },
    );
  };
  useLayoutEffect(() => {
    if (back.current !== undefined) scrollTo(0, back.current);
  }, []);
  useEffect(() => {
    entry.current = readEntryId();
    run(back.current === undefined ? "start" : "refresh");
    back.current = undefined;
  }, [filters]);
  useEffect(
    () => () => {
      running.current?.abort();
      const { fault: _, ...list } = latest.current;
      if (name !== undefined && list.rows !== undefined)
        keep(`${name} ${entry.current}`, { ...list, isLoading: false });
    },
    [],
  );
  return {
    rows: state.rows,
    isWhole: isLoadedWhole(state, filters),
    isCurrent: state.filters === filters,
    isLoading: state.isLoading,
    fault: state.fault,
    retry: () => run(state.fault?.load ?? "start"),
    showTo: (last) => {
      const { rows, cursor, isLoading, fault } = latest.current;
      if (rows === undefined || cursor === null || isLoading || fault !== undefined) return;
      if (last + AHEAD >= rows.length) run("more");
    },
  };
}

export type LongListOptions<Row, Cursor> = PagesOptions<Row, Cursor> & {
  /** Builds the shown rows from the loaded ones; called again when `mergeKeys` change. */
  readonly merge?: (rows: readonly Row[], isWhole: boolean) => readonly Row[];
  readonly mergeKeys?: readonly unknown[];
};

export type LongList<Row> = PagedList<Row> & {
  readonly shown: readonly Row[];
  readonly sight: RowsInSight;
};

/** A table in the flow of the document that loads its rows page by page. */
export function useLongList<Row extends Identified, Cursor>(
  options: LongListOptions<Row, Cursor>,
): LongList<Row> {
  const { merge, mergeKeys = [] } = options;
  const list = usePages(options);
  const { rows, isWhole, isLoading } = list;
  const shown = useMemo(
    () => (merge === undefined ? (rows ?? []) : merge(rows ?? [], isWhole)),
    [rows, isWhole, ...mergeKeys],
  );
  const sight = useRowsInSight(shown.length);
  useEffect(() => list.showTo(sight.last), [sight.last, rows, isLoading]);
  return { ...list, shown, sight };
}

/** Shown above a list whose first page could not be loaded. */
export const startFault = ({ fault, retry }: PagedList<unknown>): VNode | false =>
  fault !== undefined && fault.load !== "more" && errorBox(fault.error, retry);

/**
 * The line below a list that has more pages; it keeps its place while they are loaded. `text` names
 * what is loaded. A page that failed is reported here, below the loaded rows.
 */
export function moreRows(list: PagedList<unknown>, text: string): VNode | false {
  const { rows, isWhole, isCurrent, isLoading, fault, retry } = list;
  if (rows === undefined || isWhole || !isCurrent) return false;
  if (fault?.load === "more") return errorBox(fault.error, retry);
  return dom.p({ class: "more-rows small faint", role: "status" }, isLoading ? text : "");
}
