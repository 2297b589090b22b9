// RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287) and OPML 2.0.
import {
  EMPTY_ITEM,
  type Enclosure,
  escapeHtml,
  type Feed,
  type FeedItem,
  isoDate,
  MAX_ITEMS,
  toMarkup,
} from "./feed.ts";
import { childrenOf, readXml, textUnder, type XmlElement, xmlText } from "./xml-tree.ts";

/** Returns the feed, or undefined for other XML. */
export function readXmlFeed(text: string): Feed | undefined {
  if (!/<(?:\w+:)?(?:rss|feed|rdf|opml)[\s>]/i.test(text.slice(0, 20_000))) return undefined;
  const root = readXml(text);
  switch (root?.name.replace(/^.*:/, "")) {
    case "rss":
      return readRss(root, childrenOf(root, "channel")[0]);
    case "rdf":
      return readRss(root, childrenOf(root, "channel")[0], childrenOf(root, "item"));
    case "feed":
      return root === undefined ? undefined : readAtom(root);
    case "opml":
      return root === undefined ? undefined : readOutline(root);
    default:
      return undefined;
  }
}

function readRss(
  root: XmlElement,
  channel: XmlElement = root,
  items: readonly XmlElement[] = childrenOf(channel, "item"),
): Feed {
  return {
    kind: "rss",
    title: textUnder(channel, "title"),
    link: linkOf(channel),
    description: toMarkup(textUnder(channel, "description", "itunes:summary")),
    language: textUnder(channel, "language", "dc:language"),
    items: items.slice(0, MAX_ITEMS).map(readRssItem),
  };
}

/**
 * The `link` of RSS contains an address, that of Atom has an attribute; podcasts and news have
 * both.
 */
function linkOf(element: XmlElement): string {
  const links = childrenOf(element, "link", "atom:link");
  const written = links.map((link) => xmlText(link)).find((text) => text !== "");
  const named = links.find(({ attributes }) => (attributes["rel"] ?? "alternate") === "alternate");
  return written ?? named?.attributes["href"] ?? "";
}

function readRssItem(item: XmlElement): FeedItem {
  const [guid] = childrenOf(item, "guid");
  const id = xmlText(guid);
  const isAddress = guid?.attributes["isPermaLink"] !== "false" && /^https?:\/\//i.test(id);
  const content = textUnder(item, "content:encoded");
  const said = textUnder(item, "description", "itunes:summary", "media:description");
  return {
    ...EMPTY_ITEM,
    title: plain(textUnder(item, "title", "media:title")),
    link: linkOf(item) || (isAddress ? id : ""),
    date: isoDate(textUnder(item, "pubdate", "dc:date", "atom:updated")),
    authors: once(childrenOf(item, "dc:creator", "author", "itunes:author").map(xmlText)),
    html: toMarkup(content === "" ? said : content),
    enclosures: enclosuresOf(item, "enclosure", "media:content"),
  };
}

const once = (texts: readonly string[]): string[] =>
  [...new Set(texts)].filter((text) => text !== "");

/** Titles are text, but some feeds escape them twice. */
const plain = (title: string): string =>
  title
    .replaceAll(/<[^>]{1,200}>/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#0*39;|&apos;/g, "'");

function enclosuresOf(item: XmlElement, ...names: readonly string[]): Enclosure[] {
  const groups = [item, ...childrenOf(item, "media:group")];
  const found = groups.flatMap((group) =>
    childrenOf(group, ...names).map(({ attributes }) => ({
      url: attributes["url"] ?? attributes["href"] ?? "",
      mimeType: attributes["type"] ?? "",
    })),
  );
  const seen = new Set([""]);
  return found.filter(({ url }) => !seen.has(url) && seen.add(url) !== undefined);
}

function readAtom(root: XmlElement): Feed {
  return {
    kind: "atom",
    title: plain(textUnder(root, "title")),
    link: linkOf(root),
    description: toMarkup(textUnder(root, "subtitle")),
    language: root.attributes["xml:lang"] ?? "",
    items: childrenOf(root, "entry").slice(0, MAX_ITEMS).map(readEntry),
  };
}

function readEntry(entry: XmlElement): FeedItem {
  const [content = childrenOf(entry, "summary")[0]] = childrenOf(entry, "content");
  const enclosed = childrenOf(entry, "link")
    .filter(({ attributes }) => attributes["rel"] === "enclosure")
    .map(({ attributes }) => ({
      url: attributes["href"] ?? "",
      mimeType: attributes["type"] ?? "",
    }));
  return {
    ...EMPTY_ITEM,
    title: plain(textUnder(entry, "title", "media:title")),
    link: linkOf(entry),
    date: isoDate(textUnder(entry, "published", "updated", "issued", "modified")),
    authors: once(childrenOf(entry, "author").map((author) => textUnder(author, "name"))),
    html: atomMarkup(content) || toMarkup(describe(entry)),
    enclosures: [...enclosed, ...enclosuresOf(entry, "media:content")],
  };
}

const describe = (entry: XmlElement): string =>
  textUnder(childrenOf(entry, "media:group")[0], "media:description");

/** Text constructs (RFC 4287, section 3.1): text, escaped HTML, or XHTML in a div. */
function atomMarkup(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const { type = "text" } = element.attributes;
  if (type === "xhtml" || type === "application/xhtml+xml") return innerMarkup(element);
  const text = xmlText(element);
  return type === "html" || type === "text/html" ? text : toMarkup(text);
}

const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr", "input", "source"]);

function innerMarkup(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === "string") return escapeHtml(child);
      const name = child.name.replace(/^.*:/, "");
      const attributes = Object.entries(child.attributes)
        .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
        .join("");
      return VOID.has(name)
        ? `<${name}${attributes}>`
        : `<${name}${attributes}>${innerMarkup(child)}</${name}>`;
    })
    .join("");
}

function readOutline(root: XmlElement): Feed {
  const [head] = childrenOf(root, "head");
  const [body] = childrenOf(root, "body");
  const read = (element: XmlElement): FeedItem => {
    const { attributes } = element;
    return {
      ...EMPTY_ITEM,
      title: attributes["title"] || attributes["text"] || "",
      link: attributes["htmlUrl"] || attributes["xmlUrl"] || attributes["url"] || "",
      items: childrenOf(element, "outline").map(read),
    };
  };
  return {
    kind: "outline",
    title: textUnder(head, "title"),
    link: "",
    description: "",
    language: "",
    items: childrenOf(body, "outline").map(read),
  };
}
