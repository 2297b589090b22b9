// The thing beside the item of a page that a price for a period is asked for: the dog of
// `dog_fee_per_night`.
import type { Name } from "../names/names.ts";
import { findPeriodInWords } from "./price-periods.ts";

/** Words of the price of a page's own item for a period. */
const OWN_PRICE =
  /^(?:price|rent|rate|cost|fee|fare|per|total|base|current|average|old|original|previous|former|regular|list|was|asking|gross|net|cold|warm|room|plan|amount|charge|salary|wage|pay|preis|miete|prix|loyer|precio|alquiler|prezzo|affitto|from|ab|min|max)$/;

/** The words that name another thing than the item; none for `price_per_night`. */
export const listPricedThings = ({ words }: Name): string[] =>
  findPeriodInWords(words) === undefined
    ? []
    : words.filter((word) => !OWN_PRICE.test(word) && findPeriodInWords([word]) === undefined);
