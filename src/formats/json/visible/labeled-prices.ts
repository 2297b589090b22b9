// Detects prices that the page labels as those of something else: "Bicycle reservation: £2.50".
import { isKnownName, parseName, type Name } from "../names/names.ts";
import { FIRM_PAIRS } from "./label-match.ts";
import { isPriced } from "./property-kind.ts";
import type { Place, VisibleScope } from "./visible-scope.ts";

/** Labels that say nothing about the thing: "Now", "From", "Price incl. VAT". */
const NEUTRAL =
  /^(?:now|from|only|just|today|total|sale|offer|special|deal|new|value|sum|ab|nur|jetzt|heute|aktuell|gesamt|summe|aktion|angebot|seulement|maintenant|à partir de|dès|solo|ahora|desde|hoy|ora|oggi|da|totale|nu|vanaf|voor|totaal|teraz|od|razem|od teraz)\b/iu;

/** Concepts that are paid beside the thing of a page: "Breakfast: €14" is no price of a room. */
const EXTRAS: ReadonlySet<string> = new Set([
  "adult",
  "annual pass",
  "audio guide",
  "baggage",
  "breakfast",
  "child",
  "cleaning fee",
  "combined ticket",
  "corkage",
  "extra bed",
  "family",
  "guided tour",
  "insurance",
  "internet access",
  "membership fee",
  "pet fee",
  "reservations",
  "road tax",
  "senior",
  "single supplement",
  "student",
  "tourist tax",
  "wine pairing",
]);

/** True for a price of the page whose label names neither a price nor a word of the property. */
export function isLabeledAsOtherThing(
  scope: VisibleScope,
  { node, value }: Place,
  { words }: Name,
  typeWords: ReadonlySet<string>,
): boolean {
  if (!scope.isPage) return false;
  const pair = scope.pairs.find(
    (each) =>
      FIRM_PAIRS.has(each.kind) &&
      (each.node === node || scope.model.contains(each.node, node)) &&
      each.value.includes(value.text),
  );
  if (pair === undefined || NEUTRAL.test(pair.label)) return false;
  const label = parseName(pair.label);
  const isExtra = [...label.concepts].some((concept) => EXTRAS.has(concept));
  if (isPriced(label) || (!isExtra && isKnownName(pair.label))) return false;
  return !label.words.some((word) => words.includes(word) || typeWords.has(word));
}
