// Pages that can be read from the data in their HTML instead of being rendered. What a template
// shows is learned from rendered pages, per part of a site and kind of visitor. Now and then a page
// is rendered all the same, and a difference ends the reading.
import { isTag, type Document } from "domhandler";
import { decodeText } from "../../html/parse/charset.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { findElement, listElements, readAttribute, readText } from "../../html/parse/tree.ts";
import type { Capture } from "../../capture.ts";
import { toPlainNodes } from "./plain-tree.ts";
import { readPageState } from "./read-page-state.ts";
import { PageTemplate } from "./template.ts";

/** A kind of visitor, to whom a site may show other pages: device, country, languages, proxy. */
export type Visitor = string;

export type ReadPage = {
  readonly body: Uint8Array;
  /** Rendered pages whose template it is. */
  readonly renderedPages: number;
};

type Place = {
  readonly template: PageTemplate;
  reads: number;
  sinceRendered: number;
  /** Pages read before one is rendered for comparison. */
  checkInterval: number;
  /** Pages rendered for comparison before any could be read. */
  rendered: number;
  /** Milliseconds since the epoch; before that the place is left to the browser. */
  blockedUntil: number;
  usedAt: number;
};

const MAX_PLACES = 40;
const TTL_MS = 60 * 60_000;
const BLOCKED_MS = 60 * 60_000;
const MAX_HTML_BYTES = 600_000;
/** After 2, 4, 8 and 16 pages read, and then after so many, one is rendered. */
const MAX_CHECK_INTERVAL = 25;
/** A place none of whose first pages could be read is left to the browser. */
const MAX_RENDERED = 60;

export class PageStates {
  readonly #places = new Map<string, Place>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** True if the plain HTML of the page is of use, although it needs a browser. */
  wants(url: URL, visitor: Visitor): boolean {
    return this.#findOpen(url, visitor) !== undefined;
  }

  /** Returns the page that the capture's data gives, or undefined if it has to be rendered. */
  read(capture: Capture, visitor: Visitor): ReadPage | undefined {
    const url = new URL(capture.finalUrl);
    const place = this.#findOpen(url, visitor);
    if (place === undefined || !isComparable(capture)) return undefined;
    if (!place.template.isUsable || place.sinceRendered >= place.checkInterval) return undefined;
    const document = parseCapture(capture);
    const state = readPageState(document, url);
    const html = state === undefined ? undefined : place.template.fill(state, this.#now());
    if (html === undefined) return undefined;
    place.reads += 1;
    place.sinceRendered += 1;
    const page = `<!doctype html>${insertData(html, document)}`;
    return { body: Buffer.from(page, "utf8"), renderedPages: place.template.pages };
  }

  /** Compares a page with its rendering, and learns from both. */
  learn(plain: Capture, rendered: Capture, visitor: Visitor): void {
    if (plain.finalUrl !== rendered.finalUrl || !isComparable(plain) || !isComparable(rendered))
      return;
    const url = new URL(plain.finalUrl);
    const key = toKey(url, visitor);
    const known = this.#find(key);
    if (known !== undefined && known.blockedUntil > this.#now()) return;
    const state = readPageState(parseCapture(plain), url);
    if (state === undefined) return;
    const document = parseCapture(rendered);
    const nodes = toPlainNodes(document);
    if (nodes === undefined) return;
    const place = known ?? this.#open(key, document);
    if (place.sinceRendered >= place.checkInterval)
      place.checkInterval = Math.min(MAX_CHECK_INTERVAL, 2 * place.checkInterval);
    place.sinceRendered = 0;
    place.rendered += 1;
    const isLost = place.reads === 0 && place.rendered >= MAX_RENDERED;
    if (place.template.learn(nodes, state, this.#now()) !== "contradicted" && !isLost) return;
    place.blockedUntil = this.#now() + BLOCKED_MS;
  }

  #findOpen(url: URL, visitor: Visitor): Place | undefined {
    const place = this.#find(toKey(url, visitor));
    return place === undefined || place.blockedUntil > this.#now() ? undefined : place;
  }

  #find(key: string): Place | undefined {
    const place = this.#places.get(key);
    if (place === undefined) return undefined;
    this.#places.delete(key);
    if (place.usedAt + TTL_MS < this.#now()) return undefined;
    place.usedAt = this.#now();
    this.#places.set(key, place);
    return place;
  }

  #open(key: string, rendered: Document): Place {
    const root = findElement(rendered, ({ name }) => name === "html");
    const language = root === undefined ? "" : readAttribute(root, "lang");
    const place: Place = {
      template: new PageTemplate([...new Set([language, "en-US"])].filter((each) => each !== "")),
      reads: 0,
      sinceRendered: 0,
      checkInterval: 2,
      rendered: 0,
      blockedUntil: 0,
      usedAt: this.#now(),
    };
    this.#places.set(key, place);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MAX_PLACES && oldest !== undefined) this.#places.delete(oldest);
    return place;
  }
}

/** Origin, first folder and depth of the path: a template rarely has several. */
function toKey({ origin, pathname }: URL, visitor: Visitor): string {
  const parts = pathname.split("/").filter((part) => part !== "");
  return `${visitor} ${origin} ${parts.length > 1 ? parts[0] : ""} ${parts.length}`;
}

const isComparable = ({ statusCode, mimeType, body, warnings }: Capture): boolean =>
  statusCode === 200 &&
  /^text\/html$|xhtml/.test(mimeType) &&
  body.length <= MAX_HTML_BYTES &&
  warnings.length === 0;

const parseCapture = ({ body, contentType, mimeType }: Capture): Document =>
  parseHtml(decodeText(body, contentType, mimeType).text);

/** Keeps the data of the page in it, for the formats that read it. */
function insertData(html: string, plain: Document): string {
  const scripts = listElements(plain)
    .filter((element) => isTag(element) && element.name === "script")
    .filter((script) => readAttribute(script, "src") === "")
    .map((script) => {
      const attributes = ["type", "id"]
        .filter((name) => readAttribute(script, name) !== "")
        .map((name) => ` ${name}="${readAttribute(script, name).replaceAll(/[&"]/g, "")}"`)
        .join("");
      return `<script${attributes}>${readText(script)}</script>`;
    });
  const end = html.lastIndexOf("</body>");
  return end < 0 ? html : html.slice(0, end) + scripts.join("") + html.slice(end);
}
