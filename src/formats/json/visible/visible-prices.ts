// Finds the price of an item among the prices of a page: not a struck price, a shipping cost or a
// rate.
import { isLowerLimit } from "../values/measures.ts";
import { hasOwnText, isHidden, isStruck, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import { CONDITIONAL, findDiscounts, isReducedBy } from "./discounts.ts";
import { isShippingPrice } from "./delivery.ts";
import { findPriceTax, preferTaxIncluded, stripNotes, type PriceTax } from "./price-tax.ts";
import { parseName } from "../names/names.ts";
import { findTitleNode } from "./visible-title.ts";
import {
  MAX_PRICE_LINE,
  selectNearestToHeading,
  selectPlacesOfType,
  type VisibleScope,
  type Place,
} from "./visible-scope.ts";
import { findPeriod } from "./price-periods.ts";

/**
 * Words around a price that change its meaning: shipping, savings, a rate per month, a threshold.
 */
const OTHER_PRICE =
  /(?:ship|deliver|versand|liefer|livraison|envío|spedizione|frete|доставк|送料|配送|save|spar(?:en|e)\b|économ|ahorra|risparmi|off\b|rabatt|discount|over|above|ab einem|from orders|instal|每期|分期|per period|rata\b|rate\b|raten|mensual|\/\s?(?:mo|month|monat|mois|mes|yr|year)|per month|pro monat|par mois|deposit|was\b|statt|uvp|rrp|msrp|list price|regular|before|starting (?:price|bid)|startpreis|startgebot|mise à prix|base d.asta|precio de salida|reserve price|estimate|lowest price|niedrigster preis|najniższa cena|prix le plus bas|precio más bajo|prezzo più basso|laagste prijs|preço mais baixo|nejnižší cena|najnižšia cena|lägsta pris|laveste pris|last 30 days|letzten? 30 tage|30 derniers jours|últimos 30 días|ultimi 30 giorni|gift card|cashback|points)/iu;

/**
 * The lower or upper ends of the ranges of prices, "$49.00 – $69.00", near the heading of a page.
 */
export function findEndsOfRange(scope: VisibleScope, bound: "low" | "high"): Place[] {
  const ends = scope.pieces.flatMap((node): Place[] => {
    const line = scope.model.lineOf(node);
    const prices = scope.model.typedValues(node).filter(({ type }) => type === "price");
    const [low, high, other] = prices;
    if (low === undefined || high === undefined || other !== undefined) return [];
    if (isStruck(node) || line.length > MAX_PRICE_LINE) return [];
    const between = line.slice(low.at + low.text.length, high.at);
    const isRange = RANGE_SIGN.test(between) && (low.amount ?? 0) < (high.amount ?? 0);
    return isRange ? [{ node, value: bound === "low" ? low : high }] : [];
  });
  return scope.isPage ? selectNearestToHeading(scope, ends) : ends;
}

/** The only price of a record where it begins: "from € 98". */
export function findPricesFrom(scope: VisibleScope, bound: "low" | "high"): Place[] {
  if (scope.isPage || bound === "high") return [];
  const [only, other] = selectPlacesOfType(scope, "price").filter((place) =>
    isCurrent(scope, place),
  );
  if (only === undefined || other !== undefined) return [];
  const { model } = scope;
  const parent = model.parent(only.node);
  const lines = [only.node, ...(parent === undefined ? [] : [parent])].map((node) =>
    model.lineOf(node),
  );
  // "Parking from € 9" is not the price of the room.
  const isFrom = lines.some((line) => {
    const before = line.slice(0, line.indexOf(only.value.text)).trim();
    return line.length <= MAX_PRICE_LINE && !/\s\S+\s/.test(before) && isLowerLimit(before);
  });
  return isFrom ? [only] : [];
}

/** Usual rates of value-added tax, from 2.5 to 27 %. */
const isNetOf = (net: number, gross: number): boolean =>
  net > 0 && gross / net >= 1.025 && gross / net <= 1.275;

const RANGE_SIGN = /^\s*(?:[-–—~～]|to|bis|à|a|do|tot|till|til|до)\s*$/iu;

/** The price with or without tax; on a page, near its heading. */
export function findPricesByTax(scope: VisibleScope, tax: "included" | "excluded"): Place[] {
  const all = selectPlacesOfType(scope, "price").filter(
    (place) => isCurrent(scope, place) && !isShippingPrice(scope, place),
  );
  const own = scope.isPage ? selectNearestToHeading(scope, preferSingle(scope, all)) : all;
  const withTax = (wanted: PriceTax): Place[] =>
    own.filter((place) => findPriceTax(scope, place) === wanted);
  const stated = withTax(tax);
  if (stated.length > 0 || tax === "included") return stated;
  // Beside a price with tax, the other one is without.
  const [gross, ...others] = withTax("included");
  if (gross === undefined || others.length > 0) return [];
  return own.filter((place) => isNetOf(place.value.amount ?? 0, gross.value.amount ?? 0));
}

export const isCurrent = (scope: VisibleScope, { node }: Place): boolean =>
  !isStruck(node) && !findDiscounts(scope).before.has(node);

const REGULAR =
  /(?:regular|normal|standard|non-?member|everyone)|regulär|für alle|ohne karte|prix (?:normal|public)|precio (?:normal|regular)|prezzo (?:normale|pieno)|通常価格|정상가|原价/iu;

const isRegular = (scope: VisibleScope, node: PageNode): boolean =>
  scope.pairs.some(
    (pair) =>
      pair.label.length <= MAX_PRICE_TEXT &&
      REGULAR.test(pair.label) &&
      scope.model.contains(pair.node, node),
  );

/**
 * A measure or a piece behind a price: the price of a unit, such as "12 577 zł/m²" or "(4,99 € /
 * 100 ml)".
 */
const PER_UNIT =
  /^[\s\u00A0]?(?:\/|per|pro|par|por|je|za|al?)[\s\u00A0]?(?:\d+[\s\u00A0]?)?(?:m²|m2|m³|qm|sqm|sq\.?\s?(?:ft|m)|ft²|kg|kilos?|kilogramm?|g|gr|gram|mg|lb|oz|l|ltr|liter|litres?|litr[oeaiy]s?|ml|cl|dl|m|cm|stück|stuk|styck|stk|st|szt|ks|pc|pcs|piece|unit|each|ud|unité|pièce|wash|sheet|tablet|dose)\b/iu;

function isPerUnit({ model }: VisibleScope, { value, node }: Place): boolean {
  const line = model.lineOf(node);
  return PER_UNIT.test(line.slice(line.indexOf(value.text) + value.text.length));
}

const MEMBERS =
  /(?<!\p{L})(?:(?:for|with|as|pour|avec|für|mit|als|para|con|per|voor|met)\s(?:\p{L}+[\s-]){0,3}?\p{L}*(?:members?|club|mitglied\p{L}*|membres?|socios?|soci|leden|lid|klub))(?!\p{L})/iu;

/** "£61.20 with Gull Club": a price in a short line of its own that says whom it is for. */
const isForMembers = ({ model }: VisibleScope, { value, node }: Place): boolean => {
  const line = model.lineOf(node);
  return line.length <= MAX_PRICE_LINE && MEMBERS.test(line.replace(value.text, " "));
};

/** Prices for members of a club, in a record or near the heading of a page. */
export function findMemberPrices(scope: VisibleScope): Place[] {
  const found = selectPlacesOfType(scope, "price").filter((place) => isForMembers(scope, place));
  return scope.isPage ? selectNearestToHeading(scope, found) : found;
}

/** Prices in a scope that may be the item's; on a page, those nearest to its heading. */
export function findCurrentPrices(scope: VisibleScope): Place[] {
  const prices = selectPlacesOfType(scope, "price").filter((place) => isCurrent(scope, place));
  const own = prices.filter(
    (place) =>
      // A difference, such as the surcharge of an option.
      (place.value.amount ?? 0) >= 0 && !isOfOtherOption(scope, place.node),
  );
  const unitless = own.filter((place) => !isPerUnit(scope, place));
  const forAll = unitless.filter((place) => !isForMembers(scope, place));
  const whole = preferSingle(scope, forAll.length > 0 ? forAll : unitless);
  const unlabeled = (whole.length > 0 ? whole : own).filter(
    (place) => !isLabeledAsOther(scope, place),
  );
  // Beside a price for members only, the regular price is everyone's.
  const plain = preferTaxIncluded(
    scope,
    unlabeled.length > 0 ? unlabeled : own.filter(({ node }) => isRegular(scope, node)),
  );
  const { after } = findDiscounts(scope);
  const preferReduced = (places: readonly Place[]): readonly Place[] => {
    const reduced = places.filter(({ node }) => after.has(node));
    return reduced.length > 0 ? reduced : places;
  };
  if (!scope.isPage) return [...preferReduced(plain)];
  const near = [...preferReduced(selectNearestToHeading(scope, plain))];
  // A price in a separate piece of text is the price of the item; prices within sentences are not.
  const alone = near.filter(
    ({ value, node }) => scope.model.lineOf(node).length <= value.text.length + 4,
  );
  if (alone.length > 0) return alone;
  return near.every(({ node }) => isInProse(scope, node)) ? [] : near;
}

/** Characters of a text in which prices are those of other things, such as tires or parking. */
const MIN_PROSE = 100;

export const isInProse = ({ model, pieces }: VisibleScope, node: PageNode): boolean => {
  const piece = pieces.find((each) => model.contains(each, node)) ?? node;
  return piece.to - piece.from > MIN_PROSE;
};

/** More prices than these are a list of offers. */
const MAX_COMPARED = 200;

/**
 * Prices of the item itself, where there are any: prices in a column of a table are those of
 * quantities, those of equal siblings belong to variants, and a rate is paid by the month.
 */
function preferSingle(scope: VisibleScope, places: readonly Place[]): readonly Place[] {
  if (!scope.isPage || places.length < 2 || places.length > MAX_COMPARED) return places;
  const rules = [
    (place: Place): boolean => !isInPriceTable(scope, place.node),
    (place: Place): boolean => !isBesideOthers(scope, place, places),
    (place: Place): boolean => findPeriod(scope, place) === undefined,
  ];
  return rules.reduce<readonly Place[]>((kept, rule) => {
    const single = kept.filter((place) => rule(place));
    return single.length > 0 ? single : kept;
  }, places);
}

/** True in a table with several rows of prices. */
const isInPriceTable = ({ model }: VisibleScope, node: PageNode): boolean =>
  model.grids.some(
    (grid) =>
      model.contains(grid.node, node) &&
      grid.rows.filter(({ cells }) =>
        cells.some(
          (cell) =>
            cell !== undefined && model.typedValues(cell.node).some(({ type }) => type === "price"),
        ),
      ).length >= 2,
  );

/** True for one of several `li` with a price each. */
function isBesideOthers(
  { model }: VisibleScope,
  { node }: Place,
  places: readonly Place[],
): boolean {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at)) {
    if (at.element.name !== "li") continue;
    const item = at;
    const list = model.parent(item);
    return (
      list !== undefined &&
      places.some((other) => model.contains(list, other.node) && !model.contains(item, other.node))
    );
  }
  return false;
}

