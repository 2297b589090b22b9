import { expect, it } from "vitest";
import { addFault, addPage, isLoadedWhole, startLoading, type ListState } from "./list-pages.ts";

type Row = { readonly id: string; readonly text?: string };
type State<Cursor> = ListState<Row, Cursor>;

const FILTERS = "[]";
const REFRESH = { load: "refresh", filters: FILTERS } as const;
const ERROR = new Error("The server did not answer.");
const rowsOf = (ids: string): Row[] => ids.split("").map((id) => ({ id }));
const idsOf = ({ rows = [] }: State<unknown>): string => rows.map(({ id }) => id).join("");
const build = <Cursor>(ids: string, cursor: Cursor | null): State<Cursor> => ({
  rows: rowsOf(ids),
  filters: FILTERS,
  cursor,
  isLoading: false,
});

it("keeps the rows and the cursor when a later page fails, so that a retry loads that page", () => {
  const before = startLoading(build("abc", "after-c"));
  const failed = addFault(before, { error: ERROR, load: "more" }, FILTERS);
  expect(failed).toMatchObject({ cursor: "after-c", isLoading: false, fault: { load: "more" } });
  expect(idsOf(failed)).toBe("abc");
  const again = addPage(
    startLoading(failed),
    { rows: rowsOf("de"), cursor: null },
    { load: "more", filters: FILTERS },
  );
  expect(idsOf(again)).toBe("abcde");
  expect(again.fault).toBeUndefined();
});

it("drops rows of other filters when the first page of the new filters fails", () => {
  const failed = addFault(startLoading(build("abc", "c")), { error: ERROR, load: "start" }, "[1]");
  expect(failed.rows).toBeUndefined();
});

it("lists a row once that a later page returns again, with its newest values", () => {
  const page = { rows: [{ id: "c", text: "new" }, { id: "d" }], cursor: null };
  const state = addPage(build("abc", "c"), page, { load: "more", filters: FILTERS });
  expect(idsOf(state)).toBe("abcd");
  expect(state.rows?.[2]?.text).toBe("new");
});

it("refreshes the first page and keeps the rows after it", () => {
  const page = { rows: rowsOf("xac"), cursor: "c" };
  const state = addPage(build("abcdef", "f"), page, REFRESH);
  expect(idsOf(state)).toBe("xacdef");
  expect(state.cursor).toBe("f");
});

it("starts again when the refreshed first page has no row in common", () => {
  const page = { rows: rowsOf("xyz"), cursor: "z" };
  const state = addPage(build("abc", "c"), page, REFRESH);
  expect(idsOf(state)).toBe("xyz");
  expect(state.cursor).toBe("z");
});

it("keeps all rows when one of a later page has moved to the first page", () => {
  const page = { rows: rowsOf("eab"), cursor: 8 };
  const state = addPage(build("abcdef", 4), page, REFRESH);
  expect(idsOf(state)).toBe("eabcdf");
  expect(state.cursor).toBe(4);
});

it("starts again when the last row of the refreshed page has moved as well", () => {
  const rowsAt = (ids: string, first: number): Row[] =>
    rowsOf(ids).map(({ id }, at) => ({ id, text: String(first - at) }));
  const before = { ...build("", 4), rows: rowsAt("abcdef", 9) };
  const options = { ...REFRESH, readOrder: ({ text }: Row) => text };
  const state = addPage(before, { rows: rowsAt("fed", 12), cursor: 10 }, options);
  expect(idsOf(state)).toBe("fed");
  expect(state.cursor).toBe(10);
  const moved = [...rowsAt("e", 10), ...rowsAt("ab", 9)];
  expect(idsOf(addPage(before, { rows: moved, cursor: 8 }, options))).toBe("eabcdf");
});

it("is not whole while its rows are those of other filters", () => {
  expect(isLoadedWhole(build("", null), FILTERS)).toBe(true);
  expect(isLoadedWhole(build("", null), "[1]")).toBe(false);
  expect(isLoadedWhole(build("abc", "c"), FILTERS)).toBe(false);
  expect(isLoadedWhole({ cursor: null, isLoading: true }, FILTERS)).toBe(false);
});
