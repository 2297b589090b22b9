// The alerts of a monitor as an Atom feed (RFC 4287).
import { escapeXml } from "../runtime/escape-xml.ts";
import type { CheckPage } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";

const toIso = (at: number): string => new Date(at).toISOString();
const MAX_DIFF_CHARACTERS = 10_000;

function renderEntry(page: CheckPage): string {
  const { diff, error, metadata } = page.about as {
    readonly diff?: { readonly text?: string } | null;
    readonly error?: string | null;
    readonly metadata?: { readonly title?: string | null } | null;
  };
  const title = `${metadata?.title ?? page.url}: ${page.status === "error" ? "broken" : page.status}`;
  const text = diff?.text ?? error ?? "";
  const link = /^https?:/i.test(page.url) ? `\n    <link href="${escapeXml(page.url)}"/>` : "";
  return `  <entry>
    <id>urn:uuid:${page.id}</id>
    <title>${escapeXml(title)}</title>
    <updated>${toIso(page.createdAt)}</updated>${link}
    <content type="text">${escapeXml(text.slice(0, MAX_DIFF_CHARACTERS))}</content>
  </entry>`;
}

/** Newest first. */
export function buildFeed(
  monitor: MonitorRecord,
  pages: readonly CheckPage[],
  feedUrl: string,
): string {
  const updated = pages[0]?.createdAt ?? monitor.createdAt;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>urn:uuid:${monitor.id}</id>
  <title>${escapeXml(monitor.name)}</title>
  <author><name>Quarry</name></author>
  <updated>${toIso(updated)}</updated>
  <link rel="self" href="${escapeXml(feedUrl)}"/>
${pages.map(renderEntry).join("\n")}
</feed>
`;
}
