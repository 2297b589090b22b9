// Columns of the period that a property names: `revenue_h1_2024` is the row "Umsatz" in the column
// "H1 2024", `ebit_2025` of a segment is its cell below "EBIT 2025", `orders_change_pct` is the
// column "Change".
import { isAside } from "../../../page-model/node.ts";
import type { Grid } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import type { LookupResult } from "./grid-look-up.ts";
import type { WantedProperty } from "./label-match.ts";
import { findLength, OTHER_FIGURE } from "./period-columns.ts";
import { readPeriod, type NamedPeriod } from "./read-period.ts";

const MAX_GRIDS = 40;
/** Parts of years in words, and sums up to a month: "9M 2025", "LTM June 2025", "jan–sep 2025". */
const SPAN =
  /(?<![\p{L}\d])(?:\d{1,2}[mt]|ltm|ttm|ytd|mtd|(?<!\d\.?\s)(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\p{L}*\.?)(?![\p{L}\d])/iu;

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

/** The property without the period that its name has, and a test for columns of that period. */
export type PeriodQuestion = {
  readonly asked: WantedProperty;
  /** The name of a column without its period; undefined for a column of another period. */
  readMeasure(column: string): string | undefined;
};

/** Undefined for a property whose name has no period, or nothing else. */
export function toPeriodQuestion(wanted: WantedProperty): PeriodQuestion | undefined {
  const period = wanted.isNumber ? readAsked(wanted.base, "") : undefined;
  if (period === undefined || period.base.words.length === 0) return undefined;
  return {
    asked: { ...wanted, name: period.base, base: period.base },
    readMeasure(text) {
      const column = readPeriod(text);
      if (column === undefined) return YEAR_IN.test(text) ? undefined : text;
      const isOther = !isOfPeriod(column, period) || namesOtherFigure(text, wanted.name, "");
      return isOther ? undefined : column.measure;
    },
  };
}

const YEAR_IN = /(?<!\d)(?:19|20)\d\d(?!\d)/;

/**
 * True for a column of another period than a property's, or of another figure: "H1 2025" and "Budget
 * 2025" for `revenue_2025`, also where only the title of the table names the half-year.
 */
export function isOtherFigure(
  model: PageModel,
  { grid, column, cell }: LookupResult,
  name: Name,
  description: string,
): boolean {
  const header = grid.headers[column] ?? "";
  if (namesOtherFigure(header, name, description) || lacksPercent(name, header, cell.text))
    return true;
  const asked = readAsked(name, description);
  if (asked === undefined) return false;
  if (YEAR_IN.test(header)) {
    const period = readPeriod(header);
    // "Three months ended 30 June 2025" may be the second quarter.
    const isUnknown = asked.part !== undefined && period?.part === undefined;
    if (period?.year !== asked.year || (!isUnknown && period.part !== asked.part)) return true;
    const isNamed = findLength(`${name.key} ${description}`) !== undefined;
    if (asked.part !== undefined || isNamed) return false;
    return isPartOfYear(header) || (period.measure === "" && isPartOfYear(readTitle(model, grid)));
  }
  return false;
}

/** True for a plan or a change in place of the figure, which neither name nor description asks for. */
function namesOtherFigure(header: string, name: Name, description: string): boolean {
  const said = `${name.key} ${description}`.toLowerCase();
  const figures = isChange(name) ? [OTHER_FIGURE] : [OTHER_FIGURE, CHANGE];
  return figures.some((pattern) => {
    const [figure = ""] = pattern.exec(header) ?? [];
    return figure !== "" && !said.includes(figure.toLowerCase());
  });
}

const isPartOfYear = (text: string): boolean => {
  const length = findLength(text);
  return length === undefined ? SPAN.test(text) : length !== "year";
};

/** The caption of a table, else the heading above it. */
const readTitle = (model: PageModel, { node, caption }: Grid): string =>
  caption !== ""
    ? caption
    : (model.sections.findLast(({ start, end }) => start <= node.index && node.index < end)
        ?.title ?? "");

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
    ({ headers }, column) => {
      const period = readPeriod(headers[column] ?? "");
      return isOfPeriod(period, asked) && period.measure === "";
    },
    (label) => isRow(label, asked.base),
  );
}

