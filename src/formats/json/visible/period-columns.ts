// Tables with one quantity a row and one period a column: a property without a year gets the value
// of the period that the page is about, `revenue_prior_year` that of the one before.
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { isAside } from "../../../page-model/node.ts";
import type { Grid } from "../../../page-model/grids.ts";
import type { GridRow } from "../../../page-model/grid-rows.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import type { LookupResult } from "./grid-look-up.ts";

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
/** Columns beside the periods. */
const BESIDE =
  /^(?:notes?|anhang|anm\.?|unit|einheit|unité|unidad|change|veränderung|variation|var\.?|diff\.?|[+−-]?\s?[%％]|±|Δ|yoy|[%％]\s?(?:change|chg\.?)|(?:change|chg\.?|growth)\s?(?:in\s)?[%％]|growth|y\/y)?$/i;
/** Lengths of periods, by the words of a title or header. */
const LENGTHS: readonly (readonly [length: string, words: RegExp])[] = [
  [
    "quarter",
    /three months?|3 months?|quarter|\bq[1-4]\b|\b[1-4]q\b|quartal|trimestre|kwarta|kvartal|四半期|季度|분기/i,
  ],
  [
    "half",
    /six months?|6 months?|half[- ]year|(?:first|second) half|\bh[12]\b|halbjahr|semestre|półrocz|halvår|半年|半期/i,
  ],
  [
    "nine months",
    /nine months?|9 months?|neun monate|neuf mois|nueve meses|nove mesi|negen maanden|januari[–-]september/i,
  ],
  [
    "year",
    /twelve months?|12 months?|full[- ]year|fiscal year|year|annual|geschäftsjahr|gesamtjahr|exercice|ejercicio|esercizio|boekjaar|helår/i,
  ],
];
/** Names of quarters and halves, in order. */
const QUARTERS =
  /\bq([1-4])\b|\b([1-4])q\b|\bt([1-4])\b|\b([1-4])\.\s?(?:quartal|kvartal|kwarta|kwartaal|trimestre)|第?([1-4])四半期|第([1-4])季度/i;
const ORDINALS: readonly RegExp[] = [
  /\b(?:first|1st|erste[sn]?|premier|primer|primo|primeiro|eerste|första|første) (?:quarter|quartal|trimestre|kwartaal|kvartal)/i,
  /\b(?:second|2nd|zweite[sn]?|deuxième|segundo|secondo|tweede|andra|andet) (?:quarter|quartal|trimestre|kwartaal|kvartal)/i,
  /\b(?:third|3rd|dritte[sn]?|troisième|tercer|terzo|terceiro|derde|tredje) (?:quarter|quartal|trimestre|kwartaal|kvartal)/i,
  /\b(?:fourth|4th|vierte[sn]?|quatrième|cuarto|quarto|vierde|fjärde|fjerde) (?:quarter|quartal|trimestre|kwartaal|kvartal)/i,
];
const MONTHS_ENDED = /(?:three|3) months (?:to|ended|ending) (?:\d{1,2} )?(\p{L}{3,9})/iu;

/** The number of the quarter that a text names; undefined if it names none. */
function readQuarter(text: string): number | undefined {
  const digit = QUARTERS.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (digit !== undefined) return Number(digit);
  const at = ORDINALS.findIndex((pattern) => pattern.test(text));
  return at === -1 ? undefined : at + 1;
}

/** The quarter of the calendar year in "three months ended 30 September". */
function readCalendarQuarter(text: string): number | undefined {
  const [, month = ""] = MONTHS_ENDED.exec(text) ?? [];
  const date = month === "" ? undefined : parseDateText(`1 ${month} 2024`);
  return date === undefined ? undefined : Math.ceil(Number(date.slice(5, 7)) / 3);
}

