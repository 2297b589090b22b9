// Writes feeds: RSS 2.0 (https://www.rssboard.org/rss-specification), Atom (RFC 4287) and JSON Feed
// 1.1 (https://www.jsonfeed.org/version/1.1/).
import type { FeedKind } from "../contract/page/feed.ts";
import { escapeXml } from "../runtime/escape-xml.ts";
import { escapeHtml } from "./feed.ts";

export const FEED_TYPES: Readonly<Record<FeedKind, string>> = {
  rss: "application/rss+xml; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
  json: "application/feed+json; charset=utf-8",
};

export type FeedEntry = {
  /** Undefined for an entry that is no web page. */
  readonly url?: string | undefined;
  /** URI of the entry; its URL by default. Required without one. */
  readonly id?: string;
  readonly title: string;
  readonly date?: string | undefined;
  readonly summary?: string | undefined;
  /** Plain text with line ends, such as a diff, instead of a summary. */
  readonly text?: string;
};

export type WrittenFeed = {
  readonly title: string;
  /** Address of the page that the feed is of. */
  readonly url: string;
  /** URI of the feed; its own address by default. */
  readonly id?: string;
  readonly author?: string;
  readonly description?: string | undefined;
  readonly language?: string | undefined;
  /** Time in ms of a feed whose entries have no dates; the time of reading by default. */
  readonly updatedAt?: number;
  readonly items: readonly FeedEntry[];
};

export type FeedTarget = {
  /** Time of the reading in ms, the date of Atom entries without one. */
  readonly readAt: number;
  /** Address of the feed itself. */
  readonly feedUrl?: string | undefined;
};

export function writeFeed(feed: WrittenFeed, kind: FeedKind, target: FeedTarget): string {
  if (kind === "json") return writeJsonFeed(feed, target);
  return kind === "atom" ? writeAtom(feed, target) : writeRss(feed, target);
}

const DAY_MS = 86_400_000;

/**
 * Time of publication in ms. Undefined without a date, and for a date to come, such as that of an
 * event.
 */
function toTime({ date }: FeedEntry, readAt: number): number | undefined {
  if (date === undefined) return undefined;
  // A time without an offset is taken as UTC.
  const time = Date.parse(/T\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/.test(date) ? `${date}Z` : date);
  return Number.isNaN(time) || time > readAt + DAY_MS ? undefined : time;
}

const getId = ({ id, url }: FeedEntry): string => id ?? url ?? "";

const writeElement = (name: string, text: string | undefined): string =>
  text === undefined || text === "" ? "" : `\n    <${name}>${escapeXml(text)}</${name}>`;

function writeRss(
  { title, url, description, language, items }: WrittenFeed,
  target: FeedTarget,
): string {
  const self =
    target.feedUrl === undefined
      ? ""
      : `\n    <atom:link rel="self" type="application/rss+xml" href="${escapeXml(target.feedUrl)}"/>`;
  const entries = items.map((item) => {
    const time = toTime(item, target.readAt);
    // Readers take the description as HTML.
    const description =
      item.text === undefined
        ? item.summary && escapeHtml(item.summary)
        : `<pre>${escapeHtml(item.text)}</pre>`;
    return `
    <item>
      <title>${escapeXml(item.title)}</title>${indent(writeElement("link", item.url))}
      <guid isPermaLink="${String(item.id === undefined)}">${escapeXml(getId(item))}</guid>${indent(
        writeElement("pubDate", time === undefined ? undefined : new Date(time).toUTCString()),
      )}${indent(writeElement("description", description))}
    </item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${escapeXml(title)}</title>
    <link>${escapeXml(url)}</link>
    <description>${escapeXml(description ?? title)}</description>${writeElement("language", language)}
    <lastBuildDate>${new Date(target.readAt).toUTCString()}</lastBuildDate>
    <generator>Quarry</generator>${self}${entries.join("")}
  </channel>
</rss>
`;
}

const indent = (element: string): string => element.replace("\n    ", "\n      ");

function writeAtom(
  { title, url, id, author, description, language, updatedAt, items }: WrittenFeed,
  target: FeedTarget,
): string {
  const times = items.map((item) => toTime(item, target.readAt));
  const newest = Math.max(...times.map((time) => time ?? 0));
  const toIso = (time: number): string => new Date(time).toISOString();
  const entries = items.map((item, at) => {
    const time = times[at];
    const link = item.url === undefined ? "" : `\n    <link href="${escapeXml(item.url)}"/>`;
    const content =
      item.text === undefined
        ? writeElement("summary", item.summary)
        : `\n    <content type="text">${escapeXml(item.text)}</content>`;
    return `
  <entry>
    <id>${escapeXml(getId(item))}</id>
    <title>${escapeXml(item.title)}</title>${link}
    <updated>${toIso(time ?? target.readAt)}</updated>${writeElement(
      "published",
      time === undefined ? undefined : toIso(time),
    )}${content}
  </entry>`;
  });
  const self =
    target.feedUrl === undefined
      ? ""
      : `\n  <link rel="self" href="${escapeXml(target.feedUrl)}"/>`;
  const lang = language === undefined ? "" : ` xml:lang="${escapeXml(language)}"`;
  const subtitle =
    description === undefined ? "" : `\n  <subtitle>${escapeXml(description)}</subtitle>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"${lang}>
  <id>${escapeXml(id ?? target.feedUrl ?? url)}</id>
  <title>${escapeXml(title)}</title>${subtitle}
  <author><name>${escapeXml(author ?? title)}</name></author>
  <updated>${toIso(newest > 0 ? newest : (updatedAt ?? target.readAt))}</updated>
  <link href="${escapeXml(url)}"/>${self}
  <generator>Quarry</generator>${entries.join("")}
</feed>
`;
}

function writeJsonFeed(
  { title, url, description, language, items }: WrittenFeed,
  target: FeedTarget,
): string {
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title,
    home_page_url: url,
    feed_url: target.feedUrl,
    description,
    language,
    items: items.map((item) => {
      const time = toTime(item, target.readAt);
      return {
        id: getId(item),
        url: item.url,
        title: item.title,
        content_text: item.text ?? item.summary ?? item.title,
        summary: item.summary,
        date_published: time === undefined ? undefined : new Date(time).toISOString(),
      };
    }),
  };
  return `${JSON.stringify(feed, null, 2)}\n`;
}
