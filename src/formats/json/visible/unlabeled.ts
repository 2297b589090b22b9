// Finds values of a record that need no label because their meaning is certain. Examples: a
// license, a badge for a boolean, an option of an enum, a value behind the property's name.
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import {
  clockIn,
  clockRange,
  isKnown,
  findKnownKind,
  type KnownKind,
} from "../values/known-values.ts";
import { listDescribedOptions } from "../values/described-options.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { findSameWeekday } from "../values/weekdays.ts";
import { readStock } from "../values/stock.ts";
import { findIsFree } from "./free-of-charge.ts";
import type { WantedProperty } from "./label-match.ts";
import { isPlainText } from "./property-kind.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { findTagOrCommit, findVersion, findVersionRange } from "./record-versions.ts";
import { getSegments, MAX_PIECE, toAnswer, type Segment } from "./segments.ts";
import { findPeopleBelowTitle } from "./title-lines.ts";
import { findTitleNode } from "./visible-title.ts";
import type { VisibleAnswer } from "./visible-value.ts";

/** The values of a record that need no label; undefined if there is none. */
export function findUnlabeled(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (shape.kind === "boolean")
    return findBadge(wanted, scope) ?? findSoldOut(wanted, scope) ?? findIsFree(wanted.name, scope);
  if (shape.enum !== undefined)
    return findOption(shape.enum, scope) ?? findWeekdayOption(shape.enum, scope);
  if (scope.isPage) return findKnownBesideHeading(wanted, shape, scope);
  return (
    (shape.kind === "string" ? findPrefixed(wanted.base, scope) : undefined) ??
    (isPlainText(shape)
      ? findOption(listDescribedOptions(shape.description), scope, true)
      : undefined) ??
    (isPlainText(shape) && wanted.base.words.at(-1) === "version"
      ? findVersion(scope)
      : undefined) ??
    (isPlainText(shape)
      ? (findVersionRange(wanted, scope) ?? findTagOrCommit(wanted, scope))
      : undefined) ??
    findKnown(wanted, shape, scope) ??
    (isPlainText(shape) ? findEndOfColumn(wanted, scope) : undefined) ??
    (isPlainText(shape) ? findPeopleBelowTitle(wanted.base, scope) : undefined) ??
    (shape.kind === "string" && isPlace(wanted.base) ? findPlaceInLine(scope) : undefined)
  );
}

const DEPARTURE_NAME = /^(?:depart|start|from|begin|open|abfahrt|beginn|inicio|debut)/;
const ARRIVAL_NAME = /^(?:arriv|end|to|until|clos|ankunft|ende|fin|llegada)/;

function findKnown(
  { base }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const kind = findKnownKind(base, isNumber);
  if (kind === undefined || shape.format !== undefined) return undefined;
  const all = getSegments(scope);
  if (kind === "time") return findTime(base, all, scope);
  // The condition of a used thing is no weather.
  if (kind === "weather" && !/[°℃]/.test(scope.model.text)) return undefined;
  const title = findTitleNode(scope);
  const shown = kind === "weather" ? [...all, ...listSpoken(scope)] : all;
  const found = shown.filter(
    ({ text, node }) =>
      isKnown(kind, text) &&
      // The title of a job offer has words for a position, too.
      !(kind === "job" && title !== undefined && scope.model.contains(node, title)) &&
      node !== title,
  );
  return onlyOne(kind, found, scope);
}

/** Kinds that a page shows without a label beside its heading. */
const BESIDE_HEADING: ReadonlySet<KnownKind> = new Set(["employment type", "weather"]);

/**
 * The only text of a known kind in the smallest part of the page around its heading that has one.
 */
function findKnownBesideHeading(
  { base }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (shape.kind !== "string" || shape.format !== undefined) return undefined;
  const kind = findKnownKind(base, false);
  const { heading } = scope.model;
  if (kind === undefined || !BESIDE_HEADING.has(kind) || heading === undefined) return undefined;
  const found = getSegments(scope).filter(
    ({ text, node }) => isKnown(kind, text) && !scope.model.contains(heading, node),
  );
  for (let at = scope.model.parent(heading); at !== undefined; at = scope.model.parent(at)) {
    const inside = found.filter(({ node }) => scope.model.contains(at as PageNode, node));
    if (inside.length > 0) return onlyOne(kind, inside, scope);
  }
  return undefined;
}

const PLACE_CONCEPTS = ["location", "venue", "stadium", "room", "hall"];
const PLACE_WORD =
  /^(?:location|venue|place|room|hall|stage|ort|raum|saal|lieu|salle|lugar|sala|luogo|locatie|plats|sted|miejsce|misto)$/;
const isPlace = ({ concepts, words }: Name): boolean =>
  PLACE_CONCEPTS.some((concept) => concepts.has(concept)) || PLACE_WORD.test(words.at(-1) ?? "");

