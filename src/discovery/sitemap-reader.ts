// What a sitemap says (sitemaps.org protocol, RSS 2.0 and 1.0, Atom, plain lists), read as it comes in. Broken XML is read as
// far as it makes sense; entities of a document type are never expanded.
import { SaxesParser, type SaxesTagPlain } from "saxes";

export type SitemapEntry = {
  /** As written, trimmed. */
  readonly address: string;
  /** Of an item of a feed. */
  readonly title: string | undefined;
};

export type SitemapKind = "urlset" | "index" | "text" | "feed" | "html" | "other";

/** What came out of one piece of text. */
export type SitemapPart = {
  readonly pages: readonly SitemapEntry[];
  /** Addresses of further sitemaps. */
  readonly sitemaps: readonly string[];
};

/** Also bounds what an end tag without its start costs. */
const MOST_DEPTH = 256;
const MOST_TEXT_CHARACTERS = 8_192;
/** The parser would take all that follows a bare ampersand, as in `?a=1&b=2`, for the name of an entity. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g;
const MOST_REFERENCE = 34;
const ADDRESS = /^https?:\/\/\S+$/i;

type Parser = SaxesParser<{ xmlns: false; fragment: true; position: false }>;

/** Reads one sitemap. Feed it pieces of text with `write`; `isDone` says that more would change nothing. */
export class SitemapReader {
  #kind: SitemapKind | undefined;
  #parser: Parser | undefined;
  #start = "";
  #line = "";
  #open: string[] = [];
  #text = "";
  #item: { address: string; id: string; title: string } | undefined;
  #pages: SitemapEntry[] = [];
  #sitemaps: string[] = [];
  #carried = "";
  #isTooDeep = false;

  /** "other" before enough was read to tell. */
  get kind(): SitemapKind {
    return this.#kind ?? "other";
  }

  get isDone(): boolean {
    if (this.#kind === "html" || this.#isTooDeep) return true;
    return this.#kind === "other" && this.#parser === undefined;
  }

  /** Takes the next piece and gives what it completed. */
  write(piece: string): SitemapPart {
    if (this.#kind === "text") this.#writeLines(piece);
    else if (this.#parser !== undefined) this.#writeXml(piece);
    else this.#begin(piece);
    return this.#take();
  }

  /** Gives what was still open. */
  end(): SitemapPart {
    if (this.#kind === undefined && this.#parser === undefined) this.#begin("", true);
    if (this.#kind === "text") this.#writeLines("\n");
    if (this.#carried !== "")
      this.#parser?.write(this.#carried.replaceAll(BARE_AMPERSAND, "&amp;"));
    this.#endItem();
    return this.#take();
  }

  #begin(piece: string, isLast = false): void {
    this.#start += piece;
    const start = this.#start.trimStart();
    if (start.length < 16 && !isLast) return;
    if (/^<(?:!doctype\s+html|html)\b/i.test(start)) this.#kind = "html";
    else if (start.startsWith("<")) {
      this.#parser = this.#createParser();
      this.#writeXml(start);
    } else if (/^(?:#[^\n]*\n\s*)*https?:\/\//i.test(start)) {
      this.#kind = "text";
      this.#writeLines(start);
    } else if (start !== "") this.#kind = "other";
    this.#start = "";
  }

  #writeLines(piece: string): void {
    const lines = (this.#line + piece).split(/[\r\n]+/);
    this.#line = (lines.pop() ?? "").slice(-MOST_TEXT_CHARACTERS);
    for (const line of lines) this.#addPage(line, undefined);
  }

  #writeXml(piece: string): void {
    if (this.isDone) return;
    const text = this.#carried + piece;
    // An ampersand at the end may still become a reference.
    const last = text.lastIndexOf("&");
    const end = last > text.length - MOST_REFERENCE ? last : text.length;
    this.#carried = text.slice(end);
    this.#parser?.write(text.slice(0, end).replaceAll(BARE_AMPERSAND, "&amp;"));
  }

  #createParser(): Parser {
    const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
    // With a handler the parser goes on after a fault.
    parser.on("error", () => undefined);
    parser.on("opentag", (tag) => this.#openTag(tag));
    parser.on("closetag", () => this.#closeTag());
    const addText = (text: string): void => {
      if (this.#text.length < MOST_TEXT_CHARACTERS)
        this.#text += text.slice(0, MOST_TEXT_CHARACTERS);
    };
    parser.on("text", addText);
    parser.on("cdata", (text) => addText(text.replaceAll("&amp;", "&")));
    return parser;
  }

  #openTag(tag: SaxesTagPlain): void {
    const name = localName(tag.name);
    if (this.#kind === undefined) this.#kind = kindOf(name);
    this.#open.push(name);
    this.#text = "";
    if (this.#open.length > MOST_DEPTH) this.#isTooDeep = true;
    if (name === "item" || name === "entry") {
      this.#endItem();
      this.#item = { address: "", id: "", title: "" };
    }
    if (name === "link") this.#addLink(tag.attributes);
  }

  /** `<link href>` of Atom is the entry's address, inside a urlset it is the page in another language. */
  #addLink(attributes: Readonly<Record<string, string>>): void {
    const href = attributes["href"];
    const relation = attributes["rel"] ?? "alternate";
    if (href === undefined || relation !== "alternate") return;
    if (this.#item !== undefined) this.#item.address ||= href;
    else if (this.#open.at(-2) === "url") this.#addPage(href, undefined);
  }

  #closeTag(): void {
    const name = this.#open.pop();
    const parent = this.#open.at(-1);
    const text = this.#text.trim();
    this.#text = "";
    if (name === "loc" && parent === "url") this.#addPage(text, undefined);
    else if (name === "loc" && parent === "sitemap") this.#sitemaps.push(text);
    else if (name === "item" || name === "entry") this.#endItem();
    else if (this.#item !== undefined && (parent === "item" || parent === "entry")) {
      if (name === "link") this.#item.address ||= text;
      else if (name === "guid") this.#item.id ||= text;
      else if (name === "title") this.#item.title ||= text.replaceAll(/\s+/g, " ").slice(0, 500);
    }
  }

  #endItem(): void {
    const item = this.#item;
    this.#item = undefined;
    if (item === undefined) return;
    const address = item.address === "" && ADDRESS.test(item.id) ? item.id : item.address;
    this.#addPage(address, item.title === "" ? undefined : item.title);
  }

  #addPage(written: string, title: string | undefined): void {
    const address = written.trim();
    if (address === "" || this.#kind === "html") return;
    if (this.#kind === "text" && !ADDRESS.test(address)) return;
    this.#pages.push({ address, title });
  }

  #take(): SitemapPart {
    const part = { pages: this.#pages, sitemaps: this.#sitemaps };
    this.#pages = [];
    this.#sitemaps = [];
    return part;
  }
}

/** The name without prefix: `sm:url` is `url`. `image:loc` is kept apart by its parent. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

function kindOf(root: string): SitemapKind {
  switch (root) {
    case "urlset":
    case "url":
      return "urlset";
    case "sitemapindex":
    case "sitemap":
      return "index";
    case "rss":
    case "rdf":
    case "feed":
      return "feed";
    case "html":
      return "html";
    default:
      return "other";
  }
}
