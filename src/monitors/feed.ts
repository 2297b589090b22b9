// The alerts of a monitor as a feed.
import { writeFeed, type FeedEntry } from "../feeds/write-feed.ts";
import type { CheckPage } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";

export type AlertFeedOptions = {
  readonly kind: "atom" | "rss";
  /** Address of the feed itself. */
  readonly url: string;
  /** Address of the server. */
  readonly siteUrl: string;
  /** Time of the reading in ms. */
  readonly readAt: number;
};

const MAX_DIFF_CHARACTERS = 10_000;

function toEntry(page: CheckPage): FeedEntry {
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
    date: new Date(page.createdAt).toISOString(),
    // A search has no page.
    url: /^https?:/i.test(page.url) ? page.url : undefined,
    text: text.slice(0, MAX_DIFF_CHARACTERS),
  };
}

/** `pages` are alerts, newest first. */
export const buildFeed = (
  monitor: MonitorRecord,
  pages: readonly CheckPage[],
  { kind, url, siteUrl, readAt }: AlertFeedOptions,
): string =>
  writeFeed(
    {
      id: `urn:uuid:${monitor.id}`,
      title: monitor.name,
      url: siteUrl,
      author: "Quarry",
      description: `Alerts of the monitor ${monitor.name}`,
      updatedAt: new Date(monitor.createdAt).getTime(),
      items: pages.map(toEntry),
    },
    kind,
    { readAt, feedUrl: url },
  );