const CHANGE_WORD =
  /^(?:change|growth|delta|variation|increase|yoy|veranderung|wachstum|evolution|variacion|variazione|forandring)$/;
const IN_PERCENT = /^(?:pct|percent|percentage|procent|prozent|yoy|rate)$/;
const CHANGE =
  /(?<!\p{L})(?:change|chg|growth|variation|évolution|veränderung|variación|variazione|variação|wijziging|zmiana|förändring|förändr\.?|ændring|endring|změna|yoy)(?!\p{L})/iu;
const CHANGE_COLUMN =
  /^(?:(?:year[- ]on[- ]year |y\/y |yoy )?(?:change|chg\.?|growth|variation|évolution|veränderung|variación|variazione|variação|wijziging|zmiana|förändring|förändr\.?|ændring|endring|změna)|yoy|y\/y|[+−-]\/[−+-]|±|Δ)(?:\s?(?:in\s)?\(?[%％]\)?)?$|^[%％]\s?(?:change|chg\.?)$|^[Δ±]\s?[%％]$/iu;

/** Points of a percentage and limits: "0.7 %-pts", "> 100 %". */
const NO_PERCENTAGE =
  /[<>≤≥]|[%％]\s?-?\s?p|(?<!\p{L})(?:pp|p\.p|bps?|pts?|points?|punkte?)(?!\p{L})/iu;

const isChange = ({ words }: Name): boolean => words.some((word) => CHANGE_WORD.test(word));
const isInPercent = ({ words }: Name): boolean => words.some((word) => IN_PERCENT.test(word));

/** True for a change in percent whose cell has an amount, points or a limit. */
export const lacksPercent = (name: Name, header: string, text: string): boolean =>
  isChange(name) &&
  isInPercent(name) &&
  (!/[%％]/.test(`${text} ${header}`) || NO_PERCENTAGE.test(text));

/**
 * The percentage in the column for the change of the row that a property names. Of several such columns,
 * the one behind the periods that name or description have.
 */
export function lookUpChange(
  model: PageModel,
  name: Name,
  description: string,
  isRow: (label: string, base: Name) => boolean,
): LookupResult | undefined {
  if (!isChange(name) || !isInPercent(name)) return undefined;
  const words = name.words.filter(
    (word) => !CHANGE_WORD.test(word) && !IN_PERCENT.test(word) && !PART_WORD.test(word),
  );
  if (words.length === 0) return undefined;
  const base = parseName(words.join(" "));
  const part = name.words.find((word) => PART_WORD.test(word)) ?? readPeriod(description)?.part;
  const found = lookUp(
    model,
    (grid, column) => isChangeColumn(grid, column) && isBehindPart(grid, column, part),
    (label) => isRow(label, base),
  );
  const header = found?.grid.headers[found.column] ?? "";
  return found === undefined || lacksPercent(name, header, found.cell.text) ? undefined : found;
}

const PART_WORD = /^(?:[hq][1-4]|9m)$/;

function isChangeColumn({ headers }: Grid, column: number): boolean {
  const header = headers[column]?.trim() ?? "";
  if (CHANGE_COLUMN.test(header)) return true;
  // A share of something beside a single year.
  return /^[%％]$/.test(header) && headers.filter((each) => readPeriod(each)).length > 1;
}

/** True if the columns before one are of a part of the year; any will do for undefined. */
function isBehindPart({ headers }: Grid, column: number, part: string | undefined): boolean {
  if (part === undefined) return true;
  const before = headers
    .slice(0, column)
    .map(readPeriod)
    .findLast((each) => each !== undefined);
  return before === undefined || before.part === part;
}

/** The value of all cells in such a row and such a column; undefined if there are several. */
function lookUp(
  model: PageModel,
  isColumn: (grid: Grid, column: number) => boolean,
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
  isColumn: (grid: Grid, column: number) => boolean,
  isRow: (label: string) => boolean,
): LookupResult[] {
  const columns = grid.headers.flatMap((_, at) => (at > 0 && isColumn(grid, at) ? [at] : []));
  const [column, other] = columns;
  if (column === undefined || other !== undefined) return [];
  return grid.rows.flatMap((row) => {
    const cell = row.cells[column];
    const isFound = cell !== undefined && /\d/.test(cell.text) && isRow(row.cells[0]?.text ?? "");
    return isFound ? [{ cell, grid, row, column }] : [];
  });
}
