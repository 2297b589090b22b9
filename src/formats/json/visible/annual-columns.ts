// Figures of the year in tables with a column for each month: `annual_rainfall_mm` is the row
// "Rainfall (mm)" in the column "Year".
import { parseDateText } from "../../../html/metadata/date-text.ts";
import { isAside } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { parseName, type Name } from "../names/names.ts";
import { readAmount } from "../values/measures.ts";
import type { LookupResult } from "./grid-look-up.ts";
import type { WantedProperty } from "./label-match.ts";
import { MIN_MONTHS, nameNormal } from "./monthly-normals.ts";
import { findUnitInLabel } from "./value-leaves.ts";

const ANNUAL = /^(?:annual|annually|yearly)$/;
const YEAR_COLUMN =
  /^(?:(?:the )?year|annual|yearly|jahr|gesamtjahr|année|an|annuel|année entière|año|anual|anno|annuale|ano|jaar|rok|år|året|год|年)(?:\s(?:total|mean|average|summe|mittel))?$/iu;

/** The only cell of the year in the first such table; undefined if several rows match. */
export function lookUpAnnual(
  model: PageModel,
  { name, base, unit, isInTimeUnit }: WantedProperty,
  isRow: (label: string, wanted: Name) => boolean,
): LookupResult | undefined {
  // `annual_rain_days` are days, no amount of rain.
  const { words } = isInTimeUnit ? name : base;
  const rest = words.filter((word) => !ANNUAL.test(word));
  if (rest.length === 0 || rest.length === words.length) return undefined;
  const wanted = parseName(rest.join(" "));
  // Later tables have the normals of an earlier period or of another station.
  const grid = model.grids
    .slice(0, MAX_GRIDS)
    .find(
      ({ node, headers }) =>
        !isAside(node) && headers.filter((header) => isMonth(model, header)).length >= MIN_MONTHS,
    );
  if (grid === undefined) return undefined;
  const [column, other] = [...grid.headers.keys()].filter((at) =>
    YEAR_COLUMN.test((grid.headers[at] ?? "").trim()),
  );
  if (column === undefined || other !== undefined) return undefined;
  const found = grid.rows.flatMap((row): LookupResult[] => {
    const cell = row.cells[column];
    const label = row.cells[0]?.text ?? "";
    if (cell === undefined || !/\d/.test(cell.text)) return [];
    if (![label, ...nameNormal(label, row.group)].some((each) => isRow(each, wanted))) return [];
    const written = `${cell.text} ${findUnitInLabel(label)}`;
    const isInUnit = unit === undefined || readAmount(written, unit, false) !== undefined;
    return isInUnit ? [{ cell, grid, row, column }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

const MAX_GRIDS = 40;

const isMonth = (model: PageModel, text: string): boolean =>
  /^\p{L}{3,12}\.?$/u.test(text) && parseDateText(`15 ${text} 2024`, model.order) !== undefined;
