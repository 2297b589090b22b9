// Columns of the period that a property names: `revenue_h1_2024` is the row "Umsatz" in the column
// "H1 2024", `ebit_2025` of a segment is its cell below "EBIT 2025", `orders_change_pct` is the
// column "Change".
import { isAside } from "../../../page-model/node.ts";
import type { Grid } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import type { LookupResult } from "./grid-look-up.ts";
import type { WantedProperty } from "./label-match.ts";
import type { NamedCell } from "./visible-scope.ts";
import type { YearCell } from "./year-columns.ts";

const MAX_GRIDS = 40;
const YEAR = /(?<!\d)(?:19|20)\d\d(?![\d/])/g;
const PART = /(?<![\p{L}\d])(?:(?:[hqt][1-4]|[1-4][hqt])(?![\p{L}\d])|fy(?![\p{L}]))/giu;
/** Words of another figure for the same period. */
const OTHER =
  /budget|plan|forecast|guidance|restated|adjusted|pro forma|target|prognose|soll|ziel/iu;

type NamedPeriod = {
  readonly year: number;
  /** "h1" or "q3"; undefined for a whole year. */
  readonly part: string | undefined;
  /** The text without the period. */
  readonly measure: string;
};

/** The only period that a text names; undefined for none or several. */
function readPeriod(text: string): NamedPeriod | undefined {
  const [year, ...years] = new Set(text.match(YEAR));
  const [part, ...parts] = new Set(text.match(PART)?.map(toPart));
  if (year === undefined || years.length > 0 || parts.length > 0) return undefined;
  const measure = text.replaceAll(YEAR, " ").replaceAll(PART, " ").replaceAll(/\s+/g, " ").trim();
  return { year: Number(year), part: part === "fy" ? undefined : part, measure };
}

/** "1H" is "h1", the French "T1" a quarter. */
function toPart(written: string): string {
  const folded = written.toLowerCase().replace("t", "q");
  return /^\d/.test(folded) ? `${folded.slice(1)}${folded.slice(0, 1)}` : folded;
}

/** The period of the property's name, else the only one of its description, and the rest of the name. */
function readAsked(
  name: Name,
  description: string,
): (NamedPeriod & { readonly base: Name }) | undefined {
  const own = readPeriod(name.words.join(" ").replaceAll(/\bfy(?=\d{4}\b)/g, ""));
  if (own !== undefined) return { ...own, base: parseName(own.measure) };
  const described = /\d/.test(name.key) ? undefined : readPeriod(description);
  return described === undefined ? undefined : { ...described, base: name };
}

const isOfPeriod = (column: NamedPeriod | undefined, asked: NamedPeriod): column is NamedPeriod =>
  column?.year === asked.year && column.part === asked.part;

/**
 * The cell of a record below the measure and period of a property's name; undefined if several are.
 * `isMeasure` tells whether a column's name without its period is that of the property without its own.
 */
export function findCellOfPeriod(
  wanted: WantedProperty,
  cells: readonly NamedCell[],
  isMeasure: (asked: WantedProperty, measure: string) => boolean,
): YearCell | undefined {
  const period = readAsked(wanted.base, "");
  if (period === undefined || period.base.words.length === 0) return undefined;
  const asked = { ...wanted, name: period.base, base: period.base };
  const [cell, other] = cells.filter((each) => {
    const column = OTHER.test(each.name) ? undefined : readPeriod(each.name);
    return isOfPeriod(column, period) && column.measure !== "" && isMeasure(asked, column.measure);
  });
  return cell === undefined || other !== undefined ? undefined : { ...cell, asked };
}

/**
 * The cell of the row and the period that a property names; undefined if no row or several values
 * match. `isRow` tells the rows of a measure.
 */
export function lookUpNamedPeriod(
  model: PageModel,
  name: Name,
  description: string,
  isRow: (label: string, base: Name) => boolean,
): LookupResult | undefined {
  const asked = readAsked(name, description);
  if (asked === undefined || asked.base.words.length === 0) return undefined;
  return lookUp(
    model,
    (header) => {
      const column = OTHER.test(header) ? undefined : readPeriod(header);
      return isOfPeriod(column, asked) && column.measure === "";
    },
    (label) => isRow(label, asked.base),
  );
}

const CHANGE_WORD =
  /^(?:change|growth|delta|variation|increase|yoy|veranderung|wachstum|evolution|variacion|variazione)$/;
const IN_PERCENT = /^(?:pct|percent|percentage|yoy|rate)$/;
const CHANGE_COLUMN =
  /^(?:(?:year[- ]on[- ]year |y\/y |yoy )?(?:change|chg\.?|growth|variation|évolution|veränderung|variación|variazione|variação|wijziging|zmiana|förändring|ændring|endring|změna)|yoy|y\/y|[+−-]\/[−+-]|±|Δ)(?:\s?(?:in\s)?\(?[%％]\)?)?$|^[%％]\s?(?:change|chg\.?)$|^[Δ±]\s?[%％]$/iu;

/** Points of a percentage and limits: "0.7 %-pts", "> 100 %". */
const NO_PERCENTAGE =
  /[<>≤≥]|[%％]\s?-?\s?p|(?<!\p{L})(?:pp|p\.p|bps?|pts?|points?|punkte?)(?!\p{L})/iu;

/** The percentage in the column for the change of the row that a property names. */
export function lookUpChange(
  model: PageModel,
  name: Name,
  isRow: (label: string, base: Name) => boolean,
): LookupResult | undefined {
  const isChange = name.words.some((word) => CHANGE_WORD.test(word));
  if (!isChange || !name.words.some((word) => IN_PERCENT.test(word))) return undefined;
  const words = name.words.filter((word) => !CHANGE_WORD.test(word) && !IN_PERCENT.test(word));
  if (words.length === 0) return undefined;
  const base = parseName(words.join(" "));
  const found = lookUp(
    model,
    (header, { headers }) =>
      CHANGE_COLUMN.test(header.trim()) ||
      // A share of something beside a single year.
      (/^[%％]$/.test(header.trim()) && headers.filter((each) => readPeriod(each)).length > 1),
    (label) => isRow(label, base),
  );
  const header = found?.grid.headers[found.column] ?? "";
  if (found === undefined || NO_PERCENTAGE.test(found.cell.text)) return undefined;
  return /[%％]/.test(`${found.cell.text} ${header}`) ? found : undefined;
}

/** The value of all cells in such a row and such a column; undefined if there are several. */
function lookUp(
  model: PageModel,
  isColumn: (header: string, grid: Grid) => boolean,
  isRow: (label: string) => boolean,
): LookupResult | undefined {
  const found = model.grids
    .filter(({ node }) => !isAside(node))
    .slice(0, MAX_GRIDS)
    .flatMap((grid) => listCells(grid, isColumn, isRow));
  return new Set(found.map(({ cell }) => cell.text)).size === 1 ? found[0] : undefined;
}

function listCells(
  grid: Grid,
  isColumn: (header: string, grid: Grid) => boolean,
  isRow: (label: string) => boolean,
): LookupResult[] {
  const columns = grid.headers.flatMap((header, at) =>
    at > 0 && isColumn(header, grid) ? [at] : [],
  );
  const [column, other] = columns;
  if (column === undefined || other !== undefined) return [];
  return grid.rows.flatMap((row) => {
    const cell = row.cells[column];
    const isFound = cell !== undefined && /\d/.test(cell.text) && isRow(row.cells[0]?.text ?? "");
    return isFound ? [{ cell, grid, row, column }] : [];
  });
}
