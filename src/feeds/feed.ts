// A feed in our words, whichever of its formats it came in.

export type Enclosure = {
  /** As written. */
  readonly url: string;
  /** MIME type as said, "" when it is not. */
  readonly mimeType: string;
};

export type FeedItem = {
  readonly title: string;
  /** As written, "" without one. */
  readonly link: string;
  /** ISO 8601, or as written where it is no date; "" without one. */
  readonly date: string;
  readonly authors: readonly string[];
  /** What the item says, as HTML. */
  readonly html: string;
  readonly enclosures: readonly Enclosure[];
  /** Entries below it, in an outline. */
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

/** Bounds what one feed is turned into. */
export const MAX_ITEMS = 10_000;

/** A date of RFC 822 or RFC 3339 as ISO 8601 to the second; what is none stays as written. */
export function isoDate(written: string): string {
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

/** Text that may be HTML, as feeds have it in their descriptions, as HTML. */
export function toMarkup(text: string): string {
  if (text === "") return "";
  return MARKUP.test(text) ? text : `<p>${escapeHtml(text).replaceAll(/\n\s*\n/g, "</p><p>")}</p>`;
}
