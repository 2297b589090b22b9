// Decides whether the page shows an amount as its current price, as a former one or as another one.
import type { PageModel } from "../../../page-model/page-model.ts";
import { selectPlacesOfType, VisibleScope } from "./visible-scope.ts";
import { isCurrent, isLabeledAsFormer, isLabeledAsOther } from "./visible-prices.ts";

export type ShownPrice = "current" | "other" | "former";

const shownPrices = new WeakMap<PageModel, ReadonlyMap<number, ShownPrice>>();

/**
 * How the page shows an amount: "former" if crossed out or before a discount where it comes first,
 * "other" if each time with a label such as "Starting price"; undefined if not at all.
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
      const known = all.get(at);
      // "was €465,000" below the heading comes before the history of prices.
      if (known === "former" || known === "current") continue;
      if (!isCurrent(scope, place) || isLabeledAsFormer(scope, place))
        all.set(at, known ?? "former");
      else all.set(at, isLabeledAsOther(scope, place) ? "other" : "current");
    }
    shown = all;
    shownPrices.set(model, shown);
  }
  return shown.get(amount);
}
