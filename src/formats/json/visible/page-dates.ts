// Full dates that a page shows, which complete others without a year.
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { isAside } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";

const MAX_DATES = 200;
const MONTH_AND_YEAR = /(?<!\p{L})(\p{L}{3,14})\s(20\d\d)(?!\d)/u;

/** The middle of the month that the heading names: "Agenda maart 2026". */
function listMonths(model: PageModel): string[] {
  const { heading, order } = model;
  const [, month, year] =
    MONTH_AND_YEAR.exec(heading === undefined ? "" : model.lineOf(heading)) ?? [];
  const date = month === undefined ? undefined : parseDateText(`15 ${month} ${year}`, order);
  return date === undefined ? [] : [date.slice(0, 10)];
}

/** The ISO dates (YYYY-MM-DD) of the page outside of its side parts, in document order. */
export function listFullDates(model: PageModel): string[] {
  const dates = listMonths(model);
  for (const root of model.nodes.filter(({ parent }) => parent === -1))
    for (const piece of model.pieces(root)) {
      if (isAside(piece)) continue;
      for (const { type, unit } of model.typedValues(piece))
        if (type === "date" && unit !== undefined) dates.push(unit.slice(0, 10));
      if (dates.length >= MAX_DATES) return dates;
    }
  return dates;
}
