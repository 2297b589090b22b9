// Chooses the column of a month below a header with the measure: "Unemployment rate" over "October
// 2026", "September 2026" and "October 2025".
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { parseName } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import type { VisibleScope } from "./visible-scope.ts";
import type { YearCell } from "./year-columns.ts";

const BEFORE = /^(?:prev|previous|prior|last|preceding|ago|before|earlier)$/;
const ROMAN = "I II III IV V VI VII VIII IX X XI XII".split(" ");
const MONTHS_A_YEAR = 12;

/**
 * The cell of the month that a number asks for: of the latest one where the description or the
 * page's title names it, of the month before for `rate_prev_month`, of the same month a year before
 * for `rate_year_ago`. Undefined if the table has no such columns. `isMeasure` tells whether a
 * header is the rest of the property's name.
 */
export function findMonthCell(
  wanted: WantedProperty,
  description: string,
  { cells, model }: Pick<VisibleScope, "cells" | "model">,
  isMeasure: (wanted: WantedProperty, header: string) => boolean,
): YearCell | undefined {
  if (!wanted.isNumber || wanted.bound !== undefined) return undefined;
  const { words } = wanted.name;
  const isBefore = words.some((word) => BEFORE.test(word));
  const [ofMonth, ofYear] = [words.includes("month"), words.includes("year")];
  if (isBefore ? ofMonth === ofYear : ofMonth || ofYear) return undefined;
  const rest = words.filter((word) => !BEFORE.test(word) && word !== "month" && word !== "year");
  const measure = parseName(rest.join(" "));
  if (rest.length === 0) return undefined;
  // `rate_prev_month` is no duration.
  const asked = { ...wanted, name: measure, base: measure, isInTimeUnit: false };
  const columns = cells.flatMap((cell) => {
    const { name, lead = "" } = cell;
    const month = lead === "" ? undefined : readMonth(name.slice(lead.length).trim());
    return month === undefined || !isMeasure(asked, lead.trim()) ? [] : [{ cell, month }];
  });
  if (new Set(columns.map(({ cell: { lead } }) => lead)).size !== 1 || columns.length < 2)
    return undefined;
  const latest = Math.max(...columns.map(({ month }) => month));
  const title = model.heading === undefined ? "" : model.lineOf(model.heading);
  if (!isBefore && !listMonths(`${title} ${description}`).includes(latest)) return undefined;
  const month = isBefore ? latest - (ofMonth ? 1 : MONTHS_A_YEAR) : latest;
  const [found, other] = columns.filter((column) => column.month === month);
  return found === undefined || other !== undefined ? undefined : { ...found.cell, asked };
}

/** Months since the year 0: "October 2026", "Okt. 2026", "10/2026", "X 2026". */
function readMonth(text: string): number | undefined {
  const [, written = "", year = ""] =
    /^(\p{L}{1,12}\.?|\d{1,2}(?=[./-]))[\s./-]+(\d{4})$/u.exec(text) ?? [];
  if (year === "") return undefined;
  if (/^\d+$/.test(written)) return toMonths(Number(written), year);
  const roman = ROMAN.indexOf(written);
  if (roman !== -1) return toMonths(roman + 1, year);
  const date = parseDateText(`1 ${written.replace(/\.$/, "")} ${year}`);
  return date === undefined ? undefined : toMonths(Number(date.slice(5, 7)), year);
}

const toMonths = (month: number, year: string): number | undefined =>
  month >= 1 && month <= MONTHS_A_YEAR ? Number(year) * MONTHS_A_YEAR + month : undefined;

const listMonths = (text: string): readonly (number | undefined)[] =>
  [...text.matchAll(/(?<!\p{L})\p{L}{3,12}\.?\s(?:19|20)\d\d(?!\d)/gu)].map(([month]) =>
    readMonth(month),
  );
