// The rows of a table as records: one for each row, or for each column of a turned table.
import type { Grid } from "../../../page-model/grids.ts";
import type { GridCell, GridRow } from "../../../page-model/grid-rows.ts";
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { isKnownName } from "../names/names.ts";
import { parseUnit } from "../values/measures.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { OTHER_GROUP } from "./column-words.ts";
import { readLeagueColumns, readSides } from "./league-tables.ts";
import { MIN_MONTHS, nameNormal } from "./monthly-normals.ts";
import { chooseColumn } from "./period-columns.ts";
import { VisibleScope, type NamedCell, type TableColumn } from "./visible-scope.ts";
import type { RowGroup } from "./row-group.ts";

export function buildGridGroup(model: PageModel, grid: Grid): RowGroup {
  const rows = grid.rows.filter((row, at) => !row.isFooter && !continues(grid.rows[at - 1], row));
  const leaves = findLeaves(grid);
  const isOfMatches = ["W", "L"].every((letter) => grid.headers.includes(letter));
  const heading = findTitleNode(model, grid);
  const title = grid.caption === "" ? heading : grid.caption;
  // A caption may only have the unit: "EUR million".
  const topic = UNIT_ONLY.test(title) ? heading : title;
  const pageTitle = model.heading === undefined ? "" : model.lineOf(model.heading);
  // "Segment revenue" with a column for each period: that of the page's period has the revenue.
  const current = topic === "" ? undefined : chooseColumn(grid, pageTitle, false, false);
  const league = readLeagueColumns(
    grid.headers,
    rows.map(({ cells }) => grid.headers.map((_, column) => cells[column]?.text ?? "")),
  );
  const columns = grid.headers.map((header, column): TableColumn => {
    const ofMatch = isOfMatches ? MATCH_COLUMNS[header] : undefined;
    const aliases = [
      leaves[column] ?? (column === current ? (MEASURE_BY.exec(topic)?.[1] ?? topic) : undefined),
      nameOfYear(grid, column, topic),
      ...(league.aliases.get(column) ?? []),
    ];
    return {
      name: ofMatch ?? nameColumn(grid, column, topic),
      aliases: aliases.filter((name) => name !== undefined),
      lead: readLead(grid, column),
      isNumeric: isOfNumbers(rows.map(({ cells }) => cells[column]?.text ?? "")),
    };
  });
  return {
    scopes: rows.map(({ node, cells }) =>
      VisibleScope.row(
        model,
        node,
        cells.flatMap((cell, at) => {
          const column = columns[at];
          if (cell === undefined || column === undefined) return [];
          const goals = at === league.goals ? readSides(cell.text) : undefined;
          return [
            { ...column, cell, columns },
            ...(goals ?? []).map((count, side) => ({
              name: side === 0 ? "goals for" : "goals against",
              cell: { ...cell, text: String(count) },
              isNumeric: true,
            })),
          ];
        }),
      ),
    ),
    title,
    heading,
    noun: grid.headers[0] ?? "",
    groups: rows.map(({ group }) => group),
  };
}

/**
 * "£m", "EUR million", "in thousands": the unit of a table in place of the name of its first
 * column.
 */
const UNIT_ONLY =
  /^(?:in\s)?(?:[MT](?:€|EUR|USD|SEK|NOK|DKK|CHF)|[\p{Sc}]\s?(?:m|mn|bn|k)?|(?:[A-Z]{3}\s|(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|\p{Sc})\s?)?(?:millions?|thousands?|billions?|mio\.?|mrd\.?|tsd\.?|mln|m|k)(?:\s(?:[A-Z]{3}|\p{Sc}|euros?))?)$/iu;

/**
 * The first column names its rows where its header is empty or only a unit. Another column with a
 * unit as its header has what the table's title names: "Revenue by region".
 */
