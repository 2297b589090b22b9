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

/** Each id is listed once. Cursors name a row, so rows that were added or removed do not move them. */
export function addPage<Row extends Identified, Cursor>(
  state: ListState<Row, Cursor>,
  page: ListPage<Row, Cursor>,
  load: PageLoad,
  filters: string,
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
  if (load === "start") return loaded(added, page.cursor);
  const ids = new Set(added.map(({ id }) => id));
  const last = rows.findLastIndex(({ id }) => ids.has(id));
  // Without a common row, rows between the first page and the others would be missing.
  if (last === -1 || page.cursor === null) return loaded(added, page.cursor);
  return loaded([...added, ...rows.slice(last + 1)], cursor);
}
