// Finds a page's audio: its own players first, then its metadata.
import { isTag, type Document, type Element } from "domhandler";
import { resolveBaseUrl, resolveUrl } from "../html/links/base-url.ts";
import { readLinkedData } from "../html/metadata/json-ld.ts";
import { getHeadElements } from "../html/parse/parse.ts";
import { readAttribute, readText, walk } from "../html/parse/tree.ts";

export type AudioSource = {
  /** Absolute, http or https. */
  readonly url: string;
  /** Declared type in lower case, without parameters; "" if missing. */
  readonly mimeType: string;
  /** Markup that named the source. */
  readonly from: "audio" | "enclosure" | "json-ld" | "og:audio" | "video" | "og:video";
};

const MAX_SOURCES = 50;
/** Audio is preferred to video with sound, and a player on the page to metadata. */
const ORDER: readonly AudioSource["from"][] = [
  "audio",
  "enclosure",
  "json-ld",
  "og:audio",
  "video",
  "og:video",
];
const AUDIO_NODES = /^(?:Audio|Music|Podcast|Radio|Episode|Clip)/;
const MEDIA_NODES = /^(?:Audio|Video|Music|Media)/;
const MEDIA_PATH = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|wav|flac|weba|mp4|m4v|webm|mov|m3u8)$/i;

/**
 * Returns the page's audio sources, the most likely first, each address once. Reads the original
 * page.
 */
export function findAudio(document: Document, pageUrl: string): AudioSource[] {
  const found = new Sources(resolveBaseUrl(document, pageUrl));
  walk(document, (node) => {
    if (!isTag(node)) return "skip";
    readElement(node, found);
    return "children";
  });
  const scripts: string[] = [];
  for (const sign of getHeadElements(document)) {
    if (sign.name === "meta") readMeta(sign, found);
    else if (/ld\+json/i.test(readAttribute(sign, "type"))) scripts.push(readText(sign));
  }
  readLinked(scripts, found);
  return found.listInOrder();
}

class Sources {
  readonly #base: string;
  readonly #found: AudioSource[] = [];

  constructor(base: string) {
    this.#base = base;
  }

  add(from: AudioSource["from"], written: string, type = ""): void {
    const url = written.trim() === "" ? undefined : resolveUrl(written, this.#base);
    if (url === undefined || !/^https?:\/\//i.test(url) || this.#found.length >= MAX_SOURCES)
      return;
    const mimeType = type.split(";")[0]?.trim().toLowerCase() ?? "";
    this.#found.push({ url, mimeType, from });
  }

  listInOrder(): AudioSource[] {
    const rank = ({ from, mimeType }: AudioSource): number =>
      ORDER.indexOf(from) * 2 + (mimeType === "audio/mpeg" ? 0 : 1);
    const sorted = this.#found.toSorted((one, other) => rank(one) - rank(other));
    return sorted.filter(({ url }, at) => sorted.findIndex((other) => other.url === url) === at);
  }
}

function readElement(element: Element, found: Sources): void {
  const { name } = element;
  if (name === "audio" || name === "video") {
    found.add(name, readAttribute(element, "src") || readAttribute(element, "data-src"));
  } else if (name === "source") {
    const parent = element.parent !== null && isTag(element.parent) ? element.parent.name : "";
    if (parent === "audio" || parent === "video")
      found.add(
        parent,
        readAttribute(element, "src") || readAttribute(element, "data-src"),
        readAttribute(element, "type"),
      );
  } else if (name === "a" || name === "link") {
    const isEnclosure = /\benclosure\b/i.test(readAttribute(element, "rel"));
    const type = readAttribute(element, "type");
    const href = readAttribute(element, "href");
    if (isEnclosure && !/^image\//i.test(type)) found.add("enclosure", href, type);
    else if (name === "a" && (/^audio\//i.test(type) || isAudioFile(href)))
      found.add("enclosure", href, type);
  }
}

const isAudioFile = (href: string): boolean =>
  /\.(?:mp3|m4a|ogg|oga|opus|flac|wav)(?:$|[?#])/i.test(href);

function readMeta(meta: Element, found: Sources): void {
  const key = (readAttribute(meta, "property") || readAttribute(meta, "name")).toLowerCase();
  const content = readAttribute(meta, "content");
  if (/^og:audio(?::url|:secure_url)?$/.test(key)) found.add("og:audio", content);
  else if (/^(?:og:video(?::url|:secure_url)?|twitter:player:stream)$/.test(key)) {
    // Most pages name a player here, which is a page itself.
    if (MEDIA_PATH.test(URL.parse(content, "http://page.invalid/")?.pathname ?? ""))
      found.add("og:video", content);
  }
}

function readLinked(scripts: readonly string[], found: Sources): void {
  for (const node of readLinkedData(scripts)) {
    const type = node.types.join(" ");
    if (!node.types.some((name) => AUDIO_NODES.test(name) || MEDIA_NODES.test(name))) continue;
    const [format] = node.values("encodingFormat");
    for (const value of node.values("contentUrl"))
      if (typeof value === "string")
        found.add(
          /Video/.test(type) ? "video" : "json-ld",
          value,
          typeof format === "string" ? format : "",
        );
  }
}