function nameColumn({ headers, hasRowHeaders }: Grid, column: number, title: string): string {
  const header = headers[column] ?? "";
  const isUnit = UNIT_ONLY.test(header);
  if (column === 0) {
    const isNames = hasRowHeaders ? header === "" || isUnit : isUnit && hasMeasures(headers);
    return isNames || STUB.test(header) ? "name" : header;
  }
  // Two columns without a header are labels with their values.
  if (column === 1 && header === "" && headers.length === 2 && headers[0] === "") return "value";
  const units = headers.filter((each) => UNIT_ONLY.test(each)).length;
  const [, measure] = MEASURE_BY.exec(title) ?? [];
  return isUnit && units === 1 && measure !== undefined ? measure : header;
}

/** What statistical offices write over the first column, whose texts name the rows. */
const STUB = /^(?:wyszczególnienie|gliederung|gliederungsmerkmal|aufgliederung)$/iu;

/**
 * True for columns of several measures, as those of segments; an income statement has periods
 * alone.
 */
const hasMeasures = (headers: readonly string[]): boolean =>
  new Set(
    headers
      .slice(1)
      .map((header) =>
        header.replaceAll(/(?<![\p{L}\d])[HQT]?\d+[HQT]?(?![\p{L}\d])/giu, "").trim(),
      )
      .filter((text) => /\p{L}{3}/u.test(text)),
  ).size > 1;

/**
 * The first cell of a row whose other cells are numbers. Its column must have no name, a unit, or a
 * name that is not known to mean something else: a month, a team or a size names no city.
 */
export function findNameCell(cells: readonly NamedCell[]): GridCell | undefined {
  const [first, ...others] = cells;
  if (first === undefined || !/\p{L}{2}/u.test(first.cell.text)) return undefined;
  const isUnnamed = first.name === "" || first.name === "name" || UNIT_ONLY.test(first.name);
  if (!isUnnamed && isKnownName(first.name)) return undefined;
  const numbers = others.filter(({ cell }) => /\d/.test(cell.text));
  const isRest = others.every(({ cell: { text } }) => /\d/.test(text) || !/\p{L}/u.test(text));
  return isRest && numbers.length >= MIN_NUMBERS ? first.cell : undefined;
}

/** Minimum numbers beside the name of a row. */
const MIN_NUMBERS = 2;

/** "Population 2023" for the column of that year below "Population on 1 January by region". */
function nameOfYear({ headers, heads }: Grid, column: number, topic: string): string | undefined {
  const header = headers[column] ?? "";
  const leaf = heads[column]?.text ?? "";
  // A header over the years names what they have: "Population on 1 January" over "2023".
  const isBelow = leaf !== "" && leaf !== header && header.endsWith(leaf);
  const [, year] = /^((?:19|20)\d\d)\s?[a-z*]?$/.exec(isBelow ? leaf : header) ?? [];
  const [, measure] = MEASURE_OF.exec(isBelow ? header.slice(0, -leaf.length).trim() : topic) ?? [];
  return year === undefined || measure === undefined ? undefined : `${measure} ${year}`;
}

