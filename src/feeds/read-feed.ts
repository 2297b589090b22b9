import { renderFeed } from "./feed-html.ts";
import { readJsonFeed } from "./json-feed.ts";
import { readXmlFeed } from "./xml-feed.ts";

/** Start of a feed that is labelled as something else. */
const START =
  /^\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,500}?-->\s*)?<(?:rss|feed|rdf:RDF|opml)[\s>]/;

/**
 * Converts a feed to an HTML page: RSS, Atom, OPML, and JSON Feed under its own MIME type. Returns
 * undefined for other content.
 */
export function readFeed(text: string, mimeType: string): string | undefined {
  const isXml = mimeType.endsWith("xml") || START.test(text.slice(0, 1_000));
  const feed =
    mimeType === "application/feed+json"
      ? readJsonFeed(text)
      : isXml
        ? readXmlFeed(text)
        : undefined;
  return feed === undefined ? undefined : renderFeed(feed);
}