/** The half of the year that a text names; undefined if it names none. */
function readHalf(text: string): number | undefined {
  const [, digit] = /\bh([12])\b/i.exec(text) ?? [];
  if (digit !== undefined) return Number(digit);
  if (/\b(?:first|1st|erste[sn]?|1\.) (?:half|halbjahr|hj\b)/i.test(text)) return 1;
  return /\b(?:second|2nd|zweite[sn]?|2\.) (?:half|halbjahr|hj\b)/i.test(text) ? 2 : undefined;
}

/**
 * True if a header names another quarter or half than the title, or a period of another length;
 * fiscal quarters may end in any month.
 */
function isOtherPartOfYear(header: string, title: string): boolean {
  const lengths = [findLength(header), findLength(title)].filter((length) => length !== undefined);
  if (new Set(lengths).size > 1) return true;
  const quarter = readQuarter(title);
  const shown =
    readQuarter(header) ?? (/fiscal|\bFY/i.test(title) ? undefined : readCalendarQuarter(header));
  const half = readHalf(title);
  const shownHalf = readHalf(header);
  return (
    (quarter !== undefined && shown !== undefined && quarter !== shown) ||
    (half !== undefined && shownHalf !== undefined && half !== shownHalf)
  );
}

/**
 * The length of the period that a title or header names: "quarter", "half", "nine months", "year".
 */
export const findLength = (text: string): string | undefined =>
  LENGTHS.find(([, words]) => words.test(text))?.[0];

export const BEFORE: ReadonlySet<string> = new Set([
  "prior",
  "previous",
  "last",
  "comparative",
  "preceding",
]);
export const NOW: ReadonlySet<string> = new Set(["current", "latest", "newest", "reporting"]);
export const PERIOD: ReadonlySet<string> = new Set([
  "year",
  "period",
  "quarter",
  "half",
  "fiscal",
  "financial",
]);
/** Words of another figure for the same period. */
export const OTHER_FIGURE =
  /budget|(?<!\p{L})plan(?!\p{L})|forecast|guidance|outlook|consensus|estimate|restated|adjusted|organic|constant currency|pro forma|target|prognos|soll(?!\p{L})|ziel|presupuesto|prévision|preventivo|(?<!\p{L})vs\.?(?!\p{L})/iu;

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

/** The name without words such as "prior" and "year". */
export function stripPeriod(name: Name): Name {
  const words = name.words.filter(
    (word) => !BEFORE.has(word) && !NOW.has(word) && !PERIOD.has(word),
  );
  return words.length === 0 || words.length === name.words.length
    ? name
    : parseName(words.join(" "));
}

/** The column of the period that the page's title names alone, or of the one before. */
export function chooseColumn(
  { headers }: Pick<Grid, "headers">,
  title: string,
  isBefore: boolean,
  isNow: boolean,
): number | undefined {
  const all: { readonly column: number; readonly year: number; readonly rest: string }[] = [];
  for (const [column, header] of headers.entries()) {
    if (column === 0) continue;
    const years = header.match(YEAR) ?? [];
    if (years.length === 1 && !OTHER_FIGURE.test(header))
      all.push({ column, year: Number(years[0]), rest: header.replaceAll(YEAR, "").trim() });
    else if (!BESIDE.test(header.trim())) return undefined;
  }
  // Beside the quarter, reports show the months of the year so far.
  const length = findLength(title);
  const isMixed = new Set(all.map(({ rest }) => findLength(rest))).size > 1;
  const periods = isMixed ? all.filter(({ rest }) => findLength(rest) === length) : all;
  const years = periods.map(({ year }) => year);
  // One figure for each of several years.
  if (periods.length < 2 || new Set(years).size < periods.length) return undefined;
  if (new Set(periods.map(({ rest }) => rest)).size > 1) return undefined;
  if (periods.some(({ rest }) => isOtherPartOfYear(rest, title))) return undefined;
  const latest = Math.max(...years);
  const titled = years.filter((year) => title.includes(String(year)));
  const isLatest = isNow || (titled.length === 1 && titled[0] === latest);
  if (!isLatest && !(isBefore && titled.length === 0)) return undefined;
  const year = isBefore ? latest - 1 : latest;
  return periods.find((period) => period.year === year)?.column;
}
