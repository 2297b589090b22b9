// Tables with one quantity a row and one period a column: a property without a year gets the value
// of the period that the page is about, `revenue_prior_year` that of the one before.
import { isAside } from "../../../page-model/node.ts";
import type { Grid, GridRow } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import type { LookupResult } from "./grid-look-up.ts";

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Columns beside the periods. */
const BESIDE =
  /^(?:notes?|anhang|anm\.?|unit|einheit|unité|unidad|change|veränderung|variation|var\.?|diff\.?|[+−-]?\s?[%％]|±|Δ|yoy)?$/i;
const BEFORE: ReadonlySet<string> = new Set([
  "prior",
  "previous",
  "last",
  "comparative",
  "preceding",
]);
const NOW: ReadonlySet<string> = new Set(["current", "latest", "newest", "reporting"]);
const PERIOD: ReadonlySet<string> = new Set([
  "year",
  "period",
  "quarter",
  "half",
  "fiscal",
  "financial",
]);
/** Words of another figure for the same period. */
const OTHER = /budget|plan|forecast|guidance|restated|adjusted|pro forma|target|prognose|soll/i;

/**
 * The cell of a property in such a table; undefined if the page does not say which period it is
 * about, or several rows match. `isRow` tells the rows of the property.
 */
export function lookUpPeriod(
  model: PageModel,
  name: Name,
  description: string,
  title: string,
  isRow: (label: string, wanted: Name) => boolean,
): LookupResult | undefined {
  if (name.words.some((word) => /\d/.test(word))) return undefined;
  const said = [...name.words, ...parseName(description).words];
  const isBefore = said.some((word) => BEFORE.has(word));
  const isNow = said.some((word) => NOW.has(word));
  if (isBefore && isNow) return undefined;
  const wanted = stripPeriod(name);
  const found: LookupResult[] = [];
  for (const grid of model.grids.slice(0, 40)) {
    if (isAside(grid.node)) continue;
    const column = chooseColumn(grid, title, isBefore, isNow);
    if (column === undefined) continue;
    for (const row of grid.rows) {
      const cell = row.cells[column];
      const label = row.cells[0]?.text ?? "";
      if (cell === undefined || !/\d/.test(cell.text) || !isRow(label, wanted)) continue;
      found.push({ cell, grid, row: row satisfies GridRow, column });
    }
  }
  return new Set(found.map(({ cell }) => cell.text)).size === 1 ? found[0] : undefined;
}

function stripPeriod(name: Name): Name {
  const words = name.words.filter(
    (word) => !BEFORE.has(word) && !NOW.has(word) && !PERIOD.has(word),
  );
  return words.length === 0 || words.length === name.words.length
    ? name
    : parseName(words.join(" "));
}

/** The column of the period that the page's title names alone, or of the one before. */
function chooseColumn(
  { headers }: Grid,
  title: string,
  isBefore: boolean,
  isNow: boolean,
): number | undefined {
  const periods: { readonly column: number; readonly year: number; readonly rest: string }[] = [];
  for (const [column, header] of headers.entries()) {
    if (column === 0) continue;
    const years = header.match(YEAR) ?? [];
    if (years.length === 1 && !OTHER.test(header))
      periods.push({ column, year: Number(years[0]), rest: header.replaceAll(YEAR, "").trim() });
    else if (!BESIDE.test(header.trim())) return undefined;
  }
  const years = periods.map(({ year }) => year);
  // One figure for each of several years.
  if (periods.length < 2 || new Set(years).size < periods.length) return undefined;
  if (new Set(periods.map(({ rest }) => rest)).size > 1) return undefined;
  const latest = Math.max(...years);
  const titled = years.filter((year) => title.includes(String(year)));
  const isLatest = isNow || (titled.length === 1 && titled[0] === latest);
  if (!isLatest && !(isBefore && titled.length === 0)) return undefined;
  const year = isBefore ? latest - 1 : latest;
  return periods.find((period) => period.year === year)?.column;
}
