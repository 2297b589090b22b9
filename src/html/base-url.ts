// The address that relative links are resolved against. https://html.spec.whatwg.org/#document-base-url
import type { Document } from "domhandler";
import { attributeOf, findElement } from "./tree.ts";

/** The page's base: its first `<base href>` resolved against the page's own address, or that address. */
export function baseUrl(document: Document, pageUrl: string): string {
  // <base> belongs into the head, but pages that put it into the body mean it as well.
  const element = findElement(
    document,
    (candidate) => candidate.name === "base" && attributeOf(candidate, "href").trim() !== "",
  );
  const href = element === undefined ? "" : attributeOf(element, "href").trim();
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
