// Verifies that a model's answer is on the page. Quotes are searched in the text that the model
// saw, ignoring case, punctuation and whitespace; a value must be in its quote.
import { shorten, type Evidence } from "./finding.ts";
import { escape } from "../../runtime/json-schema/pointer.ts";

/** Keeps letters and digits of any script in lower case, with single spaces between. */
export const foldText = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();

export type PageText = {
  readonly folded: string;
  readonly written: string;
  readonly lower: string;
  /** The text with thousands separators removed from numbers. */
  readonly plain: string;
};

const THOUSANDS = /(?<=\d)[\s,.'’](?=\d{3}(?!\d))/g;

export const toPageText = (written: string): PageText => ({
  written,
  lower: written.toLowerCase(),
  plain: written.replaceAll(THOUSANDS, ""),
  folded: ` ${foldText(written)} `,
});

/** Returns every scalar value with its pointer. */
export function leavesOf(
  value: unknown,
  pointer = "",
): { readonly pointer: string; readonly value: string | number | boolean }[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, `${pointer}/${at}`));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      leavesOf(inner, `${pointer}/${escape(key)}`),
    );
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [{ pointer, value }]
    : [];
}

/** Finds the value or its quote on the page, or returns undefined. */
export function findEvidence(
  value: string | number | boolean,
  quote: string | undefined,
  page: PageText,
): Evidence | undefined {
  if (quote !== undefined && isIn(quote, page) && supports(quote, value))
    return { source: "model", text: shorten(quote) };
  if (typeof value === "boolean") return undefined;
  const text = String(value);
  if (typeof value === "number")
    return hasNumber(value, page) ? { source: "model", text: around(text, page) } : undefined;
  return isShown(text, page) ? { source: "model", text: around(text, page) } : undefined;
}

function isIn(text: string, page: PageText): boolean {
  const folded = foldText(text);
  return folded !== "" && page.folded.includes(folded.length < 4 ? ` ${folded} ` : folded);
}

/** True if the text is on the page or, for an address, in a link. */
function isShown(text: string, page: PageText): boolean {
  if (/^https?:\/\//.test(text))
    return (
      page.written.includes(text) || page.written.includes(text.replace(/^https?:\/\/[^/]+/, "("))
    );
  const folded = foldText(text);
  if (folded === "") return false;
  return page.folded.includes(` ${folded} `);
}

/**
 * True if the quote contains the value: a number exactly, a text with most of its words. Booleans
 * rely on the quote alone.
 */
function supports(quote: string, value: string | number | boolean): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value === "number") {
    const digits = String(Math.abs(value)).replace(/\.0+$/, "");
    const plain = quote.replaceAll(THOUSANDS, "").replaceAll(",", ".");
    return plain.includes(digits) || quote.includes(digits);
  }
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(value) || /^[^\s@]+@[^\s@]+$/.test(value))
    return quote.toLowerCase().includes(value.toLowerCase());
  const [, year, , day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(value) ?? [];
  if (year !== undefined && day !== undefined)
    return quote.includes(year) && new RegExp(`(?<!\\d)0?${Number(day)}(?!\\d)`).test(quote);
  const said = ` ${foldText(quote)} `;
  const words = foldText(value)
    .split(" ")
    .filter((word) => word !== "");
  const found = words.filter(
    (word) => said.includes(` ${word} `) || (word.length > 3 && said.includes(word)),
  ).length;
  return words.length > 0 && found * 2 >= words.length;
}

/** True if the number stands alone on the page and is too long for a coincidence. */
function hasNumber(value: number, { written, plain }: PageText): boolean {
  const digits = String(Math.abs(value));
  if (digits.replace(".", "").length < 3) return false;
  const pattern = new RegExp(`(?<![\\d.,])${digits.replace(".", "[.,]")}0*(?![\\d]|[.,]\\d)`);
  return pattern.test(written) || pattern.test(plain);
}

function around(text: string, { written, lower }: PageText): string {
  const at = lower.indexOf(text.toLowerCase());
  if (at === -1) return shorten(text);
  return shorten(
    written
      .slice(Math.max(0, at - 40), at + text.length + 40)
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}
