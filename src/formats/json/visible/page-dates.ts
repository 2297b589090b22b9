// Full dates that a page shows, which complete others without a year.
import { isAside } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";

const MAX_DATES = 200;

/** The ISO dates (YYYY-MM-DD) of the page outside of its side parts, in document order. */
export function listFullDates(model: PageModel): string[] {
  const dates: string[] = [];
  for (const root of model.nodes.filter(({ parent }) => parent === -1))
    for (const piece of model.pieces(root)) {
      if (isAside(piece)) continue;
      for (const { type, unit } of model.typedValues(piece))
        if (type === "date" && unit !== undefined) dates.push(unit.slice(0, 10));
      if (dates.length >= MAX_DATES) return dates;
    }
  return dates;
}
