// Finds the value of a property by its label, or by the name of its column.
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import type { Pair } from "../../../page-model/pairs.ts";
import { readCurrentText } from "../../../page-model/grids.ts";
import type { GridCell } from "../../../page-model/grid-rows.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { CONDITIONAL } from "./discounts.ts";
import type { Leaf } from "../declared/finding.ts";
import { listCompositePairs, splitCompositeCells } from "./composite-values.ts";
import { coversProperty } from "./column-words.ts";
import { findCell } from "./grid-look-up.ts";
import {
  FIRM_PAIRS,
  isNarrower,
  namesPriceOf,
  scoreLabelSimilarity,
  type WantedProperty,
} from "./label-match.ts";
import { findKnownKind, isKnown } from "../values/known-values.ts";
import { readAmount, parseUnit } from "../values/measures.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isInOtherPeriod } from "./other-periods.ts";
import type { NamedCell, TableColumn, VisibleScope } from "./visible-scope.ts";
import { isPlainText, isPriced } from "./property-kind.ts";
import { listPricedThings } from "./priced-things.ts";
import { findTitleLine } from "./title-lines.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";
import {
  scaleLeaves,
  readEndOfTimes,
  readPairLeaves,
  readNodeLeaves,
  findUnitInLabel,
} from "./value-leaves.ts";
import { isPrice, fitsProperty, NOT_GIVEN } from "./pair-fit.ts";
import { isOtherFigure, toPeriodQuestion } from "./named-periods.ts";
import { findMonthCell } from "./month-columns.ts";
import { lacksPercent } from "./percent-changes.ts";
import { findYearCell, type YearCell } from "./year-columns.ts";

