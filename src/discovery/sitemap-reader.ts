// Streaming reader of sitemaps (sitemaps.org protocol, RSS 2.0 and 1.0, Atom, plain lists). Broken
// XML is read as far as possible; DTD entities are never expanded.
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { readFeedText } from "./feed-text.ts";

export type SitemapEntry = {
  /** As written, trimmed. */
  readonly address: string;
  /** Title of a feed item or of a news sitemap article. */
  readonly title: string | undefined;
  /** Short description of a feed item. */
  readonly description: string | undefined;
};

export type SitemapKind = "urlset" | "index" | "text" | "feed" | "html" | "other";

/** Result of one chunk of text. */
export type SitemapPart = {
  readonly pages: readonly SitemapEntry[];
  /** Addresses of further sitemaps. */
  readonly sitemaps: readonly string[];
};

/** Also bounds the cost of an end tag without a start. */
const MAX_DEPTH = 256;
const MAX_TEXT_CHARACTERS = 8_192;
/** Maximum characters of an item's text, as written. Some feeds contain whole posts. */
const MAX_WORDS_CHARACTERS = 2_000;
/** The parser would read everything after a bare ampersand, as in `?a=1&b=2`, as an entity name. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g;
const MAX_REFERENCE_CHARACTERS = 34;
const ADDRESS = /^https?:\/\/\S+$/i;

/** Text elements of an item by meaning. The first description in this list wins. */
const WORDS: Readonly<Record<string, "title" | "description" | "summary" | "content">> = {
  title: "title",
  summary: "summary",
  description: "description",
  content: "content",
  encoded: "content",
};

type Item = {
  address: string;
  id: string;
  title: string;
  description: string;
  summary: string;
  content: string;
};

const EMPTY_ITEM: Readonly<Item> = {
  address: "",
  id: "",
  title: "",
  description: "",
  summary: "",
  content: "",
};

type Parser = SaxesParser<{ xmlns: false; fragment: true; position: false }>;

/**
 * Reads one sitemap. Feed it chunks of text with `write`; `isDone` means that more input has no
 * effect.
 */
export class SitemapReader {
  #kind: SitemapKind | undefined;
  #parser: Parser | undefined;
  #start = "";
  #line = "";
  #open: string[] = [];
  #text = "";
  #item: Item | undefined;
  /** The open text element of the item, with its content. */
  #words: { readonly depth: number; text: string } | undefined;
  /** The last page of a urlset; its title may follow. */
  #last: SitemapEntry | undefined;
  #pages: SitemapEntry[] = [];
  #sitemaps: string[] = [];
  #carried = "";
  #isTooDeep = false;

  /** "other" until enough was read. */
  get kind(): SitemapKind {
    return this.#kind ?? "other";
  }

