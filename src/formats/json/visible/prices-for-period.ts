// The prices that a page gives for a period: per night, a month, a year.
import type { PageModel } from "../../../page-model/page-model.ts";
import {
  MAX_PRICE_LINE,
  selectPlacesOfType,
  type VisibleScope,
  type Place,
} from "./visible-scope.ts";
import { isCurrent, findCurrentPrices, isInProse } from "./visible-prices.ts";
import { type Period, findPeriod } from "./price-periods.ts";

/** Prices for a period: those that state it; for a month or week, else those of no stated period. */
export function findPricesForPeriod(scope: VisibleScope, period: Period): Place[] {
  const prices = selectPlacesOfType(scope, "price").filter(
    (place) =>
      isCurrent(scope, place) &&
      (place.value.amount ?? 0) >= 0 &&
      !(scope.isPage && isInProse(scope, place.node)),
  );
  const own = prices.filter((place) => findPeriod(scope, place) === period);
  if (own.length > 0) return own;
  // Cards of plans and rents leave out the usual period; a price for an hour or a year is stated.
  if (!isUsualPeriod(scope.model, period)) return [];
  return prices.some((place) => findPeriod(scope, place) !== undefined)
    ? []
    : findCurrentPrices(scope);
}

const USUAL: Readonly<Partial<Record<Period, RegExp>>> = {
  month: /month|monat|mois|mensu|\bmes\b|mese|miesi|měs|måned|månad|месяц|月/iu,
  week: /week|woche|semaine|semana|settimana|tydz|\bp\.?w\b/iu,
};

const usualPeriods = new WeakMap<PageModel, Map<Period, boolean>>();

/** True if the page names the period, but not beside one of its prices: then others have another. */
function isUsualPeriod(model: PageModel, period: Period): boolean {
  const known = usualPeriods.get(model) ?? new Map<Period, boolean>();
  usualPeriods.set(model, known);
  let isUsual = known.get(period);
  if (isUsual === undefined) {
    const word = USUAL[period];
    const lines =
      word === undefined ? [] : model.text.split("\n").filter((line) => word.test(line));
    isUsual =
      lines.length > 0 &&
      !lines.some((line) => line.length < MAX_PRICE_LINE && /\p{Sc}/u.test(line));
    known.set(period, isUsual);
  }
  return isUsual;
}
