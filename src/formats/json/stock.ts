// Whether a text says that something can be bought: the phrases shops use, as whole texts.
import buying from "./buying.json" with { type: "json" };
import phrases from "./stock.json" with { type: "json" };

export type Stock = "InStock" | "OutOfStock" | "PreOrder" | "BackOrder";

const PATTERNS: readonly (readonly [Stock, RegExp])[] = Object.entries(phrases).map(
  ([stock, list]) =>
    [stock as Stock, new RegExp(`^(?:${list.join("|")})(?:[\\s.!,:;·(–-]|$)`, "iu")] as const,
);

/** The state that a short text states at its beginning; undefined for every other text. */
export function readStock(text: string): Stock | undefined {
  const trimmed = text.replace(/^[^\p{L}\d]+/u, "");
  if (trimmed.length > 60) return undefined;
  return PATTERNS.find(([, pattern]) => pattern.test(trimmed))?.[0];
}

const BUYING = new RegExp(`^(?:${buying.phrases.join("|")})[\\s.!+»›>→]*$`, "iu");

/** Whether the text of a button puts an item into a cart or buys it at once. */
export const buys = (text: string): boolean => text.length <= 40 && BUYING.test(text.trim());
