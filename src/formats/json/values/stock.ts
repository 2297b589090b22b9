// Decides whether a text means that an item is in stock, by the phrases shops use, as whole texts.
import buying from "./buying.json" with { type: "json" };
import phrases from "./stock.json" with { type: "json" };

export type Stock = "InStock" | "OutOfStock" | "PreOrder" | "BackOrder";

const PATTERNS: readonly (readonly [Stock, RegExp])[] = Object.entries(phrases).map(
  ([stock, list]) =>
    [stock as Stock, new RegExp(`^(?:${list.join("|")})(?:[\\s.!,:;·(–-]|$)`, "iu")] as const,
);

/** Pickup and showroom texts say nothing about whether an item can be ordered. */
const IN_STORE =
  /(?:pick-?\s?up|collect|in[- ]?store|for store|nearby|abholung|filiale|im markt|en magasin|retrait|en tienda|recogida|in negozio|ritiro|em loja|in de winkel|odbiór|в магазине|самовывоз|店舗)/iu;
const MAX_STATEMENT = 60;

/**
 * Reads the state that a short text, its first sentence or its last part states: "In stock",
 * "Currently unavailable. We don't know when …", "One size – In stock". Undefined for every other
 * text, and for texts about stores.
 */
export function readStock(text: string): Stock | undefined {
  const [sentence = ""] = text.slice(0, 200).split(/(?<=[.!。])\s/u, 1);
  const parts = text.length > 80 ? [] : text.split(/\s[-–—|·]\s/u).slice(1);
  return (
    parseState(sentence) ??
    parts.map((part) => (part.length <= 30 ? parseState(part) : undefined)).find(Boolean)
  );
}

/** Reads the value of an availability label: a state or a count. */
export function readLabeledStock(text: string): Stock | undefined {
  const stock = readStock(text);
  if (stock !== undefined) return stock;
  const [, count] = /^(?:\p{L}{2,8}\s)?(\d{1,6})(?:\s?\p{L}{1,10}\.?)?$/u.exec(text.trim()) ?? [];
  if (count === undefined) return undefined;
  return Number(count) > 0 ? "InStock" : "OutOfStock";
}

/**
 * True for a declared state in which an item can be bought, such as "https://schema.org/InStock".
 */
export function readDeclaredStock(value: string): boolean | undefined {
  const state = value
    .replace(/^.*\//, "")
    .replaceAll(/[\s_-]/g, "")
    .toLowerCase();
  if (/^(?:instock|instoreonly|onlineonly|limitedavailability|true)$/.test(state)) return true;
  return /^(?:outofstock|soldout|oos|discontinued|false)$/.test(state) ? false : undefined;
}

function parseState(part: string): Stock | undefined {
  const trimmed = part.replace(/^[^\p{L}\d]+/u, "");
  if (trimmed.length > MAX_STATEMENT || IN_STORE.test(trimmed)) return undefined;
  return PATTERNS.find(([, pattern]) => pattern.test(trimmed))?.[0];
}

const BUY_BUTTON = new RegExp(`^(?:${buying.phrases.join("|")})[\\s.!+»›>→]*$`, "iu");

/** True if the text of a button puts an item into a cart or buys it at once. */
export const isBuyButton = (text: string): boolean =>
  text.length <= 40 && BUY_BUTTON.test(text.trim());