/** The first one or two words of "Population on 1 January by region, 2022–2025". */
const MEASURE_OF =
  /^(\p{L}+(?:\s\p{L}+)?)(?=[,:(]|\s(?:by|on|at|in|per|of|nach|am|zum|je|par|au|en|por|a|al|per|naar|op|na|dnia)\s|$)/iu;

/** "Revenue by region", "Umsatz nach Regionen". */
const MEASURE_BY = /^(.{3,40}?)\s(?:by|per|nach|je|par|por|per|pro|naar|efter|wg)\s/iu;

/** Columns of a league table, which are named by one letter. */
const MATCH_COLUMNS: Readonly<Record<string, string>> = {
  P: "Played",
  W: "Won",
  D: "Drawn",
  L: "Lost",
};

/** The part of a column's name that is not in its own header. */
function readLead({ headers, heads }: Grid, column: number): string {
  const [header = "", leaf = ""] = [headers[column], heads[column]?.text];
  return leaf !== "" && header.endsWith(leaf) ? header.slice(0, -leaf.length) : "";
}

/** The names of columns below a shared header that are unique: "Won" below "Games". */
function findLeaves(grid: Grid): readonly (string | undefined)[] {
  const texts = grid.headers.map((_, column) => grid.heads[column]?.text ?? "");
  return texts.map((leaf, column) => {
    const group = readLead(grid, column);
    if (leaf === "" || group === "") return undefined;
    const isUnique = texts.filter((text) => text === leaf).length === 1;
    return isUnique && !OTHER_GROUP.test(group) ? leaf : undefined;
  });
}

/**
 * A second row of one record: its first cell reaches down from the row above, and the next one
 * crosses several columns. Merged cells further right are two equal values of a record.
 */
function continues(above: GridRow | undefined, { cells }: GridRow): boolean {
  const [first, ...rest] = cells;
  if (above === undefined || first === undefined || above.cells[0]?.node !== first.node)
    return false;
  const [next, second] = rest;
  return next !== undefined && next.node === second?.node;
}

/** A year, quarter, half-year or month with its year, also after words such as "Year ended". */
const PERIOD =
  /^(?:[\p{L}.]+\s){0,3}(?:(?:FY|Q[1-4]|H[12]|[1-4]Q|T[1-4]|K[1-4]|[369]M)\s?[’'/-]?\s?)?(?:\d{1,2}\.?\s\p{L}{3,10}\s|\p{L}{3,10}\.?\s|\d{1,2}[./]\d{1,2}[./])?(?:19|20)\d\d(?:[/–-]\d{2,4})?$|^(?:FY|Q[1-4]|H[12]|[1-4]Q)\s?[’'-]?\d{2}$/iu;

/**
 * Columns as records, for tables whose first column names the fields: comparisons of models or
 * plans.
 */
export function buildTurnedGroup(model: PageModel, grid: Grid): RowGroup[] {
  const width = grid.headers.length;
  const rows = grid.rows.filter(({ cells }) => cells[0] !== undefined && cells[0].text !== "");
  if (width < 3 || rows.length < 2) return [];
  // "Change" behind each period is no name of a record.
  const names = grid.heads.slice(1).map((head) => head?.text ?? "");
  if (new Set(names).size < names.filter((name) => name !== "").length) return [];
  const isMonth = (text: string): boolean =>
    /^\p{L}{3,12}\.?$/u.test(text) && parseDateText(`15 ${text} 2024`, model.order) !== undefined;
  const periods = names.filter((text) => PERIOD.test(text) || isMonth(text)).length;
  const isOfPeriods = periods * 2 > width - 1;
  const months = names.filter(isMonth).length;
  const unit = findUnitColumn(grid);
  const columns = Array.from({ length: width - 1 }, (_, at) => at + 1).filter(
    (column) =>
      column !== unit &&
      // "Year" behind the months sums them up.
      (months < MIN_MONTHS || isMonth(names[column - 1] ?? "")),
  );
  const fields = rows.map(({ cells: row, group }): TableColumn => {
    const label = row[0]?.text ?? "";
    const written = unit === undefined ? "" : (row[unit]?.text ?? "");
    const isUnit = /\p{L}|[%°]/u.test(written) && !NO_UNIT.test(written.trim());
    return {
      name: isUnit ? `${label} (${written})` : label,
      ...(months < MIN_MONTHS ? {} : { aliases: nameNormal(label, group) }),
      isNumeric: isOfNumbers(columns.map((column) => row[column]?.text ?? "")),
    };
  });
  const scopes = columns.map((column) => {
    const cells = rows.flatMap(({ cells: row }, at) => {
      const [cell, field] = [row[column], fields[at]];
      return cell === undefined || field === undefined ? [] : [{ ...field, cell, columns: fields }];
    });
    const head = grid.heads[column];
    if (head === undefined) return VisibleScope.row(model, grid.node, cells);
    const title = withoutBadge(model, withFirstLine(model, head));
    const [year] = isOfPeriods ? (/(?:19|20)\d\d/.exec(title.text) ?? []) : [];
    return VisibleScope.row(model, grid.node, [
      {
        name: isOfPeriods ? "period" : "name",
        ...(isMonth(title.text) ? { aliases: ["month"] } : {}),
        isNumeric: false,
        cell: title,
      },
      ...(year === undefined ? [] : [{ name: "year", cell: { ...title, text: year } }]),
      ...cells,
    ]);
  });
  const title = findTitleNode(model, grid);
  return [{ scopes, title, isOfPeriods, groups: scopes.map(() => "") }];
}

const NAMED: ReadonlySet<string> = new Set(["a", "h2", "h3", "h4", "h5", "strong", "b"]);
const MAX_BADGE = 40;

/** "Our choice" in an element before the link with the name of a product is a badge. */
function withoutBadge(model: PageModel, head: GridCell): GridCell {
  const { node } = head;
  const [named, other] = model
    .below(node)
    .filter(({ element, from, to }) => NAMED.has(element.name) && to > from);
  if (named === undefined || other !== undefined || named.to < node.to) return head;
  const name = model.lineOf(named);
  const rest = model.text.slice(node.from, named.from).trim();
  const isElement = model
    .below(node)
    .some(({ from, to }) => to <= named.from && model.text.slice(from, to).trim() === rest);
  const isBadge = isElement && rest.length <= MAX_BADGE && !/[\d(%]/.test(rest);
  return /\p{L}{3}/u.test(name) && rest !== "" && isBadge ? { ...head, text: name } : head;
}

/** The second column of a data sheet, if it has the units of the rows. */
function findUnitColumn({ headers, rows }: Grid): number | undefined {
  if (headers.length < 3) return undefined;
  const header = (headers[1] ?? "").trim();
  if (UNIT_HEADER.test(header)) return 1;
  const texts = rows
    .map(({ cells }) => cells[1]?.text.trim() ?? "")
    .filter((text) => text !== "" && !NO_UNIT.test(text));
  const known = texts.filter((text) => isUnitText(text) && !MAY_BE_CODE.test(text));
  const isLong = known.some((text) => text.length >= MIN_LONG_UNIT);
  return known.length >= MIN_UNITS &&
    new Set(known).size >= MIN_DIFFERENT_UNITS &&
    isLong &&
    known.length >= texts.length * 0.8
    ? 1
    : undefined;
}

/** Units in a column without a header that names them; one must be longer than a letter. */
const MIN_UNITS = 3;
const MIN_DIFFERENT_UNITS = 2;
const MIN_LONG_UNIT = 2;
/** Placeholders for a missing unit. */
const NO_UNIT = /^(?:[–—-]|n\/?a\.?|k\.\s?a\.)$/iu;
/** Grades, sizes and states are capital letters, too: "A" is no ampere, "PA" no pascal. */
const MAY_BE_CODE = /^(?:\p{Lu}|(?![KMGT]B$)[A-Z]{2})$/u;

/** Share of the cells of a column, without empty ones and dashes, that are numbers. */
const MIN_NUMERIC = 0.8;
const IS_NUMBER = /^[^\p{L}]{0,3}\d[\d.,\s'’]*(?:\s?[\p{L}%°/²³]{1,6})?$/u;

function isOfNumbers(texts: readonly string[]): boolean {
  const given = texts
    .map((text) => text.trim())
    .filter((text) => text !== "" && !NO_UNIT.test(text));
  const numbers = given.filter((text) => IS_NUMBER.test(text));
  return numbers.length > 0 && numbers.length >= given.length * MIN_NUMERIC;
}

const isUnitText = (text: string): boolean =>
  text.length <= 12 &&
  (parseUnit(text) !== undefined || /^(?:[%°]|[A-Za-zµ]{1,3}(?:[/·(][\w)²³/]{1,6})+)$/.test(text));

const UNIT_HEADER =
  /^(?:units?|einheit|unité|unidad(?:es)?|unità|u\.\s?m\.?|unidade|eenheid|jednostka|jedn\.|j\.\s?m\.|enhet|enhed|jednotka|単位|单位|單位|단위|ед\.?\s?изм\.?)$/iu;

/** A header with more than the name, such as a price below it. */
const withFirstLine = (model: PageModel, head: GridCell): GridCell => {
  const [line = ""] = model.textOf(head.node).split("\n", 1);
  return line === "" ? head : { ...head, text: line };
};

function findTitleNode(model: PageModel, { node }: Grid): string {
  let title = "";
  for (const section of model.sections) {
    if (section.start > node.index) break;
    if (node.index < section.end) ({ title } = section);
  }
  return title;
}
