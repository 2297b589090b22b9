// The values that a node, a cell or a label with its value gives for a property: in its unit, scale
// and type.
import { parse as parseHost } from "tldts";
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import type { Pair } from "../../../page-model/pairs.ts";
import type { ValueType } from "../../../page-model/typed-values.ts";
import { mayBeCurrency } from "../../../page-model/currency.ts";
import { readCurrentText } from "../../../page-model/grids.ts";
import { readChoice } from "./choices.ts";
import { dropPeriods } from "../values/coerce.ts";
import type { Leaf, SourceKind } from "../declared/finding.ts";
import { type LookupResult } from "./grid-look-up.ts";
import { isTimeElement, readMachineDate } from "./machine-date.ts";
import { type WantedProperty } from "./label-match.ts";
import {
  parseUnit,
  readAmount,
  parseBound,
  isRange,
  readNumbers,
  roundAmount,
} from "../values/measures.ts";
import { type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { clockRange } from "../values/known-values.ts";
import { findWantedScale, findWrittenScale } from "../values/scales.ts";
import { findScaleBetween } from "./table-scale.ts";
import { readLabeledStock } from "../values/stock.ts";
import { type VisibleScope } from "./visible-scope.ts";
import { isLinkTo } from "./record-parts.ts";
import { isUrl, wantsAddress, wantsPicture } from "./property-kind.ts";
import { toVisibleLeaf } from "./visible-value.ts";
import { isLong } from "./pair-fit.ts";
import { isUncertainAmount } from "./uncertain-amounts.ts";

/** Numbers of a table in the scale that the property asks for. */
export function scaleLeaves(
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

const NUMBERED_ROOM = /^(?:room|hall|studio|theatre|saal|raum|salle|sala|aula|zaal|sal) \d{1,2}$/iu;

export function readPairLeaves(
  scope: VisibleScope,
  pair: Pair,
  shape: Shape,
  wanted: WantedProperty,
): Leaf[] {
  const whole = scope.model.lineOf(pair.node);
  const end = readEndOfTimes(pair.value, shape, wanted);
  if (end !== undefined) return [toVisibleLeaf(scope, pair.node, end, "label", whole)];
  if (isUncertainAmount(pair.value, wanted, shape)) return [];
  if (isUrl(wanted.base, shape))
    return readAddresses(scope, wanted.base, pair.node, pair.value, "label");
  if (pair.value === whole && scope.model.below(pair.node).some(isStruck)) {
    const value = readCurrentText(scope.model, { node: pair.node, text: whole });
    if (value !== "" && value !== whole)
      return readPairLeaves(scope, { ...pair, value }, shape, wanted);
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
    wanted.unit === undefined &&
    wanted.bound === undefined &&
    wanted.currency === undefined &&
    !isScaledInWords(pair.value)
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
        readTypedText(scope, readPlainValue(scope, pair, wanted.base), shape, wanted.base),
        "label",
        whole || pair.value,
      ),
    ];
  return readNodeLeaves(scope, pair.node, pair.value, shape, wanted, "label");
}

/** "$148.6 million"; a count such as "9.6k" is rounded too much to be the number. */
const isScaledInWords = (text: string): boolean =>
  findWrittenScale(text) !== undefined && !/\d\s?[kKmM]\+?(?!\p{L})/u.test(text);

/** "15:00" of "dalle 15:00 alle 20:00" for `check_in_from`. */
export function readEndOfTimes(
  text: string,
  { kind, description }: Shape,
  { name: { words } }: WantedProperty,
): string | undefined {
  if (!words.some((word) => OF_TIME.test(word)) && !/HH:MM|\btime\b/i.test(description))
    return undefined;
  const isStart = words.some((word) => START.test(word));
  const isEnd = words.some((word) => END.test(word));
  if (kind !== "string" || isStart === isEnd) return undefined;
  return clockRange(text)?.[isStart ? 0 : 1];
}

/** Words of names of times of day. */
const OF_TIME =
  /^(?:time|check|hour|opening|closing|door|arrival|departure|reception|uhrzeit|heure|hora|ora)$/;
const START = /^(?:from|start|begin|open|opening|earliest|ab|von|desde|da|vanaf)$/;
const END = /^(?:until|till|to|end|close|closing|latest|by|bis|hasta|tot)$/;

/**
 * The value behind a label, without a badge. "Source: Register of Buildings." is a phrase with a
 * full stop.
 */
function readPlainValue(scope: VisibleScope, { kind, node, value }: Pair, wanted: Name): string {
  const isPhrase = kind === "colon" && !isLong(wanted) && !/[.!?]\s/.test(value);
  const plain = isPhrase ? value.replace(/(?<=\p{L}{4})\.$/u, "") : value;
  return isVersion(wanted) ? stripBadge(scope, node, plain) : plain;
}

const isVersion = ({ words }: Name): boolean => words.at(-1) === "version";

/**
 * The value of a node: its machine-readable form, its link if an address is requested, its text.
 */
export function readNodeLeaves(
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
    return isTimeElement(name)
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
  if (isUrl(wanted, shape)) return readAddresses(scope, wanted, node, text, source);
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
  const plain = isVersion(wanted) ? stripBadge(scope, node, text) : text;
  leaves.push(toVisibleLeaf(scope, node, readTypedText(scope, plain, shape, wanted), source, text));
  return leaves;
}

const WRITTEN_ADDRESS = /^(?:https?:\/\/|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:\/\S*)?$/i;
/** Endings of files that are also those of hosts: "readme.md" is a file. */
const FILE_NAME = /^[^/]+\.(?:md|py|rs|sh|zip|app|mov|pl|ps|cc)$/i;

/** True for an address with a scheme or a known top-level domain. */
const hasKnownHost = (written: string): boolean =>
  /^(?:https?:\/\/|www\.)/i.test(written) ||
  (!FILE_NAME.test(written) && /^(?:[\w-]+\.)+(?:example|test|localhost)(?:\/|$)/i.test(written)) ||
  (!FILE_NAME.test(written) && parseHost(written).isIcann === true);
const NO_ADDRESS = /^(?:#|javascript:|data:|mailto:|tel:|$)/i;

/** True if a text is an address, with nothing but punctuation beside it. */
const isOnlyAddress = (text: string, address: string): boolean =>
  WRITTEN_ADDRESS.test(address) &&
  hasKnownHost(address) &&
  text.includes(address) &&
  !/[\p{L}\d]/u.test(text.replace(address, ""));

/**
 * The address of a picture, or of the link whose text is the whole value; else a text that is an
 * address.
 */
function readAddresses(
  scope: VisibleScope,
  wanted: Name,
  node: PageNode,
  text: string,
  source: SourceKind,
): Leaf[] {
  const links = scope.model.below(node).flatMap((link) => {
    const { href, src } = link.element.attribs;
    const line = scope.model.lineOf(link);
    // "brisk.example" in "brisk.example." is its link.
    const isOwn = line === text.trim() || isOnlyAddress(text, line);
    const address = wantsPicture(wanted) ? (src ?? (isOwn ? href : undefined)) : isOwn && href;
    return typeof address !== "string" || NO_ADDRESS.test(address) ? [] : [{ link, address }];
  });
  const [only] = links;
  if (only !== undefined && new Set(links.map(({ address }) => address)).size === 1)
    return [toVisibleLeaf(scope, only.link, only.address, source)];
  const written = text.trim().replace(/[.,;)]+$/, "");
  const isAddress = WRITTEN_ADDRESS.test(written) && hasKnownHost(written);
  if (wantsPicture(wanted) && !/\.(?:png|jpe?g|gif|svg|webp|avif)(?:\?|$)/i.test(written))
    return [];
  return isAddress ? [toVisibleLeaf(scope, node, written, source, text)] : [];
}

/**
 * "2.6.2" of "2.6.2 yanked", where the last word is an element of its own, or of "2.6.2 (yanked)".
 */
function stripBadge({ model }: VisibleScope, node: PageNode, text: string): string {
  const badge = model
    .below(node)
    .filter((each) => each.index !== node.index && each.to > each.from)
    .map((each) => model.lineOf(each))
    .find((line) => /^\p{L}[\p{L} ]*$/u.test(line) && text.endsWith(line) && line !== text);
  const plain = badge === undefined ? text : text.slice(0, -badge.length).trim();
  const [, version = plain, rest = ""] = /^(v?\d+(?:\.\d+)+[\w.+-]*)(.*)$/u.exec(plain) ?? [];
  // "2.6.2 or 3.0.0" are two.
  return /^\s?[(,·|–]/u.test(rest) && !/\d\.\d+\.\d/.test(rest) ? version : plain;
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
    if (currency !== undefined && isOtherCurrency(scope, text, currency)) return [];
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
  const written = findUnitInLabel(label);
  // "4500" below "Weight (g)" is no number of kilograms.
  const stated = parseUnit(written);
  const isBareAllowed =
    stated === undefined || (stated.dimension === unit.dimension && stated.size === unit.size);
  const amount =
    readAmount(text, unit, isBareAllowed, comma) ??
    readAmount(`${text} ${written}`, unit, false, comma);
  return amount === undefined ? [] : [toVisibleLeaf(scope, node, amount, source, text)];
}

/** True if the only price of a text is in another currency. */
function isOtherCurrency({ model }: VisibleScope, text: string, currency: string): boolean {
  const [price, other] = model.read(text).filter(({ type }) => type === "price");
  if (price === undefined || other !== undefined) return false;
  return (price.unit ?? currency) !== currency || !mayBeCurrency(price.text, currency);
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

/** True for a name whose value is a length of time, in whatever unit. */
export const isTimed = ({ words, concepts }: Name): boolean =>
  !words.includes("per") && isNamedAsTime(dropPeriods(words), concepts);

const isNamedAsTime = (words: readonly string[], concepts: ReadonlySet<string>): boolean =>
  ["duration", "total time", "prep time", "cook time"].some((concept) => concepts.has(concept)) ||
  words.some((word) =>
    /^(?:time|duration|minute|hour|runtime|second|day|week|month|year)$/.test(word),
  );

/** The unit in the brackets of a label or at its end: "Range (km)", "Weight, kg", "Rain mm". */
export function findUnitInLabel(label: string): string {
  const end = label.slice(-MAX_LABEL_END).trim();
  const [, written] = /[([,]\s*([^()[\],]{1,12})[)\]]?$/u.exec(end) ?? [];
  // "Chest (M)" has a size, "DEPTH (M)" a unit.
  if (written !== undefined) return written === "M" && /\p{Ll}/u.test(label) ? "" : written;
  const words = end.split(/\s+/);
  for (const length of [2, 1]) {
    const unit = words.slice(-length).join(" ");
    const before = words.slice(0, -length);
    if (before.length === 0 || parseUnit(unit) === undefined) continue;
    const isOther =
      before.slice(-2).some((word) => PER.test(word)) || /\d$/.test(before.at(-1) ?? "");
    return isOther || NO_LAST_WORD.test(unit) ? "" : unit;
  }
  return "";
}

/** Characters at the end of a label that may have its unit. */
const MAX_LABEL_END = 40;
/** "Price per kg" is no mass. */
const PER = /^(?:per|pro|par|je|por|al|each|\/)$/iu;
/** Last words that are rarely units: "Vitamin C", "Checked in", "Born in MA". */
const NO_LAST_WORD = /^(?:\p{Lu}|[acftvw]|in|pa|PA|IN|M[AI])$/u;

const DATES = ["date", "published", "modified", "start", "end", "deadline", "birth date"];

/** The part of a text with the requested type, if there is only one. */
function readTypedText(scope: VisibleScope, text: string, shape: Shape, wanted: Name): string {
  if (shape.kind === "string" && wanted.words.at(-1) === "time")
    return TIME_OF_DAY.exec(text)?.[1] ?? text;
  const type = findValueType(wanted, shape);
  if (type === undefined) return text;
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
