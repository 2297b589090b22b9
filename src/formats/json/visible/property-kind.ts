// Recognizes the kind of value that a property asks for, by its name.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, type Name } from "../names/names.ts";

export const wantsAddress = (wanted: Name, shape: Shape): boolean =>
  shape.format === "uri" ||
  shape.format === "url" ||
  ["url", "image", "logo", "website"].some((concept) => wanted.concepts.has(concept));

/** True if the name is that of a price for a period: `weekly_rent`, `price_per_month`. */
export const isPriced = ({ words }: Name): boolean =>
  words.some((word) => parseName(word).concepts.has("price"));

/** A number of pieces in stock. */
export const isStockCount = ({ words, concepts }: Name, { kind }: Shape): boolean =>
  (kind === "number" || kind === "integer") &&
  (concepts.has("availability") || words.includes("stock") || words.includes("left"));

export const isCategory = ({ words }: Name, { kind }: Shape): boolean =>
  kind === "string" && /^(?:category|section|department)$/.test(words.at(-1) ?? "");

/** Who wrote a review or comment. */
export const isAuthor = ({ words, concepts }: Name): boolean =>
  concepts.has("author") ||
  /^(?:author|reviewer|user|username|nickname|customer|name|by|writer|poster)$/.test(
    words.at(-1) ?? "",
  );

/** The text of a review or comment, without its title. */
export const isReviewText = ({ words }: Name): boolean =>
  /^(?:text|body|content|comment|review|message|quote|description)$/.test(words.at(-1) ?? "");
