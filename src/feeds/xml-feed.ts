// RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287) and OPML 2.0.
import {
  EMPTY_ITEM,
  type Enclosure,
  escapeHtml,
  type Feed,
  type FeedItem,
  toIsoDate,
  MAX_ITEMS,
  toMarkup,
} from "./feed.ts";
import { listChildren, readXml, readChildText, type XmlElement, readXmlText } from "./xml-tree.ts";

/** Returns the feed, or undefined for other XML. */
export function readXmlFeed(text: string): Feed | undefined {
  if (!/<(?:\w+:)?(?:rss|feed|rdf|opml)[\s>]/i.test(text.slice(0, 20_000))) return undefined;
  const root = readXml(text);
  switch (root?.name.replace(/^.*:/, "")) {
    case "rss":
      return readRss(root, listChildren(root, "channel")[0]);
    case "rdf":
      return readRss(root, listChildren(root, "channel")[0], listChildren(root, "item"));
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
  items: readonly XmlElement[] = listChildren(channel, "item"),
): Feed {
  return {
    kind: "rss",
    title: readChildText(channel, "title"),
    link: findLink(channel),
    description: toMarkup(readChildText(channel, "description", "itunes:summary")),
    language: readChildText(channel, "language", "dc:language"),
    items: items.slice(0, MAX_ITEMS).map(readRssItem),
  };
}

/**
 * The `link` of RSS contains an address, that of Atom has an attribute; podcasts and news have
 * both.
 */
function findLink(element: XmlElement): string {
  const links = listChildren(element, "link", "atom:link");
  const written = links.map((link) => readXmlText(link)).find((text) => text !== "");
  const named = links.find(({ attributes }) => (attributes["rel"] ?? "alternate") === "alternate");
  return written ?? named?.attributes["href"] ?? "";
}

function readRssItem(item: XmlElement): FeedItem {
  const [guid] = listChildren(item, "guid");
  const id = readXmlText(guid);
  const isAddress = guid?.attributes["isPermaLink"] !== "false" && /^https?:\/\//i.test(id);
  const content = readChildText(item, "content:encoded");
  const said = readChildText(item, "description", "itunes:summary", "media:description");
  return {
    ...EMPTY_ITEM,
    title: toPlainTitle(readChildText(item, "title", "media:title")),
    link: findLink(item) || (isAddress ? id : ""),
    date: toIsoDate(readChildText(item, "pubdate", "dc:date", "atom:updated")),
    authors: removeRepeated(
      listChildren(item, "dc:creator", "author", "itunes:author").map(readXmlText),
    ),
    html: toMarkup(content === "" ? said : content),
    enclosures: listEnclosures(item, "enclosure", "media:content"),
  };
}

const removeRepeated = (texts: readonly string[]): string[] =>
  [...new Set(texts)].filter((text) => text !== "");

/** Titles are text, but some feeds escape them twice. */
const toPlainTitle = (title: string): string =>
  title
    .replaceAll(/<[^>]{1,200}>/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#0*39;|&apos;/g, "'");

function listEnclosures(item: XmlElement, ...names: readonly string[]): Enclosure[] {
  const groups = [item, ...listChildren(item, "media:group")];
  const found = groups.flatMap((group) =>
    listChildren(group, ...names).map(({ attributes }) => ({
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
    title: toPlainTitle(readChildText(root, "title")),
    link: findLink(root),
    description: toMarkup(readChildText(root, "subtitle")),
    language: root.attributes["xml:lang"] ?? "",
    items: listChildren(root, "entry").slice(0, MAX_ITEMS).map(readEntry),
  };
}

function readEntry(entry: XmlElement): FeedItem {
  const [content = listChildren(entry, "summary")[0]] = listChildren(entry, "content");
  const enclosed = listChildren(entry, "link")
    .filter(({ attributes }) => attributes["rel"] === "enclosure")
    .map(({ attributes }) => ({
      url: attributes["href"] ?? "",
      mimeType: attributes["type"] ?? "",
    }));
  return {
    ...EMPTY_ITEM,
    title: toPlainTitle(readChildText(entry, "title", "media:title")),
    link: findLink(entry),
    date: toIsoDate(readChildText(entry, "published", "updated", "issued", "modified")),
    authors: removeRepeated(
      listChildren(entry, "author").map((author) => readChildText(author, "name")),
    ),
    html: readAtomMarkup(content) || toMarkup(describe(entry)),
    enclosures: [...enclosed, ...listEnclosures(entry, "media:content")],
  };
}

const describe = (entry: XmlElement): string =>
  readChildText(listChildren(entry, "media:group")[0], "media:description");

/** Text constructs (RFC 4287, section 3.1): text, escaped HTML, or XHTML in a div. */
function readAtomMarkup(element: XmlElement | undefined): string {
  if (element === undefined) return "";
  const { type = "text" } = element.attributes;
  if (type === "xhtml" || type === "application/xhtml+xml") return serializeInner(element);
  const text = readXmlText(element);
  return type === "html" || type === "text/html" ? text : toMarkup(text);
}

const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "wbr", "input", "source"]);

function serializeInner(element: XmlElement): string {
  return element.children
    .map((child) => {
      if (typeof child === "string") return escapeHtml(child);
      const name = child.name.replace(/^.*:/, "");
      const attributes = Object.entries(child.attributes)
        .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
        .join("");
      return VOID.has(name)
        ? `<${name}${attributes}>`
        : `<${name}${attributes}>${serializeInner(child)}</${name}>`;
    })
    .join("");
}

function readOutline(root: XmlElement): Feed {
  const [head] = listChildren(root, "head");
  const [body] = listChildren(root, "body");
  const read = (element: XmlElement): FeedItem => {
    const { attributes } = element;
    return {
      ...EMPTY_ITEM,
      title: attributes["title"] || attributes["text"] || "",
      link: attributes["htmlUrl"] || attributes["xmlUrl"] || attributes["url"] || "",
      items: listChildren(element, "outline").map(read),
    };
  };
  return {
    kind: "outline",
    title: readChildText(head, "title"),
    link: "",
    description: "",
    language: "",
    items: listChildren(body, "outline").map(read),
  };
}
