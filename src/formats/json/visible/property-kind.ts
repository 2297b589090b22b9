// Recognizes the kind of value that a property asks for, by its name.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, type Name } from "../names/names.ts";

export const wantsAddress = (wanted: Name, shape: Shape): boolean =>
  shape.format === "uri" ||
  shape.format === "url" ||
  (shape.kind === "string" && wanted.words.length > 1 && wanted.words.at(-1) === "url") ||
  ["url", "image", "logo", "website"].some((concept) => wanted.concepts.has(concept));

/** True if the name is that of a price for a period: `weekly_rent`, `price_per_month`. */
export const isPriced = ({ words }: Name): boolean =>
  words.some((word) => parseName(word).concepts.has("price"));

/** A text without a format or options. */
export const isPlainText = ({ kind, format, enum: options }: Shape): boolean =>
  kind === "string" && format === undefined && options === undefined;

/** A number of pieces in stock; `stock_price` is none. */
export const isStockCount = (name: Name, { kind }: Shape): boolean =>
  (kind === "number" || kind === "integer") &&
  !isPriced(name) &&
  (name.concepts.has("availability") || name.words.includes("stock"));

export const isCategory = ({ words }: Name, { kind }: Shape): boolean =>
  kind === "string" && /^(?:category|section)$/.test(words.at(-1) ?? "");

const WRITER = /^(?:author|reviewer|user|username|nickname|customer|by|writer|poster)$/;

/** The writer of a review or comment: `author`, `reviewer_name`, `name`; no `product_name`. */
export const isAuthor = ({ words, concepts, key }: Name): boolean =>
  concepts.has("author") || key === "name" || words.some((word) => WRITER.test(word));

/** The text of a review or comment, without its title. */
export const isReviewText = ({ words }: Name): boolean =>
  /^(?:text|body|content|comment|review|message|quote|description)$/.test(words.at(-1) ?? "");