/**
 * Crossed-out prices; on a page, those in the smallest part with the main heading and a price of
 * the item: others belong to other items.
 */
export function struckPrices(scope: VisibleScope): Place[] {
  const { model } = scope;
  const struck = selectPlacesOfType(scope, "price").filter((place) => !isCurrent(scope, place));
  const { heading } = model;
  if (!scope.isPage || heading === undefined || struck.length === 0) return struck;
  const current = findCurrentPrices(scope);
  for (let at = model.parent(heading); at !== undefined; at = model.parent(at)) {
    const part = at;
    if (current.some(({ node }) => model.contains(part, node)))
      return struck.filter(({ node }) => model.contains(part, node));
  }
  return struck;
}

const MAX_PRICE_TEXT = 40;

const listPrices = new WeakMap<VisibleScope, readonly PageNode[]>();

/** Values with a label such as "List price", "Listino" or "Member price". */
function listListPrices(scope: VisibleScope): readonly PageNode[] {
  let nodes = listPrices.get(scope);
  if (nodes === undefined) {
    const title = scope.isPage ? undefined : findTitleNode(scope);
    nodes = scope.pairs
      .filter(
        ({ value, label, labelNode }) =>
          value.length <= MAX_PRICE_TEXT &&
          /\d/.test(value) &&
          (parseName(label).concepts.has("list price") || CONDITIONAL.test(label)) &&
          // A ticket for members has its own price.
          (title === undefined || !scope.model.contains(labelNode, title)),
      )
      .map(({ node }) => node);
    listPrices.set(scope, nodes);
  }
  return nodes;
}

