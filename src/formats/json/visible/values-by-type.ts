// Finds the value of a property by its type: the only price, rating, e-mail address or date of an
// item, a count with its noun.
import { findPeriodInWords } from "./price-periods.ts";
import { findPricesForPeriod } from "./prices-for-period.ts";
import { mayBeCurrency } from "../../../page-model/currency.ts";
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf } from "../declared/finding.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import { findAddress, type AddressPart } from "./address.ts";
import { readCategories } from "./breadcrumbs.ts";
import { findInEntry } from "./catalog-entries.ts";
import { findByClass, hasOtherName } from "./class-labels.ts";
import { findCited } from "./citations.ts";
import { listChoiceGroups } from "./choice-groups.ts";
import { findDeliveryTimes, findShippingCosts, findStockCounts } from "./delivery.ts";
import { findRatingCounts, findRatings } from "./item-ratings.ts";
import { findOwnSite, findPlaceName } from "./own-site.ts";
import { findLegalName, findSiteName } from "./site-names.ts";
import { findIngredientPart } from "./ingredients.ts";
import { findFreePrice } from "./free-of-charge.ts";
import { findMatchPart } from "./match-parts.ts";
import { findDateRanges } from "./date-ranges.ts";
import { readMachineDate } from "./machine-date.ts";
import type { WantedProperty } from "./label-match.ts";
import { isLabeledAsOtherThing } from "./labeled-prices.ts";
import { findBrandAboveTitle, findBrands, findSellers } from "./named-parties.ts";
import { listPricedThings } from "./priced-things.ts";
import { findTaxInName } from "./price-tax.ts";
import {
  isAuthor,
  isCategory,
  isPlainText,
  isPriced,
  isReviewText,
  isStockCount,
  wantsAddress,
} from "./property-kind.ts";
import {
  findCurrentTemperature,
  findMeasure,
  findOnlyPercent,
  findTemperature,
} from "./record-measures.ts";
import {
  findAnswer,
  findColumnLink,
  findLinkByPath,
  findNamedLink,
  findOwnLink,
  findPageHeading,
  findPagePicture,
  findPicture,
  hasLinkedHeading,
  findProse,
  findQuestion,
  findTitle,
} from "./record-parts.ts";
import { findContacts } from "./visible-contacts.ts";
import {
  findCurrentPrices,
  findDiscountLabels,
  findEndsOfRange,
  findMemberPrices,
  findPricesFrom,
  findPricesByTax,
  struckPrices,
} from "./visible-prices.ts";
import { findReviewAuthor, findReviewText, isReviewList } from "./review-parts.ts";
import {
  selectNearestToHeading,
  selectPlacesOfType,
  type Place,
  type VisibleScope,
} from "./visible-scope.ts";
import { findUnsignedPrices } from "./unsigned-prices.ts";
import { findAvailability } from "./visible-stock.ts";
import { fold, toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";
import { isDateOf, findMachineDate, findPartialDate } from "./visible-dates.ts";
import { findEnd, isOtherEnd, OTHER_TIME } from "./other-meanings.ts";

/** `percent` and `share` of a record, and the chance of rain. */
const wantsPercent = ({ words, concepts }: Name): boolean =>
  concepts.has("chance of rain") ||
  /^(?:percent|percentage|pct|share|anteil)$/.test(words.join(" "));

/** The only value of a type in a scope; undefined if none. */
export function findByType(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const ingredient = findIngredientPart(wanted, shape, scope);
  if (ingredient !== undefined) return ingredient;
  // "€900" is the rent, and no number of months.
  if (wanted.isInTimeUnit) return undefined;
  if (wanted.isNumber) {
    const places = scope.isPage
      ? findCurrentTemperature(scope, wanted)
      : [
          ...findTemperature(scope, wanted),
          ...findMeasure(scope, wanted),
          ...(wantsPercent(wanted.base) ? findOnlyPercent(scope) : []),
        ];
    if (places.length > 0) return answerIfOnly(scope, places, shape);
  }
  const side = findMatchPart(wanted.base, shape, scope);
  if (side !== undefined) return side;
  const ranges = findDateRanges(wanted.base, shape, scope);
  if (ranges.length > 0) return answerWithRange(scope, ranges);
  const cited = findCited(wanted.base, shape, scope);
  if (cited !== undefined) return cited;
  const inEntry = findInEntry(wanted.base, shape, scope);
  if (inEntry !== undefined) return inEntry;
  const { concepts } = wanted.base;
  const has = (...names: readonly string[]): boolean => names.some((name) => concepts.has(name));
  const pick = (places: readonly Place[]): VisibleAnswer | undefined => {
    const { currency } = wanted;
    const own = places.filter((place) => {
      const { type, unit, text } = place.value;
      if (type !== "price") return true;
      const hasOwnLabels = has("list price", "shipping cost");
      if (!hasOwnLabels && isLabeledAsOtherThing(scope, place, wanted.base, wanted.typeWords))
        return false;
      return (
        currency === undefined || ((unit ?? currency) === currency && mayBeCurrency(text, currency))
      );
    });
    const answer = answerIfOnly(scope, own, shape);
    const isOther =
      answer !== undefined &&
      "found" in answer &&
      isInOtherColumn(scope, answer.found.node, wanted.base);
    return isOther ? { reason: "its column has another name" } : answer;
  };
  const tax = isPriced(wanted.base) ? findTaxInName(wanted.base) : undefined;
  if (tax !== undefined) return pick(findPricesByTax(scope, tax));
  const nearest = (places: readonly Place[]): Place[] =>
    scope.isPage ? selectNearestToHeading(scope, places) : [...places];
  if (isPriced(wanted.base) && wanted.base.words.some((word) => /^(?:member|club)$/.test(word)))
    return pick(findMemberPrices(scope));
  if (has("list price")) return pick(struckPrices(scope));
  const period = findPeriodInWords(wanted.base.words);
  if (period !== undefined && isPriced(wanted.base) && wanted.bound === undefined) {
    const isOld = wanted.base.words.some((word) => OLD.has(word));
    // What a month costs depends on the period of billing.
    if (wanted.base.words.some((word) => word.startsWith("bill"))) return undefined;
    // The price of a room per night is not the price of a dog per night.
    if (scope.isPage && listPricedThings(wanted.base).length > 0) return undefined;
    return pick(isOld ? struckPrices(scope) : findPricesForPeriod(scope, period));
  }
  if (wanted.bound !== undefined && (isPriced(wanted.base) || has("salary")))
    return pick(findEndsOfRange(scope, wanted.bound)) ?? pick(findPricesFrom(scope, wanted.bound));
  if (has("price"))
    return (
      pick(findCurrentPrices(scope)) ?? findFreePrice(scope) ?? pick(findUnsignedPrices(scope))
    );
  if (wanted.base.words.includes("discount") && shape.kind !== "string")
    return pick(findDiscountLabels(scope));
  if (has("currency")) return readVisibleCurrency(scope);
  const chosen =
    scope.isPage && shape.kind === "string" ? findSelected(scope, wanted.base) : undefined;
  if (chosen !== undefined) return chosen;
  const contacts = findContacts(wanted.base, shape, scope);
  const site = scope.isPage ? findOwnSite(scope.model) : undefined;
  if (contacts !== undefined) {
    const ofSite = site === undefined ? undefined : findContacts(wanted.base, shape, site);
    return pick(contacts.length > 0 ? contacts : (ofSite ?? []));
  }
  const addressPart = findAddressPart(wanted.base, shape);
  if (addressPart !== undefined)
    return (
      findAddress(scope, addressPart) ??
      (site === undefined ? undefined : findAddress(site, addressPart))
    );
  const company = shape.kind === "string" ? findLegalName(wanted, scope) : undefined;
  if (company !== undefined) return company;
  const place =
    scope.isPage && shape.kind === "string"
      ? (findPlaceName(wanted.base, scope) ?? findSiteName(wanted, scope))
      : undefined;
  if (place !== undefined) return place;
  if (has("rating")) return pick(nearest(findRatings(scope, isReviewList(wanted.typeWords))));
  if (has("rating count") && shape.kind !== "string") return pick(nearest(findRatingCounts(scope)));
  if (has("shipping cost")) return pick(nearest(findShippingCosts(scope)));
  if (has("delivery time") && shape.kind === "string")
    return pick(nearest(findDeliveryTimes(scope)));
  if (isStockCount(wanted.base, shape)) return pick(nearest(findStockCounts(scope)));
  if (!scope.isPage && has("brand") && isPlainText(shape)) return pick(findBrandAboveTitle(scope));
  if (scope.isPage && has("brand") && shape.kind === "string") return pick(findBrands(scope));
  if (has("seller") && shape.kind === "string") return pick(findSellers(scope));
  if (scope.isPage && isCategory(wanted.base, shape)) return findCategory(scope);
  if (has("availability")) return findAvailability(scope, shape);
  if (!scope.isPage && shape.kind === "string" && isReviewList(wanted.typeWords)) {
    if (isAuthor(wanted.name)) return findReviewAuthor(scope);
    if (isReviewText(wanted.name)) return findReviewText(scope);
  }
  if (has("name") && (shape.kind === "string" || shape.kind === "any"))
    return scope.isPage ? findPageHeading(scope, wanted.name) : findRecordTitle(scope, wanted);
  if (scope.isPage && has("image")) return findPagePicture(scope);
  if (!scope.isPage) {
    if (has("question")) return findQuestion(scope);
    if (has("answer")) return findAnswer(scope);
    // A match has links to its teams, too: `match_url` is the one that says so.
    if (has("url") || OWN_PAGE.test(wanted.name.key))
      return (
        (hasLinkedHeading(scope) ? findOwnLink(scope) : undefined) ??
        findLinkByPath(scope, wanted.name) ??
        findOwnLink(scope)
      );
    if (!has("image", "logo") && wantsAddress(wanted.base, shape))
      return findNamedLink(scope, wanted.base) ?? findColumnLink(scope, wanted.name);
    if (has("image")) return findPicture(scope);
    // A day is no time of day: `start_time` is a clock time (known-values.ts).
    const isClock = shape.format === undefined && wanted.name.words.includes("time");
    if (!isClock && has("date", "published", "start"))
      return (
        pick(selectPlacesOfType(scope, "date").filter((place) => isDateOf(scope, place))) ??
        findMachineDate(scope, shape, !has("date", "published")) ??
        findPartialDate(scope)
      );
    if (has("description")) return findProse(scope);
  }
  if (shape.kind === "number" || shape.kind === "integer")
    return readVisibleCount(wanted, scope, shape) ?? findDirect(wanted.base, scope);
  return undefined;
}

function findAddressPart({ concepts }: Name, shape: Shape): AddressPart | undefined {
  if (shape.kind !== "string" || shape.enum !== undefined) return undefined;
  if (concepts.has("postal code")) return "postalCode";
  if (concepts.has("address")) return "whole";
  if (concepts.has("street")) return "street";
  return concepts.has("city") ? "city" : undefined;
}

/** The selected choice of the only group with the property's name. */
function findSelected(scope: VisibleScope, wanted: Name): VisibleAnswer | undefined {
  const [group, ...others] = listChoiceGroups(scope).filter(
    ({ label }) => scoreSimilarity(wanted, parseName(label)) >= 0.9,
  );
  const [chosen, ...more] = (group?.items ?? []).filter(({ isSelected }) => isSelected);
  if (chosen === undefined || others.length > 0 || more.length > 0) return undefined;
  const leaf = toVisibleLeaf(scope, chosen.node, chosen.text, "label", chosen.text);
  return { found: { leaves: [leaf], confidence: "medium", node: chosen.node } };
}

/** The lowest level of the breadcrumbs. */
function findCategory(scope: VisibleScope): VisibleAnswer | undefined {
  const node = readCategories(scope.model).at(-1);
  if (node === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, node, scope.model.lineOf(node), "list");
  return { found: { leaves: [leaf], confidence: "medium", node } };
}

/**
 * The title of a record: its heading, unless that has the class of another property: `lot__artist`.
 */
function findRecordTitle(scope: VisibleScope, wanted: WantedProperty): VisibleAnswer | undefined {
  const heading = findTitle(scope);
  if (heading === undefined || !("found" in heading)) return heading;
  const named = hasOtherName(heading.found.node) ? findByClass(wanted, scope) : undefined;
  return named === undefined ? heading : { found: named };
}

const CHANGES =
  /^(?:change|transfer|stop|stopover|layover|umstieg|umsteigen|correspondance|przesiadka)$/;

const DIRECT =
  /^(?:direct|non-?stop|direct (?:train|flight|bus|connection)|no changes|direkt|direktverbindung|ohne umstieg|sans changement|trajet direct|directo|sin transbordos?|diretto|senza cambi|direto|rechtstreeks|zonder overstap|bezpośredni[oae]?|přímý|přímé spojení|direkte|suora|без пересадок|прямой|直達|直行|直达)$/iu;

/** "Direct" in a connection is no change. */
function findDirect({ words }: Name, scope: VisibleScope): VisibleAnswer | undefined {
  if (scope.isPage || !CHANGES.test(words.at(-1) ?? "")) return undefined;
  const [node, ...others] = scope.pieces.filter((piece) =>
    DIRECT.test(scope.model.lineOf(piece).trim()),
  );
  if (node === undefined || others.length > 0) return undefined;
  const leaf = toVisibleLeaf(scope, node, 0, "list", scope.model.lineOf(node));
  return { found: { leaves: [leaf], confidence: "medium", node } };
}

/**
 * True in a table cell below a header that is known to mean something else: "Total" is no price.
 */
function isInOtherColumn({ model, cells }: VisibleScope, node: PageNode, wanted: Name): boolean {
  const named = cells.find(({ cell }) => model.contains(cell.node, node));
  if (named === undefined) return false;
  const { concepts } = parseName(named.name);
  // "Admission" is the price of a concert.
  if (concepts.has("ticket price") && wanted.key === "price") return false;
  return concepts.size > 0 && ![...concepts].some((concept) => wanted.concepts.has(concept));
}

/** The line with the only range of dates; its end is chosen by the property's name. */
function answerWithRange(scope: VisibleScope, ranges: readonly Place[]): VisibleAnswer {
  const [first] = ranges;
  const different = new Set(ranges.map(({ value }) => value.unit)).size;
  if (first === undefined || different > 1)
    return { reason: `the page shows ${different} ranges of dates` };
  const leaf = toVisibleLeaf(scope, first.node, first.value.text, "list", first.value.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

const OLD: ReadonlySet<string> = new Set([
  "old",
  "original",
  "previous",
  "former",
  "regular",
  "list",
  "was",
]);

function answerIfOnly(
  scope: VisibleScope,
  places: readonly Place[],
  shape: Shape,
): VisibleAnswer | undefined {
  const [first] = places;
  if (first === undefined) return undefined;
  const different = new Set(
    places.map(({ value }) => value.amount ?? value.unit ?? fold(value.text)),
  );
  if (different.size > 1) return { reason: `the page shows ${different.size} values of its type` };
  return {
    found: {
      leaves: [toLeaf(scope, first, shape)],
      confidence: scope.isPage ? "medium" : "high",
      node: first.node,
    },
  };
}

function toLeaf(scope: VisibleScope, { value, node }: Place, shape: Shape): Leaf {
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const given =
    isNumber && value.amount !== undefined
      ? value.amount
      : value.type === "date" && shape.format !== undefined
        ? (readMachineDate(scope.model, node, shape) ?? value.unit ?? value.text)
        : value.text;
  return toVisibleLeaf(scope, node, given, "list", value.text);
}

function readVisibleCurrency(scope: VisibleScope): VisibleAnswer | undefined {
  const isKnown = ({ value }: Place): boolean => value.unit !== undefined;
  const current = findCurrentPrices(scope).filter(isKnown);
  // A page of many prices has one currency if all of them do.
  const prices = current.length > 0 ? current : selectPlacesOfType(scope, "price").filter(isKnown);
  const [first] = prices;
  if (first === undefined || new Set(prices.map(({ value }) => value.unit)).size > 1)
    return undefined;
  const leaf = toVisibleLeaf(scope, first.node, first.value.unit ?? "", "list", first.value.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/** The page of the record itself: `profile_url`, `detail_link`. */
const OWN_PAGE =
  /^(?:profile|detail|own|item|product)(?: page)? (?:url|link|href|uri)$|^permalink$/;

const COUNT_WORDS: ReadonlySet<string> = new Set(["count", "number", "num", "total", "of"]);

/** "4 bedrooms", "128 reviews": a number followed by the property's name. */
function readVisibleCount(
  { base: wanted, name, bound }: WantedProperty,
  scope: VisibleScope,
  shape: Shape,
): VisibleAnswer | undefined {
  // "25 min." counts minutes.
  if (wanted.concepts.has("minimum") || wanted.concepts.has("maximum")) return undefined;
  // `student_count` is a number of students.
  const words = wanted.words.filter((word) => !COUNT_WORDS.has(word));
  const counted = parseName(words.join(" "));
  const places = selectPlacesOfType(scope, "quantity").filter(
    ({ value, node }) =>
      // "2025 revenue" is that of the year, "1993, elevation 9 m" has another number.
      !/^(?:19|20)\d\d\s|^\S*\d[.,;:]\s/.test(value.text) &&
      (countsSame([wanted, counted], value.unit ?? "") ||
        (wanted.concepts.has("guests") &&
          isCountOfPersons(scope.model.lineOf(node), bound ?? findEnd(name)))) &&
      !(scope.isPage && OTHER_TIME.test(scope.model.lineOf(node))) &&
      !isOtherEnd(bound ?? findEnd(name), scope.model.lineOf(node), value.text),
  );
  return answerIfOnly(scope, places, shape);
}

/** True if a counted noun is what one of the names counts. */
const countsSame = (names: readonly Name[], unit: string): boolean =>
  names.some((name) => scoreSimilarity(name, parseName(unit)) >= 0.9);

/**
 * "2 people", "up to 4 Personen": the guests of a room; "12 people are looking at this" are others.
 */
const PERSONS =
  /^(?:\p{L}+\s)?(?:(?:for|max\.?|up to|sleeps|für|bis zu|pour|jusqu['’]à|para|hasta|per|fino a|voor|tot)\s)?\d{1,2}\s(?:persons?|people|guests?|adults?|personen|gäste|personnes?|personas?|huéspedes|persone|ospiti|pessoas|hóspedes|gasten|osoby?|osób|personer|gäster)$/iu;
const FEWER = /(?<!\d)\d{1,2}\s?[–-]\s?(?=\d)/;

/** "2–5 Personen" are at most five. */
const isCountOfPersons = (line: string, end: WantedProperty["bound"]): boolean =>
  line
    .split(/\s*[·•|,]\s*/u)
    .some((part) => PERSONS.test((end === "high" ? part.replace(FEWER, "") : part).trim()));
