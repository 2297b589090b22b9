import { renderFeed } from "./feed-html.ts";
import type { Feed } from "./feed.ts";
import { readJsonFeed } from "./json-feed.ts";
import { readXmlFeed } from "./xml-feed.ts";

/** Start of a feed that is labelled as something else. */
const START =
  /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,500}?-->\s*)?<(?:rss|feed|rdf:RDF|opml)[\s>]/;

/**
 * Parses RSS, Atom, OPML, and JSON Feed under its own MIME type. Returns undefined for other
 * content.
 */
export function parseFeed(text: string, mimeType: string): Feed | undefined {
  if (mimeType === "application/feed+json") return readJsonFeed(text);
  const isXml = mimeType.endsWith("xml") || START.test(text.slice(0, 1_000));
  return isXml ? readXmlFeed(text) : undefined;
}

/** Converts a feed to an HTML page; undefined for other content. */
export function readFeed(text: string, mimeType: string): string | undefined {
  const feed = parseFeed(text, mimeType);
  return feed === undefined ? undefined : renderFeed(feed);
}
