// The alerts of a monitor as a feed: Atom (RFC 4287) or RSS 2.0
// (https://www.rssboard.org/rss-specification).
import { escapeXml } from "../runtime/escape-xml.ts";
import type { CheckPage } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";

export type AlertFeedOptions = {
  readonly kind: "atom" | "rss";
  /** Address of the feed itself. */
  readonly url: string;
  /** Address of the server. */
  readonly siteUrl: string;
};

type Alert = {
  readonly id: string;
  readonly title: string;
  readonly at: Date;
  /** Undefined for a page that is no web page, such as a search. */
  readonly link: string | undefined;
  readonly text: string;
};

const MAX_DIFF_CHARACTERS = 10_000;

function toAlert(page: CheckPage): Alert {
  const { diff, error, metadata, event } = page.about as {
    readonly diff?: { readonly text?: string } | null;
    readonly error?: string | null;
    readonly metadata?: { readonly title?: string | null } | null;
    readonly event?: string | null;
  };
  const state = event === "recovered" ? event : page.status === "error" ? "broken" : page.status;
  const text = diff?.text ?? error ?? (event === "recovered" ? "The page can be read again." : "");
  return {
    id: `urn:uuid:${page.id}`,
    title: `${metadata?.title ?? page.url}: ${state}`,
    at: new Date(page.createdAt),
    link: /^https?:/i.test(page.url) ? page.url : undefined,
    text: text.slice(0, MAX_DIFF_CHARACTERS),
  };
}

function renderAtom(
  monitor: MonitorRecord,
  alerts: readonly Alert[],
  { url }: AlertFeedOptions,
): string {
  const updated = alerts[0]?.at ?? new Date(monitor.createdAt);
  const entries = alerts.map(
    ({ id, title, at, link, text }) => `  <entry>
    <id>${id}</id>
    <title>${escapeXml(title)}</title>
    <updated>${at.toISOString()}</updated>${link === undefined ? "" : `\n    <link href="${escapeXml(link)}"/>`}
    <content type="text">${escapeXml(text)}</content>
  </entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${monitor.id}</id>
  <title>${escapeXml(monitor.name)}</title>
  <author><name>Quarry</name></author>
  <updated>${updated.toISOString()}</updated>
  <link rel="self" href="${escapeXml(url)}"/>
${entries.join("\n")}
</feed>
`;
}

function renderRss(
  monitor: MonitorRecord,
  alerts: readonly Alert[],
  { url, siteUrl }: AlertFeedOptions,
): string {
  // Readers take the description as HTML.
  const toHtml = (text: string): string => `<pre>${escapeXml(text)}</pre>`;
  const items = alerts.map(
    ({ id, title, at, link, text }) => `    <item>
      <guid isPermaLink="false">${id}</guid>
      <title>${escapeXml(title)}</title>
      <pubDate>${at.toUTCString()}</pubDate>${link === undefined ? "" : `\n      <link>${escapeXml(link)}</link>`}
      <description>${escapeXml(toHtml(text))}</description>
    </item>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
  <channel>
    <title>${escapeXml(monitor.name)}</title>
    <link>${escapeXml(siteUrl)}</link>
    <description>${escapeXml(`Alerts of the monitor ${monitor.name}`)}</description>
    <atom:link rel="self" type="application/rss+xml" href="${escapeXml(url)}"/>
${items.join("\n")}
  </channel>
</rss>
`;
}

/** `pages` are alerts, newest first. */
export function buildFeed(
  monitor: MonitorRecord,
  pages: readonly CheckPage[],
  options: AlertFeedOptions,
): string {
  const alerts = pages.map(toAlert);
  return options.kind === "rss"
    ? renderRss(monitor, alerts, options)
    : renderAtom(monitor, alerts, options);
}
