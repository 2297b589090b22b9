// Tells prices that the page labels as those of something else: "Bicycle reservation: £2.50".
import { isKnownName, parseName, type Name } from "../names/names.ts";
import { FIRM_PAIRS } from "./label-match.ts";
import { isPriced } from "./property-kind.ts";
import type { Place, VisibleScope } from "./visible-scope.ts";

/** Labels that say nothing about the thing: "Now", "From", "Price incl. VAT". */
const NEUTRAL =
  /^(?:now|from|only|just|today|total|sale|offer|special|deal|new|value|sum|ab|nur|jetzt|heute|aktuell|gesamt|summe|aktion|angebot|seulement|maintenant|à partir de|dès|solo|ahora|desde|hoy|ora|oggi|da|totale|nu|vanaf|voor|totaal|teraz|od|razem|od teraz)\b/iu;

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
  if (isPriced(label) || isKnownName(pair.label)) return false;
  return !label.words.some((word) => words.includes(word) || typeWords.has(word));
}
