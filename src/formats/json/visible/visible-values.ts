// Finds the visible value of one property: by a label, by a column of that name, or as the only
// value of its type. Returns none when the page shows several different values.
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import type { Pair } from "../../../page-model/pairs.ts";
import type { ValueType } from "../../../page-model/typed-values.ts";
import { mayBeCurrency } from "../../../page-model/currency.ts";
import { readCurrentText, type GridCell } from "../../../page-model/grids.ts";
import { isPrompt, readChoice } from "./choices.ts";
import { CONDITIONAL } from "./discounts.ts";
import { dropPeriods } from "../values/coerce.ts";
import type { Leaf, SourceKind } from "../declared/finding.ts";
import { findByClass } from "./class-labels.ts";
import { findCell, lookUpCell, type LookupResult } from "./grid-look-up.ts";
import { readMachineDate } from "./machine-date.ts";
import {
  FIRM_PAIRS,
  isNarrower,
  namesPriceOf,
  scoreLabelSimilarity,
  type WantedProperty,
} from "./label-match.ts";
import {
  readAmount,
  parseBound,
  parseUnit,
  isRange,
  readNumbers,
  roundAmount,
} from "../values/measures.ts";
import { isKnownName, parseName, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isInOtherPeriod } from "./other-periods.ts";
import { findWantedScale, findWrittenScale } from "../values/scales.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { lookUpPeriod } from "./period-columns.ts";
import { findScaleBetween } from "./table-scale.ts";
import { readLabeledStock } from "../values/stock.ts";
import { type VisibleScope } from "./visible-scope.ts";
import { isLinkTo } from "./record-parts.ts";
import { isPlainText, isPriced, wantsAddress } from "./property-kind.ts";
import { listPricedThings } from "./priced-things.ts";
import { findByType } from "./values-by-type.ts";
import { findUnlabeled } from "./unlabeled.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

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
  const labeled = fromLabels(wanted, shape, scope);
  if (labeled !== undefined && "found" in labeled && labeled.found.leaves.length > 0)
    return labeled;
  if (wanted.subunit !== undefined) return labeled;
  const crossed = fromCrossing(wanted, shape, scope);
  if (crossed !== undefined) return crossed;
  const unlabeled = findByType(wanted, shape, scope) ?? findUnlabeled(wanted, shape, scope);
  if (unlabeled !== undefined && "found" in unlabeled) return unlabeled;
  const named = isPlainText(shape) ? findByClass(wanted, scope) : undefined;
  return named === undefined ? (unlabeled ?? labeled) : { found: named };
}

function fromCrossing(
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
  const { cell } = found;
  const text = readCurrentText(scope.model, cell);
  const leaves = scaleLeaves(
    scope,
    leavesOfNode(scope, cell.node, text, shape, wanted, "table"),
    found,
    name,
    shape,
  );
  return { found: { leaves, confidence: "high", isExact: true, node: cell.node } };
}

/** A number of a table with a column for each year, where the page says which year it is about. */
function findOfPeriod(
  wanted: WantedProperty,
  shape: Shape,
  { model }: VisibleScope,
): LookupResult | undefined {
  if ((shape.kind !== "number" && shape.kind !== "integer") || wanted.bound !== undefined)
    return undefined;
  const title = model.heading === undefined ? "" : model.lineOf(model.heading);
  return lookUpPeriod(model, wanted.base, shape.description, title, (label, name) => {
    const row = { ...wanted, name, base: name };
    return scoreLabelSimilarity(row, label) >= 0.9;
  });
}

/** Numbers of a table in the scale that the property asks for. */
function scaleLeaves(
  { model }: VisibleScope,
  leaves: Leaf[],
  place: LookupResult,
  name: Name,
  shape: Shape,
): Leaf[] {
  const factor = findScaleBetween(model, place, name, shape);
  if (factor === undefined) return leaves.filter(({ value }) => typeof value !== "number");
  return leaves.map((leaf) =>
    typeof leaf.value === "number" && factor !== 1
      ? { ...leaf, value: roundAmount(leaf.value * factor) }
      : leaf,
  );
}