/** The value of a property by its label or by the name of its column. */
export const findLabeledValue = (
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined =>
  findInColumns(wanted, shape, scope) ?? findByLabel(wanted, shape, scope);

/** Score of a label that is narrower than the property, with a value in its unit. */
function scoreInUnit(wanted: WantedProperty, label: string, value: string): number {
  const { unit } = wanted;
  if (unit === undefined || !isNarrower(wanted, label)) return 0;
  const amount = readAmount(`${value} ${findUnitInLabel(label)}`, unit, false);
  return amount === undefined ? 0 : SAME_UNIT;
}

const isInSubunit = ({ subunit }: WantedProperty, label: string, value: string): boolean =>
  subunit === undefined || subunit.test(`${label} ${value}`);

/** True below "Dividends (pence per share)" for a column that names no unit of its own. */
function isTableInSubunit(
  { subunit }: WantedProperty,
  header: string,
  node: PageNode,
  model: PageModel,
): boolean {
  if (OWN_UNIT.test(header)) return false;
  const grid = findCell(model, node)?.grid;
  if (grid === undefined) return false;
  const heading = model.sections.findLast(
    ({ start, end }) => start <= grid.node.index && grid.node.index < end,
  );
  // Both may name one: then the caption counts.
  const title = OWN_UNIT.test(grid.caption) ? grid.caption : (heading?.title ?? "");
  return subunit?.test(title) === true;
}

/** A part of a currency, a currency or a share. */
const OWN_UNIT = /\b[Pp]ence\b|\b[Cc]ents?\b|\([pc]\)|\p{Sc}|[%％]|\b[A-Z]{3}\b/u;

type ScoredCell = YearCell & { readonly score: number };

type PeriodQuestion = ReturnType<typeof toPeriodQuestion>;

/** Score of a name, without the period that the property asks for. */
function scoreName(asked: WantedProperty, text: string, question: PeriodQuestion): number {
  const measure = question === undefined ? text : question.readMeasure(text);
  return measure === undefined || measure === "" ? 0 : scoreLabelSimilarity(asked, measure);
}

/** Score of a column by its names alone. */
function scoreColumn(wanted: WantedProperty, { name, aliases = [] }: TableColumn): number {
  const question = toPeriodQuestion(wanted);
  const asked = question?.asked ?? wanted;
  return Math.max(...[name, ...aliases].map((each) => scoreName(asked, each, question)));
}

/** The columns whose names are like the property's and of its period, best first. */
function scoreColumns(wanted: WantedProperty, { cells, model }: VisibleScope): ScoredCell[] {
  const question = toPeriodQuestion(wanted);
  const asked = question?.asked ?? wanted;
  const like = (text: string): number => scoreName(asked, text, question);
  // Below bare years, any amount may be `completed_2024`, but revenue needs its name somewhere.
  const isGeneric = asked.base.concepts.size === 0 || asked.base.concepts.has("price");
  const isOfYear = ({ name, aliases = [] }: NamedCell): boolean =>
    [name, ...aliases].some((each) => question?.readMeasure(each) === "") &&
    (isGeneric || aliases.some((alias) => like(alias) >= LIKELY));
  const parts = splitCompositeCells(cells);
  // "12/15" is no number: its parts are.
  const whole = wanted.isNumber
    ? cells.filter(({ cell }) => parts.every((part) => part.cell.node !== cell.node))
    : cells;
  return [...whole, ...parts]
    .filter(
      ({ name, cell }) =>
        isInSubunit(wanted, name, cell.text) || isTableInSubunit(wanted, name, cell.node, model),
    )
    .map((named) => ({
      ...named,
      asked,
      score: Math.max(
        like(named.name),
        named.name === "name" && ROW_NAMES.has(wanted.base.key) ? NAMES_ROW : 0,
        ...(named.aliases ?? []).map(like),
        coversProperty(asked, named) ? LIKELY : 0,
        scoreInUnit(wanted, named.name, named.cell.text),
        isOfYear(named) ? LIKELY : 0,
      ),
    }))
    .filter(
      ({ score, name, cell }) =>
        score > 0 &&
        !lacksPercent(wanted.name, name, cell.text) &&
        !isCountOfNoun(wanted, name, cell, model),
    )
    .toSorted((one, other) => other.score - one.score);
}

/**
 * True for the noun of the list over a column of numbers: "Students" over "4120" counts them. The
 * first column names its rows, such as those of rooms, by numbers too.
 */
function isCountOfNoun(
  { name, base }: WantedProperty,
  header: string,
  { node, text }: GridCell,
  model: PageModel,
): boolean {
  if (!base.concepts.has("name") || /\p{L}/u.test(text)) return false;
  if (scoreSimilarity(name, parseName(header)) >= SURE) return false;
  const place = findCell(model, node);
  if (place === undefined || place.column === 0) return false;
  const written = place.grid.rows.flatMap(({ cells }) => cells[place.column]?.text ?? []);
  return written.filter((each) => /\p{L}/u.test(each)).length * 2 < written.length;
}

/**
 * Of several columns of the best name, the one with numbers for a number: "Temps" and "Temp.". All
 * rows get the same one, also those that have no cell in it.
 */
function keepFitting(
  found: readonly ScoredCell[],
  wanted: WantedProperty,
  { cells }: VisibleScope,
): readonly ScoredCell[] {
  const { isNumber } = wanted;
  const [first] = found;
  const best = found.filter(({ score }) => score === first?.score);
  const fitting = best.filter(({ isNumeric }) => isNumeric === isNumber);
  if (fitting.length === 1 || first === undefined) return best.length > 1 ? fitting : found;
  const { columns = [] } = first;
  if (best.length > 1 || cells.length >= columns.length) return found;
  const isOther = columns.some(
    (column) => column.isNumeric === isNumber && scoreColumn(wanted, column) >= first.score,
  );
  return isOther ? [] : found;
}

function findInColumns(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const columns = keepFitting(scoreColumns(wanted, scope), wanted, scope);
  const [column] = columns;
  const score = column?.score ?? 0;
  const { cells } = scope;
  const ofPeriod =
    score >= SURE || !wanted.isNumber
      ? undefined
      : (findYearCell(wanted, shape.description, cells, (asked, { name, aliases = [] }) =>
          [name, ...aliases].some((each) => scoreLabelSimilarity(asked, each) >= LIKELY),
        ) ??
        findMonthCell(
          wanted,
          shape.description,
          scope,
          (asked, header) => scoreLabelSimilarity(asked, header) >= SURE,
        ));
  if (ofPeriod !== undefined && isGiven(ofPeriod.cell.text, shape, scope))
    return {
      found: {
        leaves: scaleCell(scope, ofPeriod, ofPeriod.asked, shape),
        confidence: "medium",
        node: ofPeriod.cell.node,
      },
    };
  const isOnly = columns.filter((each) => each.score === score).length === 1;
  if (column === undefined || !isOnly || !isGiven(column.cell.text, shape, scope)) return undefined;
  return {
    found: {
      leaves: scaleCell(scope, column, column.asked, shape),
      confidence: score >= SURE ? "high" : "medium",
      isExact: score === 1,
      node: column.cell.node,
    },
  };
}

/** Minimum score of a label that is the property's, and of one that may be. */
const SURE = 0.9;
const LIKELY = 0.6;

function findByLabel(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const named = [...wanted.name.words, ...wanted.description.words];
  const scored = [...scope.pairs, ...listCompositePairs(scope)]
    .map((pair) => ({
      pair,
      score: Math.max(
        scoreLabelSimilarity(wanted, pair.label, pair),
        FIRM_PAIRS.has(pair.kind) && isPrice(scope, pair.value) && namesPriceOf(wanted, pair.label)
          ? SURE
          : 0,
        scoreInUnit(wanted, pair.label, pair.value),
        isMeasured(pair, wanted) ? SURE : 0,
      ),
    }))
    .filter(
      ({ pair, score }) =>
        score >= LIKELY &&
        isInSubunit(wanted, pair.label, pair.value) &&
        !isStruck(pair.node) &&
        !(scope.isPage && isInOtherPeriod(scope.model, pair.node, named)) &&
        fitsProperty(pair, wanted, shape, scope) &&
        !isFigureOfOtherPeriod(pair, wanted, shape, scope) &&
        (score >= SURE || isPriced(wanted.base) || !isPrice(scope, pair.value)) &&
        (score >= SURE || !lacksThing(wanted.base, pair.label)) &&
        (score >= SURE || !wanted.base.concepts.has("price") || !CONDITIONAL.test(pair.label)),
    );
  if (scored.length === 0) return undefined;
  const best = Math.max(...scored.map(({ score }) => score));
  const matches = scored
    .filter(({ score, pair }) => score === best && !isOnlyCount(pair, score, shape))
    .map(({ pair }) => pair);
  if (matches.length === 0) return undefined;
  const [match] = narrow(matches, wanted.base, scope);
  if (match === undefined)
    return {
      reason: `the page shows ${new Set(matches.map(({ value }) => fold(value))).size} different values for it`,
    };
  const confidence = best >= SURE && FIRM_PAIRS.has(match.kind) ? "high" : "medium";
  const leaves = readPairLeaves(scope, match, shape, wanted);
  const place = match.kind === "row" ? findCell(scope.model, match.node) : undefined;
  return {
    found: {
      leaves: place === undefined ? leaves : scaleLeaves(scope, leaves, place, wanted.name, shape),
      confidence,
      isExact: best === 1 && confidence === "high",
      node: match.node,
    },
  };
}

/** True for a row of a table whose figure is of another period than the property's. */
function isFigureOfOtherPeriod(
  { kind, node }: Pair,
  { isNumber, name }: WantedProperty,
  { description }: Shape,
  { model }: VisibleScope,
): boolean {
  const place = kind === "row" && isNumber ? findCell(model, node) : undefined;
  return place !== undefined && isOtherFigure(model, place, name, description);
}

/** What statistics have in place of a figure, with the mark of a note. */
const NO_FIGURE = /^(?::|…|\.{2,3})\s?\d{0,2}\)?$/u;

