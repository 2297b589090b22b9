// Renders a feed as a page: its items in order.
import { escapeHtml, type Feed, type FeedItem } from "./feed.ts";

/**
 * Returns the HTML of the whole feed. Item content is inserted as is and cleaned later like any
 * page.
 */
export function renderFeed(feed: Feed): string {
  const language = feed.language === "" ? "" : ` lang="${escapeHtml(feed.language)}"`;
  const about = feed.description.replaceAll(/<[^<>]*>/g, " ").trim();
  const head = [
    '<meta charset="utf-8">',
    feed.title === "" ? "" : `<title>${escapeHtml(feed.title)}</title>`,
    about === "" ? "" : `<meta name="description" content="${escapeHtml(about)}">`,
  ].join("");
  const title = feed.title === "" ? "" : `<h1>${renderLink(feed.title, feed.link)}</h1>`;
  const body =
    feed.kind === "outline" ? renderOutline(feed.items) : feed.items.map(renderItem).join("\n");
  return `<!doctype html><html${language}><head>${head}</head><body>\n${title}${feed.description}\n${body}\n</body></html>`;
}

const renderLink = (text: string, address: string): string =>
  address === "" ? escapeHtml(text) : `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;

function renderItem(item: FeedItem): string {
  const title = item.title || item.link;
  const date =
    item.date === "" ? "" : `<time datetime="${escapeHtml(item.date)}">${formatDate(item)}</time>`;
  const by = [date, escapeHtml(item.authors.join(", "))].filter((part) => part !== "");
  const files = item.enclosures.map(
    ({ url, mimeType }) =>
      `<p><a rel="enclosure" type="${escapeHtml(mimeType)}" href="${escapeHtml(url)}">${escapeHtml(mimeType || "file")}</a></p>`,
  );
  return [
    "<article>",
    title === "" ? "" : `<h2>${renderLink(title, item.link)}</h2>`,
    by.length === 0 ? "" : `<p>${by.join(" · ")}</p>`,
    `<div>${item.html}</div>`,
    ...files,
    "</article>",
  ].join("");
}

/** Formats "2024-05-14 05:30 UTC", without a time of midnight. */
const formatDate = ({ date }: FeedItem): string =>
  escapeHtml(
    date.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ$/, (_, day: string, time: string) =>
      time === "00:00" ? day : `${day} ${time} UTC`,
    ),
  );

function renderOutline(items: readonly FeedItem[]): string {
  const entries = items.map(
    (item) =>
      `<li>${renderLink(item.title || item.link, item.link)}${renderOutline(item.items)}</li>`,
  );
  return entries.length === 0 ? "" : `<ul>${entries.join("")}</ul>`;
}
