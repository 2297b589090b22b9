// Lists that the server pages by a cursor: the next page is loaded when the rows before its place
// come into sight.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { session } from "../data/session.ts";
import { takeKeptScroll } from "../router.ts";

export type ListPage<Row, Cursor> = {
  readonly rows: readonly Row[];
  /** Null at the end. */
  readonly cursor: Cursor | null;
};

export type PagedList<Row> = {
  /** Undefined until the first page has arrived. */
  readonly rows: readonly Row[] | undefined;
  readonly isWhole: boolean;
  readonly isLoading: boolean;
  readonly error: Error | undefined;
  /** Loads from the start again. */
  readonly reload: () => void;
  /** Loads the next page when `last` is near the end of what is loaded. */
  readonly showTo: (last: number) => void;
};

type State<Row, Cursor> = {
  readonly rows?: readonly Row[];
  /** Pages that the rows are of. */
  readonly pages: number;
  readonly cursor: Cursor | null;
  readonly isLoading: boolean;
  readonly error?: Error;
};

/** Rows that are loaded before they come into sight. */
const AHEAD = 60;

/** The list that a screen showed when it was left, for the way back. */
const kept = new Map<string, { readonly keys: string; readonly state: unknown }>();

/** Another session does not see the list. */
const keep = (identity: string): string => `${session.value.csrfToken ?? ""} ${identity}`;

/**
 * Loads pages of a list. It starts again when `keys` change. After the way back from an entry it
 * has the rows and the place from before, if the list has a `name`.
 */
export function usePages<Row, Cursor>(
  name: string | undefined,
  load: (cursor: Cursor | undefined, signal: AbortSignal) => Promise<ListPage<Row, Cursor>>,
  keys: readonly unknown[],
): PagedList<Row> {
  const identity = JSON.stringify(keys);
  const scroll = useRef<number>(undefined);
  const [state, setState] = useState<State<Row, Cursor>>(() => {
    const before = name === undefined ? undefined : kept.get(name);
    const top = name === undefined ? undefined : takeKeptScroll();
    if (top === undefined || before?.keys !== keep(identity))
      return { pages: 0, cursor: null, isLoading: true } satisfies State<Row, Cursor>;
    scroll.current = top;
    return before.state as State<Row, Cursor>;
  });
  const latest = useRef(state);
  latest.current = state;
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(undefined);

  const run = (cursor: Cursor | undefined): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => ({
      pages: before.pages,
      cursor: before.cursor,
      ...(before.rows !== undefined && { rows: before.rows }),
      isLoading: true,
    }));
    load(cursor, controller.signal).then(
      (page) => {
        if (controller.signal.aborted) return;
        setState((before) => ({
          rows: cursor === undefined ? page.rows : [...(before.rows ?? []), ...page.rows],
          pages: cursor === undefined ? 1 : before.pages + 1,
          cursor: page.cursor,
          isLoading: false,
        }));
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const fault = error instanceof Error ? error : new Error(String(error));
        setState((before) => ({ ...before, isLoading: false, error: fault }));
      },
    );
  };
  useEffect(() => {
    // A longer list than one page keeps the rows that it had.
    if (scroll.current === undefined || latest.current.pages <= 1) run(undefined);
    scroll.current = undefined;
  }, [identity, turn]);
  useLayoutEffect(() => {
    if (scroll.current !== undefined) scrollTo(0, scroll.current);
  }, []);
  useEffect(
    () => () => {
      running.current?.abort();
      const { rows, pages, cursor } = latest.current;
      if (name !== undefined && rows !== undefined)
        kept.set(name, { keys: keep(identity), state: { rows, pages, cursor, isLoading: false } });
    },
    [identity],
  );
  return {
    rows: state.rows,
    isWhole: state.rows !== undefined && state.cursor === null,
    isLoading: state.isLoading,
    error: state.error,
    reload: () => setTurn((count) => count + 1),
    showTo: (last) => {
      const { rows, cursor, isLoading, error } = latest.current;
      if (rows === undefined || cursor === null || isLoading || error !== undefined) return;
      if (last + AHEAD >= rows.length) run(cursor);
    },
  };
}
