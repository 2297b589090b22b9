import { expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { type Cell, type Row, toTable } from "./table.ts";

const buildCell = (text: string, columns = 1, rows = 1): Cell => ({
  text,
  columns,
  rows,
  isHeader: false,
  align: "",
});
const buildRow = (...cells: Cell[]): Row => ({ cells, inHead: false });
const repeat = <T>(count: number, build: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => build(index));

it("fills short rows with empty cells", () => {
  expect(
    toTable([buildRow(buildCell("a"), buildCell("b"), buildCell("c")), buildRow(buildCell("d"))]),
  ).toBe("|  |  |  |\n| --- | --- | --- |\n| a | b | c |\n| d |  |  |");
});

it("leaves rows short when one row is far wider than the others", () => {
  const rows = [
    buildRow(...repeat(3_000, () => buildCell("x"))),
    ...repeat(3_000, () => buildRow(buildCell("y"))),
  ];
  const table = toTable(rows);
  expect(table.length).toBeLessThan(100_000);
  expect(table.endsWith("\n| y |\n| y |")).toBe(true);
});

it("limits expanded spans in proportion to the cells of the page", () => {
  const rows = repeat(30_000, (index) => buildRow(buildCell(`c${index}`, 1_000, 65_534)));
  const started = threadCpuMs();
  const table = toTable(rows);
  expect(threadCpuMs() - started).toBeLessThan(3_000);
  for (const index of [0, 15_000, 29_999]) expect(table).toContain(`| c${index} |`);
});