/** The tile "948" over "Sq ft" for `area_sqft`: the unit alone is the label of an amount. */
const isMeasured = ({ kind, label, value }: Pair, { unit, base }: WantedProperty): boolean =>
  kind === "count" &&
  unit !== undefined &&
  base.words.length <= 1 &&
  parseUnit(label) !== undefined &&
  readAmount(`${value} ${label}`, unit, false) !== undefined;

/** A dash in a table with marks says no: "–" beside "✓". Elsewhere it is no value. */
const isGiven = (text: string, { kind }: Shape, { model }: VisibleScope): boolean =>
  (/[\p{L}\p{N}✓✔✗✘×]/u.test(text) &&
    !NO_FIGURE.test(text.trim()) &&
    !NOT_GIVEN.test(text.trim())) ||
  (kind === "boolean" && /^[–—-]$/.test(text.trim()) && /[✓✔]/.test(model.text));

/** "Fee per night" does not name the thing that a `dog_fee` is paid for. */
const lacksThing = (wanted: Name, label: string): boolean => {
  const things = isPriced(wanted) ? listPricedThings(wanted) : [];
  return things.length > 0 && !parseName(label).words.some((word) => things.includes(word));
};

/** The value of a cell in the scale that the property asks for. */
function scaleCell(
  scope: VisibleScope,
  { cell, name }: NamedCell,
  wanted: WantedProperty,
  shape: Shape,
): Leaf[] {
  // "<b>Night songs</b><br>Ada Whit" in the column of titles.
  const line =
    wanted.base.concepts.has("name") && isPlainText(shape)
      ? findTitleLine(scope.model, cell.node)
      : undefined;
  if (line !== undefined) return [toVisibleLeaf(scope, line, scope.model.lineOf(line), "table")];
  const text = readCurrentText(scope.model, cell);
  const end = readEndOfTimes(text, shape, wanted);
  if (end !== undefined) return [toVisibleLeaf(scope, cell.node, end, "table", text)];
  const leaves = readNodeLeaves(scope, cell.node, text, shape, wanted, "table", name);
  const place = findCell(scope.model, cell.node);
  return place === undefined ? leaves : scaleLeaves(scope, leaves, place, wanted.name, shape);
}

