// Texts of labels that state no single amount: ranges, alternatives, limits, waived fees, shares.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { findBoundBefore } from "../values/measures.ts";
import { A_PERIOD, ANY_TIME, TIMES } from "../values/time-words.ts";
import { isPriced } from "./property-kind.ts";
import type { WantedProperty } from "./label-match.ts";

const NUMBER = String.raw`[-−–]?(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,]*`;
const UNIT = String.raw`(?:\s?(?:[%°]?\p{L}{0,10}|\p{Sc}))?`;
const RANGE = new RegExp(
  String.raw`(?<![\d.,:/\p{L}])\d[\d.,]*${UNIT}\s?(?:[–—…/]|-(?!\d{2,3}-)|\s(?:to|bis|or|oder|ou|o|à|a|tot|of|do|till|til)\s)\s?${NUMBER}(?![\d.,]*\s?円?以上|[\d/:])`,
  "iu",
);
const NO_AMOUNT =
  /(?<!\p{L})(?:waived|none|refund\p{L}*|until|was|were|used to|due|instead of|on request|worth|of (?:the|all|buyers|customers|users|students)|entfällt|entfallen|erlassen|statt|auf Anfrage|keine?|offerte?|sur demande|gratuit\p{L}*|au lieu de|remboursés?|exent[oa]|bajo petición|su richiesta|op aanvraag|vervalt)(?!\p{L})/iu;
const MONEY =
  /^(?:fee|deposit|charge|cost|surcharge|supplement|premium|fine|kaution|gebuhr|pfand|caution|frais|fianza|cauzione|borg|rent)$/;
const SHARE =
  /^(?:percent|percentage|pct|rate|share|discount|rabatt|remise|descuento|sconto|korting)$/;

/** "up to 5 years", "from €400". */
const hasLimit = (text: string): boolean =>
  [...text.matchAll(/\p{Sc}?\s?\d[\d.,]*/gu)].some(
    ({ index }) => findBoundBefore(text.slice(0, index)) !== undefined,
  );

/** "7 days a week" is no amount of days. */
const isOfPeriod = (text: string): boolean => {
  const found = ANY_TIME.exec(text);
  return found !== null && A_PERIOD.test(text.slice(found.index + found[0].length));
};

/**
 * True if the text of a label states no single amount of the property. Prices may begin with "from":
 * then they are the lowest ones.
 */
export function isUncertainAmount(
  text: string,
  { name, base, bound, isOneEnd }: WantedProperty,
  { kind }: Shape,
): boolean {
  if ((kind !== "number" && kind !== "integer") || bound !== undefined || isOneEnd) return false;
  const isTime = TIMES[name.words.at(-1) ?? ""] !== undefined;
  const isShare = name.words.some((word) => SHARE.test(word));
  const isMoney = !isShare && base.words.some((word) => MONEY.test(word));
  if (base.concepts.has("shipping cost")) return hasLimit(text) || RANGE.test(text);
  if (!isTime && !isShare && !isMoney) return !isPriced(base) && ONLY_RANGE.test(text.trim());
  if (hasLimit(text) || RANGE.test(text) || NO_AMOUNT.test(text) || isOfPeriod(text)) return true;
  // "Deposit: 14 days before arrival", "Setup fee: 10% of the first invoice".
  return isMoney && (ANY_TIME.test(text) || /\d\s?[%％]/.test(text));
}

/** A range and its unit, and nothing else. */
const ONLY_RANGE = new RegExp(
  String.raw`^(?:de\s|von\s|from\s)?${NUMBER}${UNIT}\s?(?:[–—…]|-|\s(?:to|bis|à|a|tot)\s)\s?${NUMBER}${UNIT}$`,
  "iu",
);
