// Decides whether the page shows an amount as its current price, as a former one or as another one.
import type { PageModel } from "../../../page-model/page-model.ts";
import { selectPlacesOfType, VisibleScope } from "./visible-scope.ts";
import { isCurrent, isLabeledAsOther } from "./visible-prices.ts";

export type ShownPrice = "current" | "other" | "former";

const shownPrices = new WeakMap<PageModel, ReadonlyMap<number, ShownPrice>>();

/**
 * How the page shows an amount: "former" if each time crossed out or before a discount, "other" if
 * each time with a label such as "Starting price"; undefined if not at all.
 */
export function findShownPrice(
  amount: number,
  model: PageModel | undefined,
): ShownPrice | undefined {
  if (model === undefined) return undefined;
  let shown = shownPrices.get(model);
  if (shown === undefined) {
    const scope = VisibleScope.page(model);
    const all = new Map<number, ShownPrice>();
    for (const place of selectPlacesOfType(scope, "price")) {
      const at = place.value.amount ?? 0;
      if (isCurrent(scope, place) && !isLabeledAsOther(scope, place)) all.set(at, "current");
      else if (all.get(at) !== "current")
        all.set(at, isCurrent(scope, place) ? "other" : (all.get(at) ?? "former"));
    }
    shown = all;
    shownPrices.set(model, shown);
  }
  return shown.get(amount);
}