const FORMER =
  /(?<!\p{L})(?:was|were|previously|formerly|original(?:ly)?|before|instead of|reduced from|rrp|msrp|uvp|statt|bisher|früher|vorher|zuvor|avant|au lieu de|antes|prima|anziché|voorheen|tidigare|førpris|ord\.? ?pris|wcześniej)(?: (?:price|preis|prix|precio|prezzo|prijs))?\s*:?\s*$/iu;

/** True for "was €465,000": the price before the present one. */
export function isLabeledAsFormer(scope: VisibleScope, { value, node }: Place): boolean {
  const around = readOwnPart(scope, readLineWithLabel(scope, node), value.text);
  return (
    around.length <= MAX_PRICE_TEXT && FORMER.test(around.slice(0, around.indexOf(value.text)))
  );
}

/** The part of a line between the prices before and behind one: "Was €129, now €99" has two. */
function readOwnPart({ model }: VisibleScope, line: string, text: string): string {
  const prices = model.read(line).filter(({ type }) => type === "price");
  const at = prices.findLastIndex((price) => price.text === text);
  const [before, behind] = [prices[at - 1], prices[at + 1]];
  if (at === -1) return line;
  const start = before === undefined ? 0 : before.at + before.text.length;
  return line.slice(start, behind?.at);
}

