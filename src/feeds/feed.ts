// Common model of all feed formats.

export type Enclosure = {
  /** As written. */
  readonly url: string;
  /** Declared MIME type, "" if missing. */
  readonly mimeType: string;
};

export type FeedItem = {
  readonly title: string;
  /** As written, "" if missing. */
  readonly link: string;
  /** ISO 8601, as written if it is not a date, or "" if missing. */
  readonly date: string;
  readonly authors: readonly string[];
  /** Content of the item as HTML. */
  readonly html: string;
  readonly enclosures: readonly Enclosure[];
  /** Nested entries of an outline. */
  readonly items: readonly FeedItem[];
};

export type Feed = {
  readonly kind: "rss" | "atom" | "json" | "outline";
  readonly title: string;
  readonly link: string;
  /** HTML. */
  readonly description: string;
  readonly language: string;
  readonly items: readonly FeedItem[];
};

export const EMPTY_ITEM: FeedItem = {
  title: "",
  link: "",
  date: "",
  authors: [],
  html: "",
  enclosures: [],
  items: [],
};

/** Maximum items of a feed. */
export const MAX_ITEMS = 10_000;

/** Converts a date of RFC 822 or RFC 3339 to ISO 8601 with seconds. Other texts stay as written. */
export function toIsoDate(written: string): string {
  const text = written.trim();
  const time = /\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? text : new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

const MARKUP = /<\/?[a-z][^<>]*>|&#?\w{1,31};/i;

export const escapeHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** Converts text that may be HTML, as in feed descriptions, to HTML. */
export function toMarkup(text: string): string {
  if (text === "") return "";
  return MARKUP.test(text) ? text : `<p>${escapeHtml(text).replaceAll(/\n\s*\n/g, "</p><p>")}</p>`;
}
