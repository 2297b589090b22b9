// Columns of the period that a property names: `revenue_h1_2024` is the row "Umsatz" in the column
// "H1 2024", `ebit_2025` of a segment is its cell below "EBIT 2025".
import type { Grid } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import { lookUpInColumn, type LookupResult } from "./grid-look-up.ts";
import type { WantedProperty } from "./label-match.ts";
import { findLength, OTHER_FIGURE, stripPeriod } from "./period-columns.ts";
import { CHANGE, isChange, lacksPercent } from "./percent-changes.ts";
import { MONTHS, readPeriod, type NamedPeriod } from "./read-period.ts";

/**
 * Sums up to a month, and months alone: "9M 2025", "LTM June 2025"; "31 December 2025" is a day.
 */
const SPAN = new RegExp(
  String.raw`(?<![\p{L}\d])(?:\d{1,2}[mt]|ltm|ttm|ytd|mtd|(?<!\d\.?\s)(?:${MONTHS})\.?(?!\s\d{1,2}(?!\d)))(?![\p{L}\d])`,
  "iu",
);

/**
 * The period of the property's name, else the only one of its description, and the rest of the
 * name.
 */
function readAsked(
  name: Name,
  description: string,
): (NamedPeriod & { readonly base: Name }) | undefined {
  const own = readPeriod(name.words.join(" ").replaceAll(/\bfy(?=\d{4}\b)/g, ""));
  if (own !== undefined) return { ...own, base: parseName(own.measure) };
  const described = /\d/.test(name.key) ? undefined : readPeriod(description);
  return described === undefined ? undefined : { ...described, base: stripPeriod(name) };
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
  const [ofPage, ...titles] = listTitles(model, grid);
  // On a page about a budget, its figures are plans.
  if (
    !PLAN.test(ofPage) &&
    titles.some((title) => PLAN.test(title) && namesOtherFigure(title, name, description))
  )
    return true;
  const asked = readAsked(name, description);
  if (asked === undefined || !YEAR_IN.test(header)) return false;
  const period = readPeriod(header);
  // "Three months ended 30 June 2025" may be the second quarter.
  const isUnknown = asked.part !== undefined && period?.part === undefined;
  if (period?.year !== asked.year || (!isUnknown && period.part !== asked.part)) return true;
  const measures = new Set(
    grid.headers.map((each) => (CHANGE.test(each) ? undefined : readPeriod(each)?.measure)),
  );
  measures.delete(undefined);
  if (measures.size > 1 && hasOtherWords(period.measure, name, description)) return true;
  const isNamed = findLength(`${name.key} ${description}`) !== undefined;
  if (asked.part !== undefined || isNamed) return false;
  return isPartOfYear(header) || (period.measure === "" && [ofPage, ...titles].some(isPartOfYear));
}

/** Headings of plans: "Budget", "Outlook 2026". */
const PLAN =
  /^\s*(?:budget|forecast|guidance|outlook|plan|prognose|ausblick|prévisions?|presupuesto|previsione|prognos)(?!\p{L})/iu;

/**
 * Words of a header beside its period that say nothing of another figure: "31 December", "audited".
 */
const NEUTRAL = new RegExp(
  String.raw`^(?:\d{1,2}|${MONTHS}|the|to|as|at|of|on|in|per|am|zum|au|al|year|months?|three|six|nine|twelve|ended|ending|audited|unaudited|actual|ist|reported|total|eur|usd|gbp|chf|sek|nok|dkk|pln|msek|meur|m|mn|mio|million|millions|thousand|thousands|restated)$`,
  "iu",
);

/** "Rank", "Share", "Projected" or "E" beside the year, which neither name nor description has. */
function hasOtherWords(measure: string, name: Name, description: string): boolean {
  const said = new Set([...name.words, ...parseName(description).words]);
  const words = measure.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some(
    (word) => !NEUTRAL.test(word) && !parseName(word).words.every((each) => said.has(each)),
  );
}

/**
 * True for a plan or a change in place of the figure, which neither name nor description asks for.
 */
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

/** The heading of the page, the caption of a table and the headings around it. */
const listTitles = (
  model: PageModel,
  { node, caption }: Grid,
): readonly [ofPage: string, ...string[]] => [
  model.heading === undefined ? "" : model.lineOf(model.heading),
  caption,
  ...model.sections
    .filter(({ start, end }) => start <= node.index && node.index < end)
    .map(({ title }) => title),
];

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
  return lookUpInColumn(
    model,
    ({ headers }, column) => {
      const period = readPeriod(headers[column] ?? "");
      return isOfPeriod(period, asked) && period.measure === "";
    },
    (label) => isRow(label, asked.base),
  );
}