/**
 * The parts of a line with a date or time of day, and one more: "Sat 12 June · 20:00 · The Garage".
 */
function findPlaceInLine(scope: VisibleScope): VisibleAnswer | undefined {
  const { model } = scope;
  const title = findTitleNode(scope);
  // "Teatro das Figuras" over "Faro · 21:30": the line has the city.
  if (title !== undefined && PLACE_IN_TITLE.test(model.lineOf(title))) return undefined;
  const found = scope.pieces.flatMap((node): Segment[] => {
    const line = model.lineOf(node);
    if (line.length > MAX_PIECE) return [];
    const parts = line.split(LINE_SEPARATOR).map((part) => part.trim());
    if (parts.length < 2) return [];
    const isWhen = (part: string): boolean =>
      isKnown("time", part) ||
      clockRange(part) !== undefined ||
      isPartialDate(part, model.order) ||
      model
        .read(part)
        .some(({ type, text }) => type === "date" && part.length <= text.length + MAX_WEEKDAY);
    const rest = parts.filter((part) => !isWhen(part));
    const [only = ""] = rest;
    const isName =
      rest.length === 1 &&
      rest.length < parts.length &&
      /^\p{Lu}|^\p{Lo}/u.test(only) &&
      model.read(only).length === 0;
    return isName ? [{ node, text: only }] : [];
  });
  const [first, other] = found;
  return first === undefined || other !== undefined
    ? undefined
    : toAnswer(scope, first, first.text);
}

const PLACE_IN_TITLE =
  /(?<!\p{L})(?:theat(?:re|er|ro)|teatr[oe]?|théâtre|coliseu|coliseo|arena|stadion|stadium|estadio|estádio|stade|hall|halle|saal|club|auditori\p{L}+|opera|opéra|oper|palais|palacio|palazzo|forum|philharmoni\p{L}+)(?!\p{L})/iu;
const LINE_SEPARATOR = /\s*[·•|]\s*|\s+[–—]\s+(?!\d)/u;
/** Characters of a weekday beside a date. */
const MAX_WEEKDAY = 14;

function onlyOne(
  kind: KnownKind,
  found: readonly Segment[],
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const outer = found.filter(
    ({ node }) =>
      !found.some((other) => other.node !== node && scope.model.contains(other.node, node)),
  );
  const [first] = outer;
  if (first === undefined) return undefined;
  if (new Set(outer.map(({ text }) => text)).size > 1)
    return { reason: `the record has several texts that are a ${kind}` };
  return toAnswer(scope, first, first.text);
}

function findTime(
  wanted: Name,
  all: readonly Segment[],
  scope: VisibleScope,
): VisibleAnswer | undefined {
  // The parts of a span are read with it.
  const spans = new Set(
    all.filter(({ text }) => clockRange(text) !== undefined).map(({ node }) => node),
  );
  const times = all.flatMap((segment): { segment: Segment; time: string }[] => {
    const range = clockRange(segment.text);
    if (range !== undefined) return range.map((time) => ({ segment, time }));
    if (spans.has(segment.node)) return [];
    return isKnown("time", segment.text) ? [{ segment, time: clockIn(segment.text) }] : [];
  });
  const different = new Map(times.map((each) => [each.time, each] as const));
  const [first, second, ...more] = different.values();
  if (first === undefined || more.length > 0) return undefined;
  const isArrival = wanted.words.some((word) => ARRIVAL_NAME.test(word));
  const isDeparture = wanted.words.some((word) => DEPARTURE_NAME.test(word));
  if (second === undefined)
    return isArrival ? undefined : toAnswer(scope, first.segment, first.time);
  if (isArrival === isDeparture) return { reason: "the record has two times" };
  const chosen = isArrival ? second : first;
  return toAnswer(scope, chosen.segment, chosen.time);
}

/** `lunch_opens` of a column "Lunch" with spans of times. */
function findEndOfColumn(
  { base: { words } }: WantedProperty,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const end = words.at(-1) ?? "";
  const isFirst = DEPARTURE_NAME.test(end);
  if (words.length < 2 || isFirst === ARRIVAL_NAME.test(end)) return undefined;
  const name = parseName(words.slice(0, -1).join(" "));
  const columns = scope.cells.filter((cell) => scoreSimilarity(name, parseName(cell.name)) >= 0.9);
  const [column, other] = columns;
  const range = column === undefined ? undefined : clockRange(column.cell.text);
  if (column === undefined || other !== undefined || range === undefined) return undefined;
  const { node, text } = column.cell;
  return toAnswer(scope, { node, text }, range[isFirst ? 0 : 1]);
}

const MAX_PREFIXED = 40;

