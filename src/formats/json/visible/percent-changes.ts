// Changes in percent: `orders_change_pct` is the row "Orders" in the column "Change".
import type { Grid } from "../../../page-model/grids.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseNumber, toSigned } from "../../../page-model/parse-number.ts";
import { parseName, type Name } from "../names/names.ts";
import { lookUpInColumn, type LookupResult } from "./grid-look-up.ts";
import { readPeriod } from "./read-period.ts";

const CHANGE_WORD =
  /^(?:change|growth|delta|variation|increase|yoy|veranderung|wachstum|evolution|variacion|variazione|forandring)$/;
const IN_PERCENT = /^(?:pct|percent|percentage|procent|prozent|yoy|rate)$/;
export const CHANGE =
  /(?<!\p{L})(?:change|chg|growth|variation|évolution|veränderung|variación|variazione|variação|wijziging|zmiana|förändring|förändr\.?|ændring|endring|změna|yoy)(?!\p{L})/iu;
const CHANGE_COLUMN =
  /^(?:(?:year[- ]on[- ]year |y\/y |yoy )?(?:change|chg\.?|growth|variation|évolution|veränderung|variación|variazione|variação|wijziging|zmiana|förändring|förändr\.?|ændring|endring|změna)|yoy|y\/y|[+−-]\/[−+-]|±|Δ)(?:\s?(?:in\s)?\(?[%％]\)?)?$|^[%％]\s?(?:change|chg\.?)$|^[Δ±]\s?[%％]$/iu;

/** Points of a percentage and limits: "0.7 %-pts", "> 100 %". */
const NO_PERCENTAGE =
  /[<>≤≥▲▼▾↑↓]|\bdown\b|[%％]\s?-?\s?p|(?<!\p{L})(?:pp|p\.p|bps?|pts?|points?|punkte?)(?!\p{L})/iu;

export const isChange = ({ words }: Name): boolean => words.some((word) => CHANGE_WORD.test(word));
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
  const found = lookUpInColumn(
    model,
    (grid, column) => isChangeColumn(grid, column) && isBehindPart(grid, column, part),
    (label) => isRow(label, base),
  );
  if (found === undefined) return undefined;
  const header = found.grid.headers[found.column] ?? "";
  const isOther = lacksPercent(name, header, found.cell.text);
  return isOther || (isBare(header) && !isComputed(found)) ? undefined : found;
}

const isBare = (header: string): boolean => /^[%％]$/.test(header.trim());

/** True if the two numbers before a percentage have that change; a share has another one. */
function isComputed({ row, column, cell }: LookupResult): boolean {
  const [before, now, change] = [row.cells[column - 1], row.cells[column - 2], cell].map((each) =>
    parseNumber(toSigned(each?.text ?? "").replace(/\s?[%％]$/u, "")),
  );
  if (before === undefined || now === undefined || change === undefined || before === 0)
    return false;
  return Math.abs(((now - before) / Math.abs(before)) * 100 - change) < MAX_ROUNDED;
}

/** Points by which a change of rounded numbers may differ. */
const MAX_ROUNDED = 2;

const PART_WORD = /^(?:[hq][1-4]|9m)$/;

function isChangeColumn({ headers }: Grid, column: number): boolean {
  const header = headers[column]?.trim() ?? "";
  return CHANGE_COLUMN.test(header) || isBare(header);
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
