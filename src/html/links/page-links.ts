// All addresses on a page that a crawl may visit, with their attributes. They are read from the
// parsed page before anything is pruned. For the `links` format see links.ts.
import { isTag, isText, type Document, type Element } from "domhandler";
import { createLinkResolver, stripFragment, type LinkResolver } from "./link-address.ts";
import { readLinkHeaders } from "./link-header.ts";
import { getElementIndex } from "../evidence/element-index.ts";
import { foldSpace, getNextNode, readText } from "../parse/tree.ts";

/** Position of a link. If an address appears in several places, the later kind wins. */
export const PAGE_LINK_KINDS = [
  "anchor",
  "area",
  "frame",
  "alternate",
  "prev",
  "canonical",
  "refresh",
  "next",
] as const;

export type PageLinkKind = (typeof PAGE_LINK_KINDS)[number];

export type PageLink = {
  /** Absolute, http or https, without fragment unless it is a route. */
  readonly url: string;
  readonly kind: PageLinkKind;
  /** True if every occurrence is nofollow. */
  readonly nofollow: boolean;
  /** First non-empty text of the link, at most 120 characters. */
  readonly text: string;
};

/**
 * Columns instead of one object per link, because they are transferred between threads at a quarter
 * of the cost. Read with `getPageLink`.
 */
export type PageLinks = {
  readonly urls: readonly string[];
  readonly texts: readonly string[];
  /** Index into PAGE_LINK_KINDS, combined with NOFOLLOW. */
  readonly marks: Uint8Array;
  /** The canonical address, if the page declares one. */
  readonly canonical: string | undefined;
  /** True if `<meta name=robots>` says noindex. */
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly title: string;
  readonly description: string;
  /** Links omitted because there were too many. */
  readonly omitted: number;
};

const NOFOLLOW = 0x80;
const MAX_LINKS = 100_000;
const MAX_URL_CHARACTERS = 8_192;
const MAX_TEXT_CHARACTERS = 120;
const MAX_TITLE_CHARACTERS = 500;

/** Returns the link at an index from 0 to `urls.length - 1`. */
export function getPageLink(links: PageLinks, index: number): PageLink {
  const mark = links.marks[index] ?? 0;
  return {
    url: links.urls[index] ?? "",
    kind: PAGE_LINK_KINDS[mark & ~NOFOLLOW] ?? "anchor",
    nofollow: (mark & NOFOLLOW) !== 0,
    text: links.texts[index] ?? "",
  };
}

/**
 * Reads the links of a page that was fetched from `pageUrl`. `linkHeader` is its Link header (RFC
 * 8288), "" if none. Lists each address once, in order of appearance, without the page itself.
 */
export function readPageLinks(document: Document, pageUrl: string, linkHeader = ""): PageLinks {
  const { linking, unprepared, mounts } = getElementIndex(document);
  const isApplication = mounts.length > 0 || stripFragment(pageUrl).includes("#");
  const found = new LinkCollector(isApplication);
  const mayBeInTemplate = unprepared.some(({ name }) => name === "template");
  for (const element of linking)
    if (!mayBeInTemplate || !isInTemplate(element)) readElement(element, found);
  // Header links are relative to the page's own address, not to the base its HTML declares.
  const header = new LinkCollector(isApplication);
  for (const { target, rel, hreflang } of readLinkHeaders(linkHeader))
    addRelated(header, rel, target, hreflang);
  return finish(pageUrl, found, header);
}

function isInTemplate({ parent }: Element): boolean {
  for (let at = parent; at !== null && isTag(at); at = at.parent)
    if (at.name === "template") return true;
  return false;
}

type Entry = { written: string; kind: number; nofollow: boolean; text: string };

/** Addresses as written on the page, each spelling once. */
class LinkCollector {
  readonly entries = new Map<string, Entry>();
  readonly #isApplication: boolean;
  omitted = 0;
  base = "";
  canonical = "";
  title = "";
  description = "";
  robots = "";

  constructor(isApplication: boolean) {
    this.#isApplication = isApplication;
  }

