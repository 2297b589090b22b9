// The base URL for relative links. https://html.spec.whatwg.org/#document-base-url
import type { Document } from "domhandler";
import { getHeadElements } from "../parse/parse.ts";
import { readAttribute } from "../parse/tree.ts";

/**
 * Returns the page's base: its first `<base href>` resolved against the page's own address, or that
 * address.
 */
export function resolveBaseUrl(document: Document, pageUrl: string): string {
  // <base> belongs in the head, but pages that put it in the body rely on it too.
  let href = "";
  for (const sign of getHeadElements(document))
    if (href === "" && sign.name === "base") href = readAttribute(sign, "href").trim();
  if (href === "") return pageUrl;
  const resolved = resolveUrl(href, pageUrl);
  return resolved !== undefined && /^https?:/i.test(resolved) ? resolved : pageUrl;
}

const ABSOLUTE = /^https?:\/\/[\w.-]+(?::\d{1,5})?(?:[/?#][^\s\\<>"]*)?$/i;
const MALFORMED_SCHEME = /^(https?):\/(?!\/)/i;

/**
 * Makes an address from a page absolute. An address that is already absolute stays as written;
 * `http:/host` is read as `http://host`. Returns undefined if it cannot be parsed.
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

/** Characters that the URL parser keeps: a path below the base's folder, a fragment, or both. */
const PLAIN_PATH = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*(?:#[\w.-]*)?$/;
const PLAIN_FRAGMENT = /^#[\w.-]+$/;
const UP = "../../";
/** Links that go up further are left to the URL parser. */
const MAX_LEVELS = 16;

/**
 * Resolves the many links of one page. Links that need no parsing are concatenated from parts of
 * the base.
 */
export class LinkResolver {
  readonly #base: string;
  /** The base without its fragment, or "" if it is not http(s). */
  readonly #page: string = "";
  /** The base's folder, its parent and so on, as far up as links have gone. */
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

  /** Same as `resolveUrl` with this base. */
  resolve(written: string): string | undefined {
    if (this.#page !== "") {
      if (PLAIN_FRAGMENT.test(written)) return this.#page + written;
      let levels = 0;
      while (levels < MAX_LEVELS && written.startsWith(UP, levels * UP.length)) levels++;
      const path = written.slice(levels * UP.length);
      if (PLAIN_PATH.test(path)) return this.#getParentPath(levels) + path;
    }
    return resolveUrl(written, this.#base);
  }

  /** Returns the folder that many levels above the base's folder. */
  #getParentPath(levels: number): string {
    for (let at = this.#folders.length; at <= levels; at++)
      this.#folders.push(new URL(UP, this.#folders[at - 1]).href);
    return this.#folders[levels] as string;
  }
}