/** "Room P 2.14" for `room`, "ext. 4401" for `extension`: the value behind the property's name. */
function findPrefixed(wanted: Name, scope: VisibleScope): VisibleAnswer | undefined {
  if (wanted.words.length !== 1) return undefined;
  const [word = ""] = wanted.words;
  const found = getSegments(scope).flatMap(({ text, node }): Segment[] => {
    const [, first = "", dot = "", value = ""] =
      /^(\p{L}{2,20})(\.?)\s(\S.{0,38})$/u.exec(text) ?? [];
    if (first === "" || text.length > MAX_PREFIXED) return [];
    const name = parseName(first);
    const isName =
      scoreSimilarity(wanted, name) >= 0.9 || (dot !== "" && word.startsWith(first.toLowerCase()));
    const isCode = /^(?:(?:\p{Lu}{1,3}[\s.-]?)?\d\S{0,14}|\p{Lu}{1,3}[+-]?)$/u.test(value);
    // "Room 2" is a name, "Room P 2.14" a label with its value.
    return isName && isCode ? [{ node, text: /^\d{1,2}$/.test(value) ? text : value }] : [];
  });
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => text)).size > 1) return undefined;
  return toAnswer(scope, first, first.text);
}

/** Elements whose text is a choice or a name, not a statement. */
const CHOICES: ReadonlySet<string> = new Set([
  "a",
  "button",
  "label",
  "option",
  "th",
  "dt",
  "summary",
  "h1",
  "h2",
  "h3",
  "h4",
]);

/** A badge with the name of a boolean property, such as "Sold out", states that it is true. */
function findBadge({ name, base }: WantedProperty, scope: VisibleScope): VisibleAnswer | undefined {
  const means = (text: string): boolean => {
    const other = parseName(text);
    return [name, base].some((each) => scoreSimilarity(each, other) >= 0.9);
  };
  const isStated = ({ node, text }: Segment): boolean =>
    text.length <= 30 && means(text) && !isChoice(scope, node);
  const shown = getSegments(scope).find(isStated) ?? listSpoken(scope, MAX_LETTERS).find(isStated);
  return shown === undefined ? undefined : toAnswer(scope, shown, true);
}

/** Characters of a mark such as "V" or "GF". */
const MAX_LETTERS = 3;

/** "Ausverkauft" in a record, for `sold_out`. */
function findSoldOut({ name }: WantedProperty, scope: VisibleScope): VisibleAnswer | undefined {
  if (scope.isPage || name.key !== "sold out") return undefined;
  const shown = getSegments(scope).find(
    ({ text, node }) => readStock(text) === "OutOfStock" && !isChoice(scope, node),
  );
  return shown === undefined ? undefined : toAnswer(scope, shown, true);
}

/**
 * True inside a control, a link, a heading or a label on the page; a link may hold a whole record.
 */
function isChoice(scope: VisibleScope, node: PageNode): boolean {
  const { model } = scope;
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at)) {
    if (!scope.isPage && scope.roots.includes(at)) return false;
    if (CHOICES.has(at.element.name) && at.to - at.from <= node.to - node.from + 4) return true;
  }
  return false;
}

/** Texts for assistive technology of pictures and icons; `letters` adds those of short forms. */
const listSpoken = (scope: VisibleScope, letters = 0): Segment[] =>
  scope.roots.flatMap((root) =>
    scope.model
      .below(root)
      .filter((node) => node.spoken !== "" && node.to - node.from <= letters && scope.has(node))
      .map((node) => ({ node, text: node.spoken })),
  );

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** The only option of an enum that is a whole text of the scope. */
function findOption(
  options: readonly unknown[],
  scope: VisibleScope,
  isDescribed = false,
): VisibleAnswer | undefined {
  const byText = new Map(
    options
      .filter((option) => typeof option === "string")
      .map((option) => [plain(option), option] as const),
  );
  const found = getSegments(scope).filter(
    ({ text, node }) => byText.has(plain(text)) && !isChoice(scope, node),
  );
  const [first] = found;
  if (first === undefined || new Set(found.map(({ text }) => plain(text))).size > 1)
    return undefined;
  const option = byText.get(plain(first.text)) ?? "";
  return toAnswer(scope, first, isDescribed ? first.text : option);
}

/** The option that is the only weekday of a record, in any language: "monday" for "Lunedì". */
function findWeekdayOption(
  options: readonly unknown[],
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (scope.isPage) return undefined;
  const found = getSegments(scope).flatMap((segment) => {
    const option = findSameWeekday(segment.text, options);
    return typeof option === "string" ? [{ segment, option }] : [];
  });
  const [first] = found;
  if (first === undefined || new Set(found.map(({ option }) => option)).size > 1) return undefined;
  return toAnswer(scope, first.segment, first.option);
}
