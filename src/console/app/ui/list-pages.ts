// State of a list that is loaded page by page. Pure of elements and requests.
export type Identified = { readonly id: string };

export type ListPage<Row, Cursor> = {
  readonly rows: readonly Row[];
  /** Null at the end. */
  readonly cursor: Cursor | null;
};

/** `start` replaces the rows, `refresh` updates the first page, `more` appends the next one. */
export type PageLoad = "start" | "refresh" | "more";

export type ListFault = { readonly error: Error; readonly load: PageLoad };

export type ListState<Row, Cursor> = {
  /** Undefined until the first page has arrived. */
  readonly rows?: readonly Row[];
  /** Filters that the rows were loaded with. */
  readonly filters?: string;
  readonly cursor: Cursor | null;
  readonly isLoading: boolean;
  readonly fault?: ListFault;
};

/** Rows of the former filters stay until the first page of the new ones arrives. */
export function startLoading<Row, Cursor>(state: ListState<Row, Cursor>): ListState<Row, Cursor> {
  const { fault: _, ...rest } = state;
  return { ...rest, isLoading: true };
}

/** Keeps the rows, unless they were loaded with other filters. */
export function addFault<Row, Cursor>(
  state: ListState<Row, Cursor>,
  fault: ListFault,
  filters: string,
): ListState<Row, Cursor> {
  return state.filters === filters
    ? { ...state, isLoading: false, fault }
    : { cursor: null, isLoading: false, fault };
}

/** True if the list has no more pages; false while its rows are those of other filters. */
export const isLoadedWhole = <Row, Cursor>(
  { rows, filters, cursor }: ListState<Row, Cursor>,
  wanted: string,
): boolean => rows !== undefined && cursor === null && filters === wanted;

export type PageTarget<Row> = {
  readonly load: PageLoad;
  readonly filters: string;
  /** Returns the value that the server sorts by, for rows that move up when it changes. */
  readonly readOrder?: ((row: Row) => unknown) | undefined;
};

/**
 * Adds a page; each id is listed once. A cursor names a row that does not move, or a value that the
 * list is sorted by, so rows that were added, moved or removed do not change what it leads to.
 */
export function addPage<Row extends Identified, Cursor>(
  state: ListState<Row, Cursor>,
  page: ListPage<Row, Cursor>,
  { load, filters, readOrder }: PageTarget<Row>,
): ListState<Row, Cursor> {
  const { rows = [], cursor } = state;
  const { rows: added } = page;
  const loaded = (all: readonly Row[], next: Cursor | null): ListState<Row, Cursor> => ({
    rows: [...new Map(all.map((row) => [row.id, row])).values()],
    filters,
    cursor: next,
    isLoading: false,
  });
  if (load === "more") return loaded([...rows, ...added], page.cursor);
  if (load === "start" || page.cursor === null) return loaded(added, page.cursor);
  const last = added.at(-1);
  const at = rows.findIndex(({ id }) => id === last?.id);
  const before = rows[at];
  // Only a row that kept its place shows where the first page ends among the loaded rows. Without
  // one, rows between the first page and the others would be missing.
  if (last === undefined || before === undefined || readOrder?.(before) !== readOrder?.(last))
    return loaded(added, page.cursor);
  const ids = new Set(added.map(({ id }) => id));
  return loaded([...added, ...rows.slice(at + 1).filter(({ id }) => !ids.has(id))], cursor);
}
