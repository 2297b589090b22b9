// Products in linked data (schema.org Product and ProductGroup): prices, makers and variants.
import { isObject } from "../../runtime/is-object.ts";
import { decodeLeftovers } from "../parse/decode-leftovers.ts";

/** A product: its name and facts as labels and values in the page's own words and numbers. */
export type ProductData = {
  readonly name: string;
  readonly facts: readonly ProductFact[];
};
export type ProductFact = { readonly label: string; readonly value: string };

/** Label of the fact with the price. */
export const PRICE_LABEL = "Price";

type Data = Readonly<Record<string, unknown>>;

/** Maximum objects to read in one piece of linked data, and products to take from it. */
const MAX_OBJECTS = 2_000;
const MAX_PRODUCTS = 20;
const MAX_PROPERTIES = 30;
const MAX_VARIANTS = 30;
/** Longer values are prose. */
const MAX_VALUE_CHARACTERS = 120;
const PLAIN: readonly (readonly [key: string, label: string])[] = [
  ["brand", "Brand"],
  ["manufacturer", "Manufacturer"],
  ["model", "Model"],
  ["sku", "SKU"],
  ["gtin13", "GTIN"],
  ["mpn", "MPN"],
  ["color", "Color"],
  ["size", "Size"],
  ["material", "Material"],
  ["weight", "Weight"],
];

/** Reads products from a script of linked data. Returns none for broken JSON. */
export function readProducts(json: string): ProductData[] {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return [];
  }
  const products: ProductData[] = [];
  const open: unknown[] = [data];
  for (let at = 0; at < open.length && at < MAX_OBJECTS; at++) {
    const part = open[at];
    if (Array.isArray(part)) open.push(...part.slice(0, MAX_OBJECTS));
    if (!isObject(part)) continue;
    if (isProduct(part)) {
      if (products.length < MAX_PRODUCTS) products.push(readProduct(part));
      continue;
    }
    for (const key of ["@graph", "mainEntity", "itemListElement", "item"])
      if (part[key] !== undefined) open.push(part[key]);
  }
  return products;
}

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
const isProduct = (data: Data): boolean =>
  toList(data["@type"]).some((type) => type === "Product" || type === "ProductGroup");

function readProduct(data: Data): ProductData {
  const variants = toList(data["hasVariant"]).filter(isObject);
  const names = variants.map((variant) => toText(variant["name"])).filter((name) => name !== "");
  const facts = [
    ...PLAIN.flatMap(([key, label]) => toFacts(label, data[key])),
    ...toList(data["additionalProperty"])
      .filter(isObject)
      .slice(0, MAX_PROPERTIES)
      .flatMap((property) => toFacts(toText(property["name"]), { ...property, name: "" })),
    ...readOffers([data, ...variants]),
    ...[...new Set(names)].slice(0, MAX_VARIANTS).flatMap((name) => toFacts("Variant", name)),
  ];
  return { name: toText(data["name"]), facts };
}

/** Reads the lowest price, the highest if it differs, and the availability. */
function readOffers(sellers: readonly Data[]): ProductFact[] {
  const offers = sellers.flatMap((seller) => toList(seller["offers"])).filter(isObject);
  const stated = offers.flatMap((offer) => [offer, ...readCurrentPrices(offer)]);
  const prices = stated
    .flatMap((offer) => [offer["price"], offer["lowPrice"], offer["highPrice"]])
    .map(toText)
    .filter((price) => Number.isFinite(Number(price)) && Number(price) > 0)
    .sort((one, two) => Number(one) - Number(two));
  const currency = stated
    .map((offer) => toText(offer["priceCurrency"]))
    .find((name) => name !== "");
  const [low] = prices;
  const high = prices.at(-1);
  const price = low === high ? low : `${low} – ${high}`;
  const availability = offers.map((offer) => toText(offer["availability"])).find((at) => at !== "");
  return [
    ...(price === undefined
      ? []
      : toFacts(PRICE_LABEL, [price, currency].filter(Boolean).join(" "))),
    ...toFacts(
      "Availability",
      (availability ?? "")
        .replace(/^.*\//, "")
        .replace(/\B[A-Z]/g, " $&")
        .toLowerCase(),
    ),
  ];
}

/** Returns the prices of an offer that are neither former ones nor those of a unit such as 1 kg. */
const readCurrentPrices = (offer: Data): Data[] =>
  toList(offer["priceSpecification"])
    .filter(isObject)
    .filter(
      (price) =>
        price["referenceQuantity"] === undefined &&
        !/List|Regular|MSRP|SRP/.test(toText(price["priceType"])),
    );

function toFacts(label: string, value: unknown): ProductFact[] {
  const text = toText(value);
  return label === "" || text === "" || text.length > MAX_VALUE_CHARACTERS
    ? []
    : [{ label, value: text }];
}

/** Returns a string or number, the name or value of an object, or "" for anything else. */
function toText(value: unknown): string {
  if (typeof value === "string") return decodeLeftovers(value.replaceAll(/<[^<>]*>/g, " "));
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return toText(value[0]);
  if (!isObject(value)) return "";
  const own = toText(value["name"]) || toText(value["value"]);
  const unit = toText(value["unitText"]);
  return unit === "" || own === "" ? own : `${own} ${unit}`;
}
