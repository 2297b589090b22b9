import { expect, it } from "vitest";
import { draftPage } from "../../../../test/understanding/derive-page.ts";

const listOf = (table: string, ...names: readonly string[]): unknown => {
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: name === "name" || name === "hour" ? "string" : "number" }]),
  );
  const schema = {
    type: "object",
    properties: { rows: { type: "array", items: { type: "object", properties } } },
  };
  const html = `<!doctype html><html lang="en"><body><main><h1>Lists</h1>${table}</main></body></html>`;
  return (draftPage(html, schema).value as { rows?: unknown } | undefined)?.rows;
};

it("names a column by the last of its header rows where that is unique", () => {
  const table = `<table><thead><tr><th rowspan="2">Name</th><th colspan="2">Games</th><th colspan="2">Sets</th></tr><tr><th>Won</th><th>Lost</th><th>Best</th><th>Sum</th></tr></thead><tbody><tr><td>Ede</td><td>4</td><td>2</td><td>9</td><td>14</td></tr><tr><td>Ulm</td><td>3</td><td>3</td><td>7</td><td>12</td></tr></tbody></table>`;
  expect(listOf(table, "name", "won", "lost")).toEqual([
    { name: "Ede", won: 4, lost: 2 },
    { name: "Ulm", won: 3, lost: 3 },
  ]);
  const twice = table.replace("Best", "Won");
  expect(listOf(twice, "name", "won", "lost")).toEqual([
    { name: "Ede", lost: 2 },
    { name: "Ulm", lost: 3 },
  ]);
});

it("takes row headers for names where the first header is empty or the unit of the table", () => {
  const table = (head: string): string =>
    `<table><thead><tr><th>${head}</th><th>Sales</th></tr></thead><tbody><tr><th>Pumps</th><td>88.1</td></tr><tr><th>Valves</th><td>45.9</td></tr></tbody></table>`;
  const rows = [
    { name: "Pumps", sales: 88.1 },
    { name: "Valves", sales: 45.9 },
  ];
  for (const head of ["", "€m", "in millions"])
    expect(listOf(table(head), "name", "sales")).toEqual(rows);
  expect(listOf(table("Plant"), "name", "sales")).toEqual(rows.map(({ sales }) => ({ sales })));
});

it("reads rows that are CSS grids of as many cells, with units behind the names of the columns", () => {
  const row = (...cells: readonly string[]): string =>
    `<div class="grid grid-cols-3">${cells.map((cell) => `<div>${cell}</div>`).join("")}</div>`;
  const html = `<div>${row("Hour", "Rain mm", "Humidity %")}${row("06:00", "0.4", "91")}${row("07:00", "0", "88")}</div>`;
  expect(listOf(html, "hour", "rain_mm", "humidity")).toEqual([
    { hour: "06:00", rain_mm: 0.4, humidity: 91 },
    { hour: "07:00", rain_mm: 0, humidity: 88 },
  ]);
});