  /** Adds an address as written. Returns the entry if it still needs a text. */
  add(attribute: string | undefined, kind: PageLinkKind, nofollow: boolean): Entry | undefined {
    if (attribute === undefined) return undefined;
    const written = stripFragment(attribute, this.#isApplication);
    if (written === "" || written.length > MAX_URL_CHARACTERS) return undefined;
    const rank = PAGE_LINK_KINDS.indexOf(kind);
    const known = this.entries.get(written);
    if (known !== undefined) {
      merge(known, rank, nofollow);
      return known;
    }
    if (this.entries.size >= MAX_LINKS) {
      this.omitted++;
      return undefined;
    }
    const entry = { written, kind: rank, nofollow, text: "" };
    this.entries.set(written, entry);
    return entry;
  }
}

function merge(entry: Entry, kind: number, nofollow: boolean): void {
  if (kind > entry.kind) entry.kind = kind;
  entry.nofollow &&= nofollow;
}

function readElement(element: Element, found: LinkCollector): void {
  const { attribs } = element;
  switch (element.name) {
    case "a":
    case "area": {
      const rel = attribs["rel"];
      const entry = found.add(
        attribs["href"] ?? attribs["xlink:href"],
        rel === undefined
          ? element.name === "a"
            ? "anchor"
            : "area"
          : classifyLink(element.name, rel),
        rel !== undefined && /\bnofollow\b/i.test(rel),
      );
      if (entry !== undefined && entry.text === "") entry.text = readLinkText(element);
      break;
    }
    case "frame":
    case "iframe":
      found.add(attribs["src"], "frame", false);
      break;
    case "link":
      addRelated(found, attribs["rel"] ?? "", attribs["href"], attribs["hreflang"]);
      break;
    case "base":
      found.base ||= attribs["href"]?.trim() ?? "";
      break;
    case "meta":
      readMeta(attribs, found);
      break;
    case "title":
      if (found.title === "" && !isInDrawing(element))
        found.title = foldSpace(readText(element, MAX_TITLE_CHARACTERS)).slice(
          0,
          MAX_TITLE_CHARACTERS,
        );
      break;
  }
}

/** A title inside an SVG is not the page title. */
const isInDrawing = ({ parent }: Element): boolean =>
  parent !== null && isTag(parent) && !/^(?:head|html|body)$/.test(parent.name);

function classifyLink(name: string, rel: string): PageLinkKind {
  if (/\bnext\b/i.test(rel)) return "next";
  if (/\bprev(?:ious)?\b/i.test(rel)) return "prev";
  return name === "a" ? "anchor" : "area";
}

/**
 * Adds a relation of the whole page from `<link>` or a Link header. Omits relations that are not
 * pages.
 */
function addRelated(
  found: LinkCollector,
  relation: string,
  target: string | undefined,
  hreflang: string | undefined,
): void {
  const words = relation.toLowerCase().split(/\s+/);
  if (words.includes("canonical")) {
    found.canonical ||= target?.trim() ?? "";
    found.add(target, "canonical", false);
  } else if (words.includes("next")) found.add(target, "next", false);
  else if (words.includes("prev") || words.includes("previous")) found.add(target, "prev", false);
  else if (words.includes("alternate") && hreflang !== undefined && hreflang !== "")
    found.add(target, "alternate", false);
}

function readMeta(attribs: Record<string, string>, found: LinkCollector): void {
  const content = attribs["content"];
  if (content === undefined) return;
  const name = (attribs["name"] ?? attribs["property"] ?? "").toLowerCase();
  if (name === "description" || (name === "og:description" && found.description === ""))
    found.description = foldSpace(content.slice(0, 2_000)).slice(0, MAX_TITLE_CHARACTERS);
  else if (name === "robots") found.robots += `,${content.slice(0, 500)}`;
  else if (attribs["http-equiv"]?.trim().toLowerCase() === "refresh") {
    const target = /^[\d.]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.trimStart())?.[1];
    found.add(target, "refresh", false);
  }
}

/**
 * Maximum nodes to read for one link's text. Unclosed anchors nest, and must not cost quadratic
 * time.
 */
const MAX_NODES = 40;

function readLinkText(element: Element): string {
  const [only] = element.children;
  if (element.children.length === 1 && only !== undefined && isText(only))
    return shorten(only.data);
  const { attribs } = element;
  const parts: string[] = [];
  let length = 0;
  let nodes = 0;
  let node = getNextNode(element, element);
  while (node !== null && ++nodes <= MAX_NODES && length <= MAX_TEXT_CHARACTERS) {
    const words = isText(node)
      ? node.data
      : isTag(node) && node.name === "img"
        ? node.attribs["alt"]
        : "";
    if (words !== undefined && words !== "") {
      parts.push(words.slice(0, 2 * MAX_TEXT_CHARACTERS));
      length += words.trim().length;
    }
    const isSilent = isTag(node) && (node.name === "script" || node.name === "style");
    node = getNextNode(node, element, isSilent);
  }
  const text = shorten(parts.join(" "));
  return text === "" ? shorten(attribs["aria-label"] ?? attribs["title"] ?? "") : text;
}

const UNFOLDED = /^\s|\s\s|[^\S ]|\s$/;

function shorten(text: string): string {
  if (text.length <= MAX_TEXT_CHARACTERS && !UNFOLDED.test(text)) return text;
  return foldSpace(text.slice(0, 1_000)).slice(0, MAX_TEXT_CHARACTERS);
}

function finish(pageUrl: string, found: LinkCollector, header: LinkCollector): PageLinks {
  const own = createLinkResolver(pageUrl);
  const base = found.base === "" ? pageUrl : (own(found.base) ?? pageUrl);
  const inPage = base === pageUrl ? own : createLinkResolver(base);
  const self = own(stripFragment(pageUrl, true));
  const links = new Map<string, Entry>();
  collect(found, inPage, links);
  collect(header, own, links);
  if (self !== undefined) links.delete(self);
  const texts: string[] = [];
  const marks = new Uint8Array(links.size);
  for (const { text, kind, nofollow } of links.values()) {
    marks[texts.length] = nofollow ? kind | NOFOLLOW : kind;
    texts.push(text);
  }
  const canonical =
    found.canonical === ""
      ? resolveNonEmpty(header.canonical, own)
      : resolveNonEmpty(found.canonical, inPage);
  return {
    urls: [...links.keys()],
    texts,
    marks,
    canonical,
    noindex: /\b(?:noindex|none)\b/i.test(found.robots),
    nofollow: /\b(?:nofollow|none)\b/i.test(found.robots),
    title: found.title,
    description: found.description,
    omitted: found.omitted + header.omitted,
  };
}

function resolveNonEmpty(written: string, resolve: LinkResolver): string | undefined {
  return written === "" ? undefined : resolve(stripFragment(written));
}

/** Resolves the addresses as written and merges those with the same target. */
function collect(found: LinkCollector, resolve: LinkResolver, links: Map<string, Entry>): void {
  for (const entry of found.entries.values()) {
    const url = resolve(entry.written);
    if (url === undefined) continue;
    const known = links.get(url);
    if (known === undefined) links.set(url, entry);
    else {
      merge(known, entry.kind, entry.nofollow);
      if (known.text === "") known.text = entry.text;
    }
  }
}