  get isDone(): boolean {
    if (this.#kind === "html" || this.#isTooDeep) return true;
    return this.#kind === "other" && this.#parser === undefined;
  }

  /** Reads the next chunk and returns the completed entries. */
  write(piece: string): SitemapPart {
    if (this.#kind === "text") this.#writeLines(piece);
    else if (this.#parser !== undefined) this.#writeXml(piece);
    else this.#begin(piece);
    return this.#take();
  }

  /** Returns the entries that were still open. */
  end(): SitemapPart {
    if (this.#kind === undefined && this.#parser === undefined) this.#begin("", true);
    if (this.#kind === "text") this.#writeLines("\n");
    if (this.#carried !== "")
      this.#parser?.write(this.#carried.replaceAll(BARE_AMPERSAND, "&amp;"));
    this.#endItem();
    this.#finishEntry();
    return this.#take();
  }

  #begin(piece: string, isLast = false): void {
    // Only what is not white space is kept: a file of nothing else is read in linear time.
    this.#start = (this.#start + piece).trimStart();
    const start = this.#start;
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
    this.#line = (lines.pop() ?? "").slice(-MAX_TEXT_CHARACTERS);
    for (const line of lines) this.#addPage(line);
  }

  #writeXml(piece: string): void {
    if (this.isDone) return;
    const text = this.#carried + piece;
    // An ampersand at the end may be the start of a reference.
    const last = text.lastIndexOf("&");
    const end = last > text.length - MAX_REFERENCE_CHARACTERS ? last : text.length;
    this.#carried = text.slice(end);
    this.#parser?.write(text.slice(0, end).replaceAll(BARE_AMPERSAND, "&amp;"));
  }

  #createParser(): Parser {
    const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
    // With a handler the parser continues after an error.
    parser.on("error", () => undefined);
    parser.on("opentag", (tag) => this.#openTag(tag));
    parser.on("closetag", () => this.#closeTag());
    parser.on("text", (text) => this.#addText(text));
    parser.on("cdata", (text) => this.#addText(text.replaceAll("&amp;", "&")));
    return parser;
  }

  #addText(text: string): void {
    const words = this.#words;
    if (words !== undefined && words.text.length < MAX_WORDS_CHARACTERS)
      words.text += text.slice(0, MAX_WORDS_CHARACTERS);
    if (this.#text.length < MAX_TEXT_CHARACTERS) this.#text += text.slice(0, MAX_TEXT_CHARACTERS);
  }

  #openTag(tag: SaxesTagPlain): void {
    const name = readLocalName(tag.name);
    if (this.#kind === undefined) this.#kind = detectKind(name);
    this.#open.push(name);
    this.#text = "";
    if (this.#open.length > MAX_DEPTH) this.#isTooDeep = true;
    if (name === "item" || name === "entry") {
      this.#endItem();
      this.#item = { ...EMPTY_ITEM };
    } else if (this.#words !== undefined) this.#addText(`<${name}>`);
    else if (this.#item !== undefined && isItem(this.#open.at(-2)) && WORDS[name] !== undefined)
      this.#words = { depth: this.#open.length, text: "" };
    if (name === "link") this.#addLink(tag.attributes);
  }

  /** `<link href>` is the entry's address in Atom, and the page in another language in a urlset. */
  #addLink(attributes: Readonly<Record<string, string>>): void {
    const href = attributes["href"];
    const relation = attributes["rel"] ?? "alternate";
    if (href === undefined || relation !== "alternate") return;
    if (this.#item !== undefined) this.#item.address ||= href;
    else if (this.#open.at(-2) === "url") this.#addPage(href);
  }

  #closeTag(): void {
    const depth = this.#open.length;
    const name = this.#open.pop();
    const parent = this.#open.at(-1);
    const text = this.#text.trim();
    this.#text = "";
    if (this.#words !== undefined && depth > this.#words.depth) this.#addText(`</${name}>`);
    else if (name === "loc" && parent === "url") this.#addPage(text);
    else if (name === "loc" && parent === "sitemap") this.#sitemaps.push(text);
    else if (name === "title" && parent === "news" && this.#last !== undefined)
      this.#last = { ...this.#last, title: readWords(text, this.#last.title) };
    else if (isItem(name)) this.#endItem();
    else if (this.#item !== undefined && isItem(parent)) this.#readField(this.#item, name, text);
  }

  #readField(item: Item, name: string | undefined, text: string): void {
    if (name === "link") item.address ||= text;
    else if (name === "guid") item.id ||= text;
    const field = name === undefined ? undefined : WORDS[name];
    if (field !== undefined) item[field] ||= this.#words?.text.trim() ?? "";
    this.#words = undefined;
  }

  #endItem(): void {
    const item = this.#item;
    this.#item = undefined;
    this.#words = undefined;
    if (item === undefined) return;
    const address = item.address === "" && ADDRESS.test(item.id) ? item.id : item.address;
    this.#addPage(address, item.title, item.summary || item.description || item.content);
  }

  #addPage(written: string, title = "", description = ""): void {
    const address = written.trim();
    if (address === "" || this.#kind === "html") return;
    if (this.#kind === "text" && !ADDRESS.test(address)) return;
    this.#finishEntry();
    this.#last = { address, title: readWords(title), description: readWords(description) };
  }

  #finishEntry(): void {
    if (this.#last !== undefined) this.#pages.push(this.#last);
    this.#last = undefined;
  }

  #take(): SitemapPart {
    const part = { pages: this.#pages, sitemaps: this.#sitemaps };
    this.#pages = [];
    this.#sitemaps = [];
    return part;
  }
}

const isItem = (name: string | undefined): boolean => name === "item" || name === "entry";

const readWords = (written: string, otherwise?: string): string | undefined =>
  readFeedText(written) || otherwise;

/**
 * Returns the name without prefix: `sm:url` is `url`. `image:loc` is distinguished by its parent.
 */
const readLocalName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

function detectKind(root: string): SitemapKind {
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