function fromLabels(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const like = (text: string): number => scoreLabelSimilarity(wanted, text);
  const inUnit = (label: string, value: string): number => {
    const { unit } = wanted;
    if (unit === undefined || !isNarrower(wanted, label)) return 0;
    return readAmount(`${value} ${findUnitInLabel(label)}`, unit, false) === undefined
      ? 0
      : SAME_UNIT;
  };
  const isInSubunit = (label: string, value: string): boolean =>
    wanted.subunit === undefined || wanted.subunit.test(`${label} ${value}`);
  const columns = scope.cells
    .filter(({ name, cell }) => isInSubunit(name, cell.text))
    .map((named) => ({
      ...named,
      score: Math.max(
        like(named.name),
        named.name === "name" && ROW_NAMES.has(wanted.base.key) ? NAMES_ROW : 0,
        ...(named.aliases ?? []).map(like),
        inUnit(named.name, named.cell.text),
      ),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const [column] = columns;
  if (
    column !== undefined &&
    isGiven(column.cell.text, shape, scope) &&
    columns.filter(({ score }) => score === column.score).length === 1
  )
    return {
      found: {
        leaves: scaleCell(scope, column.cell, wanted, shape),
        confidence: column.score >= 0.9 ? "high" : "medium",
        isExact: column.score === 1,
        node: column.cell.node,
      },
    };
  const named = [...wanted.name.words, ...wanted.description.words];
  const scored = scope.pairs
    .map((pair) => ({
      pair,
      score: Math.max(
        scoreLabelSimilarity(wanted, pair.label, pair),
        FIRM_PAIRS.has(pair.kind) && isPrice(scope, pair.value) && namesPriceOf(wanted, pair.label)
          ? 0.9
          : 0,
        inUnit(pair.label, pair.value),
        isMeasured(pair, wanted) ? 0.9 : 0,
      ),
    }))
    .filter(
      ({ pair, score }) =>
        score >= 0.6 &&
        isInSubunit(pair.label, pair.value) &&
        !isStruck(pair.node) &&
        !(scope.isPage && isInOtherPeriod(scope.model, pair.node, named)) &&
        suits(pair, wanted, shape, scope) &&
        (score >= 0.9 || isPriced(wanted.base) || !isPrice(scope, pair.value)) &&
        (score >= 0.9 || !lacksThing(wanted.base, pair.label)) &&
        (score >= 0.9 || !wanted.base.concepts.has("price") || !CONDITIONAL.test(pair.label)),
    );
  if (scored.length === 0) return undefined;
  const best = Math.max(...scored.map(({ score }) => score));
  const matches = scored
    .filter(({ score, pair }) => score === best && !isOnlyCount(pair, score, shape))
    .map(({ pair }) => pair);
  if (matches.length === 0) return undefined;
  const [match] = narrow(matches, scope);
  if (match === undefined)
    return {
      reason: `the page shows ${new Set(matches.map(({ value }) => fold(value))).size} different values for it`,
    };
  const confidence = best >= 0.9 && FIRM_PAIRS.has(match.kind) ? "high" : "medium";
  const leaves = leavesOfPair(scope, match, shape, wanted);
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
  (/[\p{L}\p{N}✓✔✗✘×]/u.test(text) && !NO_FIGURE.test(text.trim())) ||
  (kind === "boolean" && /^[–—-]$/.test(text.trim()) && /[✓✔]/.test(model.text));

/** "Fee per night" is not the fee of the dog. */
const lacksThing = (wanted: Name, label: string): boolean => {
  const things = isPriced(wanted) ? listPricedThings(wanted) : [];
  return things.length > 0 && !parseName(label).words.some((word) => things.includes(word));
};

/** The value of a cell in the scale that the property asks for. */
function scaleCell(
  scope: VisibleScope,
  cell: GridCell,
  wanted: WantedProperty,
  shape: Shape,
): Leaf[] {
  const text = readCurrentText(scope.model, cell);
  const leaves = leavesOfNode(scope, cell.node, text, shape, wanted, "table");
  const place = findCell(scope.model, cell.node);
  return place === undefined ? leaves : scaleLeaves(scope, leaves, place, wanted.name, shape);
}

/** Properties that the first column of a table holds, where it has no header. */
const ROW_NAMES: ReadonlySet<string> = new Set(
  "feature metric indicator measure figure segment".split(" "),
);
const NAMES_ROW = 0.6;

/** Score of a narrower label whose value has the unit of the property. */
const SAME_UNIT = 0.7;

const NUMBERED_ROOM = /^(?:room|hall|studio|theatre|saal|raum|salle|sala|aula|zaal|sal) \d{1,2}$/iu;

/** Several links and nothing else are a menu, not one value. */
function isListOfLinks({ model }: VisibleScope, node: PageNode): boolean {
  const links = model
    .below(node)
    .filter(({ element, from, to }) => element.name === "a" && to > from);
  if (links.length < 2) return false;
  const linked = links.reduce((sum, { from, to }) => sum + to - from, 0);
  return linked + links.length * 3 >= node.to - node.from;
}

/** "Releases 34" under a similar name is a count, not the latest release. */
const isOnlyCount = ({ value }: Pair, score: number, shape: Shape): boolean =>
  score < 0.9 &&
  shape.kind === "string" &&
  /^[\d.,\s]+$/.test(value) &&
  value.replaceAll(/\D/g, "").length < MIN_PHONE_DIGITS;

const MIN_PHONE_DIGITS = 7;

/** A price alone. */
const isPrice = ({ model }: VisibleScope, text: string): boolean => {
  const [value] = model.read(text);
  return value?.type === "price" && value.text.length >= text.trim().length - 1;
};

const LONG = ["description", "body", "biography", "requirements", "responsibilities", "answer"];
const isLong = ({ concepts }: Name): boolean => LONG.some((concept) => concepts.has(concept));

/** A date, with the time or weekday beside it, and nothing else. */
const isOnlyDate = ({ model }: VisibleScope, text: string): boolean =>
  model
    .read(text)
    .some(
      ({ type, text: own }) => type === "date" && text.length <= own.length + MAX_BESIDE_DATE,
    ) || isPartialDate(text.split(",", 1)[0] ?? "", model.order);

const MAX_BESIDE_DATE = 14;

/** "First team" over a date: names of persons, teams and things are no dates. */
const mayBeDate = ({ words }: Name): boolean =>
  !words.some((word) =>
    /^(?:team|club|name|artist|author|speaker|seller|brand|venue|city|opponent)$/.test(word),
  );

/** Hours and addresses take several lines, as long texts do. */
const isOfLines = (wanted: Name): boolean =>
  wanted.concepts.has("opening hours") || isAddress(wanted) || isLong(wanted);

/** Neighbors and headings may be adjacent by chance: the value must fit the property's type. */
function suits(
  pair: Pair,
  { name: wanted }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): boolean {
  if (isPrompt(pair.value) || NOT_GIVEN.test(pair.value.trim())) return false;
  if (isAddress(wanted) && isContact(scope, pair.value)) return false;
  if (wanted.words.at(-1) === "plate" && !NUMBER_PLATE.test(pair.value.trim())) return false;
  // "Releases 46" counts them.
  const isVersion = wanted.words.at(-1) === "version" && !/version/i.test(pair.label);
  if (isVersion && /^\d+$/.test(pair.value.trim())) return false;
  // "ab 24,90 €" is no departure.
  if (NO_PRICE.test(wanted.words.at(-1) ?? "") && isPrice(scope, pair.value)) return false;
  if (shape.kind !== "array" && readChoice(scope.model, pair.node) === "open") return false;
  // A text in brackets explains the text before it.
  if (/^\(.*\)$/.test(pair.value)) return /^\([\d.,\s\p{Sc}]+\)$/u.test(pair.value);
  const isProse = /[.!?。]\s+\S/.test(
    pair.value.replaceAll(/\b(?:Mr|Ms|Mrs|Dr|Prof|St|No|Inc|Ltd|Co)\./g, ""),
  );
  if ((pair.kind === "colon" || pair.kind === "prefix") && isProse && !isLong(wanted)) return false;
  if (shape.kind === "string" && wanted.words.at(-1) === "date" && ONLY_TIME.test(pair.value))
    return false;
  const isDate = scope.model.read(pair.value).some(({ type }) => type === "date");
  if (pair.kind === "prefix" && isDate !== (wanted.words.at(-1) === "date") && isDated(wanted))
    return false;
  if (pair.kind === "prefix" && YEAR.test(pair.value) && !isYearly(wanted)) return false;
  // "Lamp 1" is a name as a whole.
  if (pair.kind === "prefix" && wanted.concepts.has("name") && /^\d/.test(pair.value)) return false;
  if (pair.kind === "prefix" && shape.kind === "string")
    return (
      /^(?:\W?\d|[A-Z]+\d*[-/])/.test(pair.value) &&
      pair.value.trim().split(/\s+/).length <= MAX_PREFIXED
    );
  if (pair.kind !== "colon" && pair.kind !== "row" && isListOfLinks(scope, pair.node)) return false;
  if (pair.kind === "count") return shape.kind !== "string" || wanted.words.length > 0;
  const hasLines = pair.kind === "section" && scope.model.textOf(pair.node).includes("\n");
  if (hasLines && !isOfLines(wanted)) return false;
  if (pair.kind === "neighbors" && isOnlyDate(scope, pair.value) && !mayBeDate(wanted))
    return false;
  if (pair.kind !== "neighbors" && pair.kind !== "section") return true;
  if (shape.kind === "number" || shape.kind === "integer") return /\d/.test(pair.value);
  if (shape.kind === "string" && !isLong(wanted) && hasLabels(pair.value)) return false;
  // A name over its description is not a label with its value.
  return pair.value.length <= 300;
}

const NUMBER_PLATE = /^(?=.*\d)[\p{Lu}\d][\p{Lu}\d ·-]{2,11}$/u;

/** Texts in place of a value that is not known or not published. */
const NOT_GIVEN =
  /^(?:[-–—]+|n\/?a|n\.\s?a\.|k\.\s?a\.|not (?:available|disclosed|applicable|specified|provided|known)|unknown|unspecified|keine angabe|nicht (?:bekannt|verfügbar|angegeben)|non (?:communiqué|renseigné|disponible|précisé)e?s?|no (?:disponible|especificado|informado)|non (?:disponibile|specificato|comunicato)|não (?:disponível|informado)|niet (?:beschikbaar|bekend)|onbekend|brak danych|nie podano|不明|未公開|未公开|暂无|미상)$/iu;

/** A postal address, not that of a page or mailbox. */
const isAddress = ({ words }: Name): boolean =>
  words.at(-1) === "address" && !words.some((word) => /^(?:email|mail|web|url|ip)$/.test(word));

/** A telephone number or an email address alone. */
const isContact = ({ model }: VisibleScope, text: string): boolean =>
  model
    .read(text)
    .some(
      ({ type, text: own }) =>
        (type === "phone" || type === "email") && own.length >= text.trim().length - 1,
    );

/** Final words of names whose value is no price. */
const NO_PRICE = /^(?:time|date|duration|departure|arrival|day|year|hour|uhrzeit|abfahrt|ankunft)$/;

/** "Budget 2026" and "Report 2026" name a year; the year is not their value. */
const YEAR = /^(?:19|20)\d\d$/;
const isYearly = ({ words, concepts }: Name): boolean =>
  words.some((word) => YEARLY_WORDS.test(word)) ||
  ["year", "founded", "date", "published", "year built", "fiscal year"].some((concept) =>
    concepts.has(concept),
  );
const YEARLY_WORDS = /^(?:year|date|number|id|code|since|vintage|model|season|edition|founded)$/;

/** A time of day without a date. */
const ONLY_TIME = /^\d{1,2}(?:[:.h]\s?\d{2})?(?:\s?[ap]\.?m\.?|\s?(?:uhr|h))?$/iu;

/** True for a name that says whether its value is a date: `order_date` or `order_number`. */
const isDated = ({ words }: Name): boolean => /^(?:date|number|id|code)$/.test(words.at(-1) ?? "");
/** True for a block with labels of its own: "Merle Vogt Telefon: 0341 5550173". */
const hasLabels = (text: string): boolean =>
  [...text.slice(0, 300).matchAll(/(?<=\s)(\p{L}[\p{L}.-]{1,30}):(?=\s)/gu)].some(
    ([, label = ""]) => isKnownName(label),
  );

/**
 * Maximum words behind a label without a colon: more are a sentence, as in "Version 4 gets security
 * fixes".
 */
const MAX_PREFIXED = 4;

const SENTENCE = /^\p{L}+(?:\s\S+){4,}[.!]$/u;

/** One pair if all remaining pairs agree. */
function narrow(all: readonly Pair[], scope: VisibleScope): Pair[] {
  // "MIT License" rather than the sentence about it.
  const stated = all.filter(({ value }) => !SENTENCE.test(value));
  const pairs = stated.length > 0 ? stated : all;
  if (isOne(pairs)) return [...pairs];
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

function leavesOfPair(
  scope: VisibleScope,
  pair: Pair,
  shape: Shape,
  wanted: WantedProperty,
): Leaf[] {
  const whole = scope.model.lineOf(pair.node);
  if (pair.value === whole && scope.model.below(pair.node).some(isStruck)) {
    const value = readCurrentText(scope.model, { node: pair.node, text: whole });
    if (value !== "" && value !== whole)
      return leavesOfPair(scope, { ...pair, value }, shape, wanted);
  }
  const choice = readChoice(scope.model, pair.node);
  if (choice !== undefined && choice !== "open")
    return [toVisibleLeaf(scope, choice.node, choice.text, "label", choice.text)];
  const isState = shape.enum !== undefined || shape.kind === "boolean";
  if (isState && wanted.base.concepts.has("availability")) {
    const stock = readLabeledStock(pair.value);
    if (stock !== undefined) {
      const value = shape.kind === "boolean" ? stock !== "OutOfStock" : stock;
      return [toVisibleLeaf(scope, pair.node, value, "label", whole || pair.value)];
    }
  }
  const inUnit =
    wanted.unit === undefined && wanted.bound === undefined
      ? undefined
      : readMeasured(scope, pair.node, pair.value, shape, wanted, "label", pair.label);
  if (inUnit !== undefined) return inUnit;
  // "Room 2" is the name of the room.
  const name = `${pair.label} ${pair.value}`;
  if (pair.kind === "prefix" && shape.kind === "string" && NUMBERED_ROOM.test(name))
    return [toVisibleLeaf(scope, pair.node, name, "label", whole)];
  // Part of a node, or of a control: the text alone.
  if (
    pair.value !== whole ||
    pair.kind === "colon" ||
    pair.kind === "control" ||
    pair.kind === "prefix"
  )
    return [
      toVisibleLeaf(
        scope,
        pair.node,
        readTypedText(scope, withoutStop(pair, wanted.base), shape, wanted.base),
        "label",
        whole || pair.value,
      ),
    ];
  return leavesOfNode(scope, pair.node, pair.value, shape, wanted, "label");
}

/** "Source: Register of Buildings." is a phrase with a full stop. */
const withoutStop = ({ kind, value }: Pair, wanted: Name): string =>
  kind === "colon" && !isLong(wanted) && !/[.!?]\s/.test(value)
    ? value.replace(/(?<=\p{L}{4})\.$/u, "")
    : value;

/**
 * The value of a node: its machine-readable form, its link if an address is requested, its text.
 */
function leavesOfNode(
  scope: VisibleScope,
  node: PageNode,
  text: string,
  shape: Shape,
  { base: wanted, ...rest }: WantedProperty,
  source: SourceKind,
  label = "",
): Leaf[] {
  const inUnit = readMeasured(scope, node, text, shape, { base: wanted, ...rest }, source, label);
  if (inUnit !== undefined) return inUnit;
  const below = scope.model.below(node);
  const machine = below.map((each) => {
    const { name, attribs } = each.element;
    return name === "time"
      ? readMachineDate(scope.model, each, shape)
      : name === "data" || name === "meter"
        ? attribs["value"]
        : undefined;
  });
  const [stated, ...others] = machine.filter((value) => value !== undefined && value.trim() !== "");
  const leaves: Leaf[] = [];
  if (stated !== undefined && others.length === 0 && shape.kind !== "boolean")
    if (
      shape.format !== undefined ||
      shape.kind !== "string" ||
      DATES.some((concept) => wanted.concepts.has(concept))
    )
      leaves.push(toVisibleLeaf(scope, node, stated, source));
  if (wantsAddress(wanted, shape)) {
    const links = below.filter(
      ({ element }) =>
        element.attribs["href"] !== undefined || element.attribs["src"] !== undefined,
    );
    const [link] = links.length > 1 ? links.filter((each) => isLinkTo(scope, each, wanted)) : links;
    const address = link?.element.attribs["href"] ?? link?.element.attribs["src"];
    if (link !== undefined && address !== undefined)
      leaves.push(toVisibleLeaf(scope, link, address, source));
  }
  leaves.push(toVisibleLeaf(scope, node, readTypedText(scope, text, shape, wanted), source, text));
  return leaves;
}

/**
 * A number in the unit of the property; no leaf for another dimension on the page. Undefined
 * without a unit.
 */
function readMeasured(
  scope: VisibleScope,
  node: PageNode,
  text: string,
  shape: Shape,
  { unit, currency, bound, base, name, isInTimeUnit }: WantedProperty,
  source: SourceKind,
  label: string,
): Leaf[] | undefined {
  if (shape.kind !== "number" && shape.kind !== "integer") return undefined;
  if (isInTimeUnit) return undefined;
  if (bound !== undefined) {
    const end = parseBound(text, bound);
    return end === undefined ? [] : [toVisibleLeaf(scope, node, end, source, text)];
  }
  if (unit === undefined) {
    const type = findValueType(base, shape);
    const typed =
      type === undefined ? [] : scope.model.read(text).filter((value) => value.type === type);
    // "Price: £220.00 (save £30)": the label belongs to the first one behind it.
    if (typed.length > 1 && isRange(text)) return [];
    const [price] = typed;
    if (type === "price" && currency !== undefined && price !== undefined)
      if ((price.unit ?? currency) !== currency || !mayBeCurrency(price.text, currency)) return [];
    const isFirst = typed.length === 1 || (type === "price" && (typed[0]?.at ?? 9) <= 1);
    if (isFirst && typed[0]?.amount !== undefined)
      return [toVisibleLeaf(scope, node, typed[0].amount, source, text)];
    if (isTimed(base)) return undefined;
    const exact = findExactNumber(scope, node, text);
    if (exact !== undefined) return [toVisibleLeaf(scope, node, exact, source, node.spoken)];
    // "180 (90 ECTS)": brackets explain.
    const plain = text.replace(/(?<=\d.{0,20})\s\([^()]{1,40}\)$/u, "");
    const [number, ...others] = readNumbers(plain, scope.model.usesDecimalComma);
    if (number === undefined || others.length > 0) return [];
    const scale = findWrittenScale(plain);
    const factor = scale === undefined ? 1 : scale / (findWantedScale(name, shape) ?? 1);
    return [toVisibleLeaf(scope, node, roundAmount(number * factor), source, text)];
  }
  const comma = scope.model.usesDecimalComma;
  const amount =
    readAmount(text, unit, true, comma) ??
    readAmount(`${text} ${findUnitInLabel(label)}`, unit, false, comma);
  return amount === undefined ? [] : [toVisibleLeaf(scope, node, amount, source, text)];
}

/** The number for screen readers behind a rounded one: 312,406 for "312K". */
function findExactNumber(scope: VisibleScope, node: PageNode, text: string): number | undefined {
  const [, digits = "", unit = ""] = /^(\d[\d.,]*)\s?([kKmM])\+?$/.exec(text.trim()) ?? [];
  if (unit === "" || node.spoken === "") return undefined;
  const shown = Number(digits.replace(",", ".")) * (unit.toLowerCase() === "k" ? 1e3 : 1e6);
  const [exact, ...others] = readNumbers(node.spoken, scope.model.usesDecimalComma).filter(
    (number) => Math.abs(number - shown) <= shown * MAX_ROUNDED,
  );
  return others.length === 0 && exact !== shown ? exact : undefined;
}

/** Share of a number by which its rounded form may differ. */
const MAX_ROUNDED = 0.1;

const isTimed = ({ words, concepts }: Name): boolean =>
  !words.includes("per") && isNamedAsTime(dropPeriods(words), concepts);

const isNamedAsTime = (words: readonly string[], concepts: ReadonlySet<string>): boolean =>
  ["duration", "total time", "prep time", "cook time"].some((concept) => concepts.has(concept)) ||
  words.some((word) =>
    /^(?:time|duration|minute|hour|runtime|second|day|week|month|year)$/.test(word),
  );

/** The unit in the brackets of a label or at its end: "Range (km)", "Weight, kg". */
const findUnitInLabel = (label: string): string =>
  /[([,]\s*([^()[\],]{1,12})[)\]]?\s*$/u.exec(label)?.[1] ?? "";

const DATES = ["date", "published", "modified", "start", "end", "deadline", "birth date"];

/** The part of a text with the requested type, if there is only one. */
function readTypedText(scope: VisibleScope, text: string, shape: Shape, wanted: Name): string {
  if (shape.kind === "string" && wanted.words.at(-1) === "time")
    return TIME_OF_DAY.exec(text)?.[1] ?? text;
  const type = findValueType(wanted, shape);
  if (type === undefined) return text;
  const node = scope.model.nodes[0];
  if (node === undefined) return text;
  const values = scope.model.read(text).filter((value) => value.type === type);
  return values.length === 1 && values[0] !== undefined ? values[0].text : text;
}

/** A time behind one word, as in "by 10:30". */
const TIME_OF_DAY = /^\p{L}{1,8}\s(\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?)$/iu;

function findValueType({ concepts, words }: Name, shape: Shape): ValueType | undefined {
  if (concepts.has("price") || concepts.has("list price")) return "price";
  if (concepts.has("email") || shape.format === "email") return "email";
  if (shape.kind !== "string") return undefined;
  if (words.at(-1) === "email") return "email";
  if (concepts.has("phone") || words.at(-1) === "phone") return "phone";
  return undefined;
}
