// Recognizes the kind of value that a property asks for, by its name.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, type Name } from "../names/names.ts";

/** True if the value must be a URL: by its format, or as `docs_url`. */
export const isUrl = ({ words }: Name, { kind, format }: Shape): boolean =>
  format === "uri" ||
  format === "url" ||
  (kind === "string" && words.length > 1 && words.at(-1) === "url");

/** True for the address of a picture: `image`, `logo_url`. */
export const wantsPicture = ({ words, concepts }: Name): boolean =>
  concepts.has("image") ||
  concepts.has("logo") ||
  words.some((word) => /^(?:image|logo|photo|picture|thumbnail|avatar|cover|icon)$/.test(word));

export const wantsAddress = (wanted: Name, shape: Shape): boolean =>
  isUrl(wanted, shape) ||
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
