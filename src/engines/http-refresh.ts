// Redirects other than 3xx: the Refresh header and <meta http-equiv="refresh"> (HTML standard,
// "declarative refresh").
import { isTag, isText, type AnyNode, type Document } from "domhandler";
import { parseHtml } from "../html/parse/parse.ts";
import { resolveLocation } from "../url/redirect.ts";

const MAX_META_DELAY_SECONDS = 5;
const MAX_PAGE_BYTES = 32_768;
const MAX_TEXT_CHARACTERS = 300;

/** "0; url=/next" -> the delay in seconds and the URL text; undefined without a URL. */
export function parseRefresh(
  value: string,
): { delaySeconds: number; location: string } | undefined {
  const match = /^\s*(\d{0,9})[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(.+)$/is.exec(value.slice(0, 8_192));
  if (match === null) return undefined;
  const [, digits = "", rest = ""] = match;
  const quote = rest[0];
  const quoted = quote === '"' || quote === "'" ? rest.slice(1).split(quote, 1)[0] : rest;
  const location = quoted?.trim() ?? "";
  return location === "" || /^url\s*=$/i.test(location)
    ? undefined
    : { delaySeconds: Number(digits), location };
}

/** Returns the target of a Refresh header without delay; undefined if it is the same page. */
export function parseRefreshTarget(header: string, url: URL): URL | undefined {
  const refresh = header === "" ? undefined : parseRefresh(header);
  return refresh === undefined || refresh.delaySeconds > 0
    ? undefined
    : resolveElsewhere(refresh.location, url);
}

/**
 * Returns the target of a meta refresh within five seconds on a small page without other content.
 * Ignores noscript, which a browser with scripts would not follow.
 */
export function findMetaRefreshTarget(body: Uint8Array, url: URL): URL | undefined {
  if (body.length > MAX_PAGE_BYTES) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (!/http-equiv\s*=(?:\s*["'])?\s*refresh/i.test(bytes.toString("latin1"))) return undefined;
  const page = readPage(parseHtml(bytes.toString("utf8")));
  const refresh = parseRefresh(page.refresh);
  if (refresh === undefined || refresh.delaySeconds > MAX_META_DELAY_SECONDS) return undefined;
  if (page.textLength > MAX_TEXT_CHARACTERS) return undefined;
  const base = page.base === "" ? undefined : resolveLocation(page.base, url);
  return resolveElsewhere(refresh.location, url, base);
}

/** Returns the target if it is another page: a page that reloads itself is the result. */
function resolveElsewhere(location: string, url: URL, base: URL = url): URL | undefined {
  const target = resolveLocation(location, base);
  if (target === undefined) return undefined;
  const [one, other] = [new URL(target), new URL(url)];
  one.hash = "";
  other.hash = "";
  return one.href === other.href ? undefined : target;
}

type RefreshPage = { refresh: string; base: string; textLength: number };

const HIDDEN = new Set(["script", "style", "noscript", "title", "template"]);

/**
 * Walks the tree without recursion: the first refresh and base elements, and how much text is
 * visible.
 */
function readPage(document: Document): RefreshPage {
  const page: RefreshPage = { refresh: "", base: "", textLength: 0 };
  const open: AnyNode[] = document.children.toReversed();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isText(node)) page.textLength += node.data.trim().length;
    if (!isTag(node) || HIDDEN.has(node.name)) continue;
    if (node.name === "base") page.base ||= node.attribs["href"] ?? "";
    if (node.name === "meta" && node.attribs["http-equiv"]?.trim().toLowerCase() === "refresh")
      page.refresh ||= node.attribs["content"] ?? "";
    for (let child = node.lastChild; child !== null; child = child.prev) open.push(child);
  }
  return page;
}
