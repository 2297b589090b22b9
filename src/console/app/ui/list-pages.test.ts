import { expect, it } from "vitest";
import { addFault, addPage, startLoading, type ListState } from "./list-pages.ts";

type Row = { readonly id: string; readonly text?: string };
type State<Cursor> = ListState<Row, Cursor>;

const FILTERS = "[]";
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
    "more",
    FILTERS,
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
  const state = addPage(build("abc", "c"), page, "more", FILTERS);
  expect(idsOf(state)).toBe("abcd");
  expect(state.rows?.[2]?.text).toBe("new");
});

it("refreshes the first page and keeps the rows after it", () => {
  const page = { rows: rowsOf("xac"), cursor: "c" };
  const state = addPage(build("abcdef", "f"), page, "refresh", FILTERS);
  expect(idsOf(state)).toBe("xacdef");
  expect(state.cursor).toBe("f");
});

it("starts again when the refreshed first page has no row in common", () => {
  const page = { rows: rowsOf("xyz"), cursor: "z" };
  expect(addPage(build("abc", "c"), page, "refresh", FILTERS)).toMatchObject({ cursor: "z" });
});
