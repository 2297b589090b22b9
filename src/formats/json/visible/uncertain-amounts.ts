// Texts of labels that state no single amount: ranges, alternatives, limits, waived fees, shares.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isPriced } from "./property-kind.ts";
import type { WantedProperty } from "./label-match.ts";

const NUMBER = String.raw`[-−–]?(?:\p{Sc}|[A-Z]{3})?\s?\d[\d.,]*`;
const UNIT = String.raw`(?:\s?(?:[%°]?\p{L}{0,10}|\p{Sc}))?`;
const RANGE = new RegExp(
  String.raw`(?<![\d.,:/\p{L}])\d[\d.,]*${UNIT}\s?(?:[–—…/]|-(?!\d{2,3}-)|\s(?:to|bis|or|oder|ou|o|à|a|tot|of|do|till|til)\s)\s?${NUMBER}(?![\d.,]*\s?円?以上|[\d/:])`,
  "iu",
);
const LIMIT = new RegExp(
  String.raw`(?<!\p{L})(?:up to|at least|at most|more than|less than|over|under|from|starting at|ab|bis zu|mindestens|höchstens|über|unter|max\.?|min\.?|à partir de|jusqu['’]à|au moins|plus de|moins de|dès|desde|hasta|al menos|más de|menos de|a partir de|da|fino a|almeno|oltre|vanaf|tot|minstens|meer dan|od|från|fra)\s${NUMBER}`,
  "iu",
);
const NOT_NOW =
  /(?<!\p{L})(?:waived|none|refund\p{L}*|until|was|were|used to|due|instead of|on request|worth|of (?:the|all|buyers|customers|users|students)|entfällt|entfallen|erlassen|statt|auf Anfrage|keine?|offerte?|sur demande|gratuit\p{L}*|au lieu de|remboursés?|exent[oa]|bajo petición|su richiesta|op aanvraag|vervalt)(?!\p{L})/iu;
const A_PERIOD =
  /\d\s?\p{L}+\s(?:(?:a|per|each|every|pro|die|par|por|al|sur|op)\s)(?:week|month|year|day|woche|monat|jahr|tag|semaine|mois|an|jour|semana|mes|año|settimana|mese|anno|maand|jaar|\d)/iu;
const MONEY =
  /^(?:fee|deposit|charge|cost|surcharge|supplement|premium|fine|kaution|gebuhr|pfand|caution|frais|fianza|cauzione|borg|rent)$/;
const OTHER_UNIT =
  /\d\s?(?:[%％]|(?:days?|weeks?|months?|years?|hours?|minutes?|tage?n?|wochen?|monats?\p{L}*|jahre?n?|stunden?|jours?|semaines?|mois|ans?|días?|meses|años?|giorni|mesi|anni|dagen|weken|maanden|jaar)(?!\p{L}))/iu;

/**
 * True if the text of a label states no single amount of the property. Prices may begin with "from":
 * then they are the lowest ones.
 */
export function isUncertainAmount(
  text: string,
  { name, base, bound, isInTimeUnit, isOneEnd }: WantedProperty,
  { kind }: Shape,
): boolean {
  if ((kind !== "number" && kind !== "integer") || bound !== undefined || isOneEnd) return false;
  const isShare = name.words.some((word) => /^(?:percent|percentage|pct|rate|share)$/.test(word));
  const isMoney =
    !isShare && !base.concepts.has("shipping cost") && base.words.some((word) => MONEY.test(word));
  if (base.concepts.has("shipping cost")) return LIMIT.test(text) || RANGE.test(text);
  const isPrice = isPriced(base) && !isMoney;
  if (isPrice) return false;
  if (isInTimeUnit || isMoney) {
    if (LIMIT.test(text) || NOT_NOW.test(text) || A_PERIOD.test(text)) return true;
    if (isMoney && OTHER_UNIT.test(text)) return true;
    return RANGE.test(text);
  }
  return ONLY_RANGE.test(text.trim());
}

/** A range and its unit, and nothing else. */
const ONLY_RANGE = new RegExp(
  String.raw`^(?:de\s|von\s|from\s)?${NUMBER}${UNIT}\s?(?:[–—…]|-|\s(?:to|bis|à|a|tot)\s)\s?${NUMBER}${UNIT}$`,
  "iu",
);
