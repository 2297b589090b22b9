// Forms of a page and of a feed, by x-respond-with.
import type { FeedKind } from "../../contract/page/feed.ts";
import { RequestError } from "../../errors.ts";
import type { ReaderForm } from "./to-scrape.ts";

const PAGE_FORMS = new Map<string, Exclude<ReaderForm, "feed">>([
  ["markdown", "markdown"],
  ["content", "markdown"],
  ["text", "text"],
  ["html", "html"],
  ["screenshot", "screenshot"],
  ["pageshot", "pageshot"],
]);
const FEED_FORMS = new Map<string, FeedKind>([
  ["rss", "rss"],
  ["atom", "atom"],
  ["json", "json"],
]);

const listNames = (forms: ReadonlyMap<string, unknown>): string => {
  const names = [...forms.keys()];
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
};
const ALL_FORMS = `x-respond-with: must be ${listNames(PAGE_FORMS)} at /read/URL, where Accept: application/json requests JSON, or ${listNames(FEED_FORMS)} at /feed/URL.`;

function readForm<Form>(given: string, forms: ReadonlyMap<string, Form>): Form {
  const form = forms.get(given.trim().toLowerCase());
  if (form === undefined) throw new RequestError("BAD_REQUEST", ALL_FORMS);
  return form;
}

/** Throws BAD_REQUEST for the form of a feed or an unknown one. */
export const readPageForm = (given = "markdown"): Exclude<ReaderForm, "feed"> =>
  readForm(given, PAGE_FORMS);

/** The header Accept decides without x-respond-with. Throws BAD_REQUEST for another form. */
export function readFeedKind(given: string | undefined, accept = ""): FeedKind {
  if (given !== undefined) return readForm(given, FEED_FORMS);
  if (/\brss\+xml\b/i.test(accept)) return "rss";
  if (/\batom\+xml\b/i.test(accept)) return "atom";
  return /\bapplication\/(?:feed\+)?json\b/i.test(accept) ? "json" : "rss";
}
