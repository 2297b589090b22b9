// Chooses the cell of a row in a table with a column for each year: by the year that the property's
// description names, or as the latest year and the one before it.
import { parseName } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import { BEFORE, NOW, PERIOD } from "./period-columns.ts";
import type { NamedCell } from "./visible-scope.ts";

/** A column of a year, with the property without the words for the year. */
export type YearCell = NamedCell & { readonly asked: WantedProperty };

const FIGURE = parseName("figure");
const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;

/**
 * The cell of the year that a number asks for; undefined if the table has no such columns, or columns of several
 * measures. `isMeasure` tells whether a column's name is the rest of the property's: `revenue` in
 * `prior_year_revenue`.
 */
export function findYearCell(
  wanted: WantedProperty,
  description: string,
  cells: readonly NamedCell[],
  isMeasure: (wanted: WantedProperty, column: NamedCell) => boolean,
): YearCell | undefined {
  if (!wanted.isNumber || wanted.bound !== undefined) return undefined;
  const columns = cells.flatMap((cell) => {
    const years = cell.name.match(YEAR) ?? [];
    const rest = cell.name.replaceAll(YEAR, "").trim();
    return years.length === 1 ? [{ cell, year: Number(years[0]), rest }] : [];
  });
  if (columns.length < 2 || new Set(columns.map(({ rest }) => rest)).size > 1) return undefined;
  if (new Set(columns.map(({ year }) => year)).size < columns.length) return undefined;
  const { words } = wanted.base;
  const rest = words.filter(
    (word) => !BEFORE.has(word) && !NOW.has(word) && !PERIOD.has(word) && !/^\d{4}$/.test(word),
  );
  const measure = parseName(rest.join(" "));
  const asked = { ...wanted, name: measure, base: measure };
  if (rest.length > 0 && !columns.some(({ cell }) => isMeasure(asked, cell))) return undefined;
  const year = chooseYear(
    words,
    description,
    columns.map((column) => column.year),
  );
  const found = columns.find((column) => column.year === year);
  if (found === undefined) return undefined;
  const amount = rest.length > 0 ? asked : { ...asked, name: FIGURE, base: FIGURE };
  return { ...found.cell, asked: amount };
}

function chooseYear(
  words: readonly string[],
  description: string,
  years: readonly number[],
): number | undefined {
  const named = [...new Set(description.match(YEAR) ?? [])].map(Number);
  const [only, other] = named.filter((year) => years.includes(year));
  if (only !== undefined) return other === undefined ? only : undefined;
  const isBefore = words.some((word) => BEFORE.has(word));
  const isNow = words.some((word) => NOW.has(word));
  // Of more than two years, "previous" may be any.
  if (isBefore === isNow || named.length > 0 || years.length > 2) return undefined;
  if (Math.max(...years) - Math.min(...years) !== 1) return undefined;
  return isBefore ? Math.min(...years) : Math.max(...years);
}
