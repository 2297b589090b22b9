// Finds the visible value of one property: by a label, by a column of that name, or as the only
// value of its type. Returns none when the page shows several different values.
import { readCurrentText } from "../../../page-model/grids.ts";
import { lookUpAnnual } from "./annual-columns.ts";
import { findByClass } from "./class-labels.ts";
import { lookUpCell, type LookupResult } from "./grid-look-up.ts";
import { scoreLabelSimilarity, type WantedProperty } from "./label-match.ts";
import type { Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isOtherFigure, lookUpNamedPeriod } from "./named-periods.ts";
import { lookUpChange } from "./percent-changes.ts";
import { lookUpPeriod } from "./period-columns.ts";
import { type VisibleScope } from "./visible-scope.ts";
import { isPlainText } from "./property-kind.ts";
import { findByType } from "./values-by-type.ts";
import { findStatedAmount } from "./stated-amounts.ts";
import { findStatement } from "./statements.ts";
import { findUnlabeled } from "./unlabeled.ts";
import { type VisibleAnswer } from "./visible-value.ts";
import { scaleLeaves, readNodeLeaves } from "./value-leaves.ts";
import { findLabeledValue } from "./labeled-values.ts";

const NOTHING: VisibleAnswer = { reason: "the page shows no label or value for it" };

/**
 * Looks for a label or a column first, then for a table cell by row and column, then for the only
 * value of the type.
 */
export function findVisibleValue(
  ways: readonly WantedProperty[],
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer {
  let reason: VisibleAnswer | undefined;
  for (const wanted of ways) {
    const answer = findOne(wanted, shape, scope);
    if (answer !== undefined && "found" in answer && answer.found.leaves.length > 0) return answer;
    reason ??= answer;
  }
  return reason ?? NOTHING;
}

function findOne(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const labeled = findLabeledValue(wanted, shape, scope);
  if (labeled !== undefined && "found" in labeled && labeled.found.leaves.length > 0)
    return labeled;
  if (wanted.subunit !== undefined) return labeled;
  const crossed = findCrossing(wanted, shape, scope);
  if (crossed !== undefined) return crossed;
  const unlabeled = findByType(wanted, shape, scope) ?? findUnlabeled(wanted, shape, scope);
  if (unlabeled !== undefined && "found" in unlabeled) return unlabeled;
  const named = isPlainText(shape) ? findByClass(wanted, scope) : undefined;
  if (named !== undefined) return { found: named };
  const stated = findStatement(wanted, shape, scope) ?? findStatedAmount(wanted, shape, scope);
  return stated ?? unlabeled ?? labeled;
}

function findCrossing(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (!scope.isPage) return undefined;
  const { name, base, description } = wanted;
  const found =
    [name, base, description]
      .map(({ words }) => lookUpCell(scope.model, words))
      .find((result) => result !== undefined) ??
    // The row is the property, and the property's description names the column: `revenue`, "FY2026
    // in millions".
    lookUpCell(scope.model, base.words, new Set(description.words)) ??
    findOfPeriod(wanted, shape, scope);
  if (found === undefined || !scope.has(found.cell.node)) return undefined;
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  if (isNumber && isOtherFigure(scope.model, found, name, shape.description)) return undefined;
  const { cell } = found;
  const text = readCurrentText(scope.model, cell);
  const leaves = scaleLeaves(
    scope,
    readNodeLeaves(scope, cell.node, text, shape, wanted, "table"),
    found,
    name,
    shape,
  );
  return { found: { leaves, confidence: "high", isExact: true, node: cell.node } };
}

/**
 * A number of a table with a column for each period or for changes, by names or the page's title.
 */
function findOfPeriod(
  wanted: WantedProperty,
  shape: Shape,
  { model }: VisibleScope,
): LookupResult | undefined {
  if ((shape.kind !== "number" && shape.kind !== "integer") || wanted.bound !== undefined)
    return undefined;
  const title = model.heading === undefined ? "" : model.lineOf(model.heading);
  const isRow = (label: string, name: Name): boolean =>
    scoreLabelSimilarity({ ...wanted, name, base: name }, label) >= 0.9;
  return (
    lookUpAnnual(model, wanted, isRow) ??
    lookUpChange(model, wanted.name, shape.description, isRow) ??
    lookUpNamedPeriod(model, wanted.base, shape.description, isRow) ??
    lookUpPeriod(model, wanted.base, shape.description, title, isRow)
  );
}
