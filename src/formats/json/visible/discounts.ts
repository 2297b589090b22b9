// Recognizes the price before a discount by arithmetic: €219.99, €110.00 and "-50 %" side by side.
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { VisibleScope, Place } from "./visible-scope.ts";

/** Words for a price or discount that not every buyer gets: the price before it still holds. */
export const CONDITIONAL =
  /member|club|mitglied|\bcoupon|voucher|\bcode\b|gutschein|\bapp\b|subscri|\babo\b|\bprime\b|newsletter|loyalty|cart[ae]\b|socio|first order|会員|クーポン|쿠폰|회원|優惠券|会员/iu;
/** A share that is no discount. */
const OTHER_SHARE =
  /tax|fee\b|commission|honorair|provision|courtage|courtier|ttc|vat\b|mwst|ust\b|tva|iva\b|btw|moms|dph|ддс|ндс|interest|apr\b|zins|税|cashback|points?\b|cotton|baumwolle/iu;
/** Percentage points: labels are rounded. */
const TOLERANCE = 1;
/** Prices in the block of one price: before, now, per unit, the lowest of 30 days, saved. */
const MAX_PRICES = 6;
const MAX_BLOCK = 300;
const MIN_DISCOUNT = 2;
const MAX_DISCOUNT = 95;

/** The places of the prices before and after discounts. */
type Discounts = { readonly before: ReadonlySet<PageNode>; readonly after: ReadonlySet<PageNode> };

const found = new WeakMap<VisibleScope, Discounts>();

/**
 * Discounts in a scope: the smallest block with a percentage and two prices, of which one is the
 * other less the percentage.
 */
export function findDiscounts(scope: VisibleScope): Discounts {
  let discounts = found.get(scope);
  if (discounts === undefined) {
    const pairs = listReductions(scope);
    discounts = {
      before: new Set(pairs.map(([before]) => before)),
      after: new Set(pairs.map(([, after]) => after)),
    };
    found.set(scope, discounts);
  }
  return discounts;
}

type Reduction = readonly [before: PageNode, after: PageNode];

function listReductions(scope: VisibleScope): Reduction[] {
  const prices = scope.places.filter(({ value }) => value.type === "price");
  if (prices.length < 2) return [];
  return scope.places.flatMap(({ value, node }) => {
    const share = Math.abs(value.amount ?? 0);
    if (value.type !== "percent" || share < MIN_DISCOUNT || share > MAX_DISCOUNT) return [];
    const block = findPriceBlock(scope.model, node, prices);
    return block === undefined ? [] : findReductions(block, share);
  });
}

/** The prices of the smallest part around a percentage that has two amounts. */
function findPriceBlock(
  model: PageModel,
  share: PageNode,
  prices: readonly Place[],
): readonly Place[] | undefined {
  for (let at: PageNode | undefined = share; at !== undefined; at = model.parent(at)) {
    const part = at;
    if (part.to - part.from > MAX_BLOCK) return undefined;
    const inside = prices.filter(({ node }) => model.contains(part, node));
    if (inside.length > MAX_PRICES) return undefined;
    if (new Set(inside.map(({ value }) => value.amount)).size < 2) continue;
    const text = model.lineOf(part);
    return CONDITIONAL.test(text) || OTHER_SHARE.test(text) ? undefined : inside;
  }
  return undefined;
}

function findReductions(prices: readonly Place[], share: number): Reduction[] {
  return prices.flatMap(({ value: { amount = 0 }, node: before }) =>
    prices.flatMap(({ value, node: after }): Reduction[] => {
      const isReduced = isReducedBy(amount, value.amount ?? 0, share) && !isStruck(after);
      return isReduced ? [[before, after]] : [];
    }),
  );
}

/** True if a price is another one less a percentage, which labels round. */
export const isReducedBy = (before: number, after: number, percent: number): boolean =>
  Math.abs((1 - after / before) * 100 - percent) <= TOLERANCE;