/** Properties that the first column of a table holds, where it has no header. */
const ROW_NAMES: ReadonlySet<string> = new Set([
  ..."feature metric indicator measure figure segment item account".split(" "),
  "line item",
  "row name",
]);

const NAMES_ROW = 0.6;

/** Score of a narrower label whose value has the unit of the property. */
const SAME_UNIT = 0.7;

/** "Releases 34" under a similar name is a count, not the latest release. */
const isOnlyCount = ({ value }: Pair, score: number, shape: Shape): boolean =>
  score < 0.9 &&
  shape.kind === "string" &&
  /^[\d.,\s]+$/.test(value) &&
  value.replaceAll(/\D/g, "").length < MIN_PHONE_DIGITS;

const MIN_PHONE_DIGITS = 7;

const SENTENCE = /^\p{L}+(?:\s\S+){4,}[.!]$/u;

/** One pair if all remaining pairs agree. */
function narrow(all: readonly Pair[], wanted: Name, scope: VisibleScope): Pair[] {
  // "MIT License" rather than the sentence about it.
  const stated = all.filter(({ value }) => !SENTENCE.test(value));
  const pairs = stated.length > 0 ? stated : all;
  if (isOne(pairs)) return [...pairs];
  // "MIT" rather than "MIT © Tidewater Labs".
  const kind = findKnownKind(wanted, false);
  const known = kind === undefined ? [] : pairs.filter(({ value }) => isKnown(kind, value));
  if (known.length > 0 && isOne(known)) return known;
  const heading = scope.isPage ? scope.model.heading : undefined;
  const near =
    heading === undefined ? [] : pairs.filter(({ node }) => isBesideHeading(scope, heading, node));
  if (near.length > 0 && isOne(near)) return near;
  const firm = (near.length > 0 ? near : pairs).filter(({ kind }) => FIRM_PAIRS.has(kind));
  return firm.length > 0 && isOne(firm) ? firm : [];
}

const isOne = (pairs: readonly Pair[]): boolean =>
  new Set(pairs.map(({ value }) => fold(value))).size === 1;

/** Searches the smallest part of the page that has the heading and more. */
function isBesideHeading(scope: VisibleScope, heading: PageNode, node: PageNode): boolean {
  const { model } = scope;
  for (let at = model.parent(heading); at !== undefined; at = model.parent(at)) {
    if (model.contains(at, node)) return true;
    if (at.to - at.from > (heading.to - heading.from) * 3 + 200) return false;
  }
  return false;
}