export function isLabeledAsOther(scope: VisibleScope, place: Place): boolean {
  const { value, node } = place;
  if (findPriceTax(scope, place) === "amount" || isShippingPrice(scope, place)) return true;
  if (listListPrices(scope).some((labeled) => scope.model.contains(labeled, node))) return true;
  const line = readOwnPart(scope, readLineWithLabel(scope, node), value.text);
  const around = stripNotes(line, value.text);
  if (isFinanced(scope, node) || isLabeledAsFormer(scope, place)) return true;
  return OTHER_PRICE.test(around.length > 200 ? "" : around) || isSpokenAsOther(scope, node);
}

const FINANCED = /finanz|financ|leasing|\bmtl\b|ratenzahlung|mensualit|rateizza|кредит/iu;

const MAX_FINANCED = 80;

/** True in a short line about paying in rates: "Finanzierung ab 249 € mtl." */
function isFinanced({ model }: VisibleScope, node: PageNode): boolean {
  const parent = model.parent(node);
  const line = parent === undefined || !hasOwnText(parent) ? node : parent;
  const text = model.lineOf(line);
  return text.length <= MAX_FINANCED && FINANCED.test(text);
}

/**
 * Labels such as "-30 %" that lead from the crossed-out price of an item to its price, wherever they
 * stand on the page.
 */
export function findDiscountLabels(scope: VisibleScope): Place[] {
  const listed = listListPrices(scope);
  const labeled = selectPlacesOfType(scope, "price").filter(({ node }) =>
    listed.some((each) => scope.model.contains(each, node)),
  );
  const before = [...struckPrices(scope), ...labeled].map(({ value }) => value.amount ?? 0);
  const now = findCurrentPrices(scope).map(({ value }) => value.amount ?? 0);
  return selectPlacesOfType(scope, "percent")
    .map(({ value, node }) => ({ node, value: { ...value, amount: Math.abs(value.amount ?? 0) } }))
    .filter(({ value: { amount } }) =>
      before.some((high) => now.some((low) => isReducedBy(high, low, amount))),
    );
}

/** True in a choice that is not selected, such as another storage size. */
function isOfOtherOption({ model, roots }: VisibleScope, node: PageNode): boolean {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at)) {
    const { name, attribs } = at.element;
    const isChoice = attribs["role"] === "radio" || attribs["role"] === "option";
    if (isChoice && (attribs["aria-checked"] ?? attribs["aria-selected"]) === "false") return true;
    if (name === "label" && hasFreeRadio(model, at)) return true;
    if (roots.includes(at)) return false;
  }
  return false;
}

const hasFreeRadio = (model: PageModel, label: PageNode): boolean =>
  model
    .below(label)
    .some(
      ({ element: { name, attribs } }) =>
        name === "input" && attribs["type"] === "radio" && attribs["checked"] === undefined,
    );

/** The text of a node, with a label before it if one ends there: "Without VAT: 81.97 €". */
function readLineWithLabel({ model }: VisibleScope, node: PageNode): string {
  const own = model.lineOf(node);
  const parent = model.parent(node);
  if (parent === undefined || !hasOwnText(parent)) return own;
  const whole = model.lineOf(parent);
  return whole.length <= own.length + 40 && whole.endsWith(own) ? whole : own;
}

/** Text for screen readers before a price, such as "Original price". */
function isSpokenAsOther(scope: VisibleScope, node: PageNode): boolean {
  const parent = scope.model.parent(node);
  if (parent === undefined) return false;
  return scope.model
    .children(parent)
    .some(
      (sibling) =>
        sibling.spoken !== "" &&
        isHidden(sibling) &&
        sibling.index < node.index &&
        /original|regular|was|before|list|statt|bisher|ancien|antes/i.test(sibling.spoken),
    );
}
