// The address that relative links are resolved against. https://html.spec.whatwg.org/#document-base-url
import type { Document } from "domhandler";
import { signsIn } from "../parse/parse.ts";
import { attributeOf } from "../parse/tree.ts";

/** The page's base: its first `<base href>` resolved against the page's own address, or that address. */
export function baseUrl(document: Document, pageUrl: string): string {
  // <base> belongs into the head, but pages that put it into the body mean it as well.
  let href = "";
  for (const sign of signsIn(document))
    if (href === "" && sign.name === "base") href = attributeOf(sign, "href").trim();
  if (href === "") return pageUrl;
  const resolved = resolveUrl(href, pageUrl);
  return resolved !== undefined && /^https?:/i.test(resolved) ? resolved : pageUrl;
}

const ABSOLUTE = /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#][^\s\\<>"]*)?$/i;
const MALFORMED_SCHEME = /^(https?):\/(?!\/)/i;

/**
 * An address as written in a page, made absolute. An address that is already absolute stays as it was written;
 * `http:/host` is read as `http://host`. Undefined when it cannot be parsed.
 */
export function resolveUrl(written: string, base: string | undefined): string | undefined {
  if (ABSOLUTE.test(written)) return written;
  const url = written
    .trim()
    .replace(/[\t\n\r]+/g, "")
    .replace(MALFORMED_SCHEME, "$1://");
  if (ABSOLUTE.test(url)) return url;
  if (base === undefined) return url;
  try {
    return new URL(url, base).href;
  } catch {
    return undefined;
  }
}

/** Letters that the URL parser leaves as they are: a path below the base's folder, a part of the page, or both. */
const PLAIN_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*(?:#[\w.-]*)?$/;
const PLAIN_FRAGMENT = /^#[\w.-]+$/;
const UP = "../../";
/** Links that go further up are left to the URL parser. */
const MAX_LEVELS = 16;

/** Resolves the many links of one page: those that need no parsing are put together from the base's parts. */
export class LinkResolver {
  readonly #base: string;
  /** The base without its fragment; "" where the base is not of the web. */
  readonly #page: string = "";
  /** Its folder, the folder above that and so on, as far as links have gone up. */
  readonly #folders: string[] = [];

  constructor(base: string) {
    this.#base = base;
    if (!URL.canParse(base)) return;
    const url = new URL(base);
    if (url.protocol !== "http:" && url.protocol !== "https:") return;
    url.hash = "";
    this.#page = url.href;
    this.#folders.push(new URL(".", url).href);
  }

  /** As `resolveUrl` with this base. */
  resolve(written: string): string | undefined {
    if (this.#page !== "") {
      if (PLAIN_FRAGMENT.test(written)) return this.#page + written;
      let levels = 0;
      while (levels < MAX_LEVELS && written.startsWith(UP, levels * UP.length)) levels++;
      const path = written.slice(levels * UP.length);
      if (PLAIN_PATH.test(path)) return this.#above(levels) + path;
    }
    return resolveUrl(written, this.#base);
  }

  /** The folder so many levels above that of the base. */
  #above(levels: number): string {
    for (let at = this.#folders.length; at <= levels; at++)
      this.#folders.push(new URL(UP, this.#folders[at - 1]).href);
    return this.#folders[levels] as string;
  }
}
