// Finds the address of an image: srcset candidates, lazy-loading attributes, placeholders.
// https://html.spec.whatwg.org/#parse-a-srcset-attribute
import { type Element, isTag } from "domhandler";
import { readAttribute } from "../parse/tree.ts";

export type Candidate = { readonly url: string; readonly width: number; readonly density: number };

/** Returns the candidates of a srcset in order; width or density is 0 if missing. */
export function parseSrcset(srcset: string): Candidate[] {
  const candidates: Candidate[] = [];
  let at = 0;
  while (at < srcset.length && candidates.length < 100) {
    while (at < srcset.length && /[\s,]/.test(srcset[at] as string)) at++;
    const start = at;
    while (at < srcset.length && !/\s/.test(srcset[at] as string)) at++;
    let url = srcset.slice(start, at);
    if (url === "") break;
    let descriptor = "";
    if (url.endsWith(",")) url = url.replace(/,+$/, "");
    else {
      const end = srcset.indexOf(",", at);
      descriptor = srcset.slice(at, end === -1 ? srcset.length : end).trim();
      at = end === -1 ? srcset.length : end + 1;
    }
    const match = /^(\d+(?:\.\d+)?)([wx])$/.exec(descriptor.split(/\s+/)[0] ?? "");
    const size = Number(match?.[1] ?? 0);
    if (url !== "")
      candidates.push({
        url,
        width: match?.[2] === "w" ? size : 0,
        density: match?.[2] === "x" ? size : 0,
      });
  }
  return candidates;
}

/** Returns the largest candidate. If all are densities, the plain source competes as 1x. */
export function selectLargestCandidate(candidates: readonly Candidate[], source: string): string {
  let best = "";
  let size = 0;
  const byWidth = candidates.some((candidate) => candidate.width > 0);
  if (!byWidth && source !== "" && !isPlaceholder(source)) {
    best = source;
    size = 1;
  }
  for (const { url, width, density } of candidates) {
    const value = byWidth ? width : density || 1;
    if (value > size) {
      best = url;
      size = value;
    }
  }
  return best;
}

const LAZY_SOURCES = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-lazy",
  "data-actualsrc",
  "data-original-src",
  "data-hi-res-src",
  "data-echo",
  "data-image",
  "data-delayed-url",
  "data-src-medium",
  "nitro-lazy-src",
] as const;
const LAZY_SETS = [
  "data-srcset",
  "data-lazy-srcset",
  "data-original-set",
  "nitro-lazy-srcset",
] as const;

/**
 * Returns the source of an image as written: the largest of srcset, else the lazy-loading source,
 * else `src`.
 */
export function findImageSource(image: Element): string {
  const source = readAttribute(image, "src").trim();
  for (const name of ["srcset", ...LAZY_SETS]) {
    const candidates = parseSrcset(readAttribute(image, name)).filter(
      ({ url }) => !isPlaceholder(url),
    );
    if (candidates.length > 0) return selectLargestCandidate(candidates, source);
  }
  for (const name of LAZY_SOURCES) {
    const value = readAttribute(image, name).trim();
    if (value !== "" && /[./]/.test(value) && !/[{<\s]/.test(value)) return value;
  }
  if (
    (source === "" || isPlaceholder(source)) &&
    image.parent !== null &&
    isTag(image.parent) &&
    image.parent.name === "picture"
  )
    return findPictureSource(image.parent) || source;
  return source;
}

function findPictureSource(picture: Element): string {
  for (const child of picture.children) {
    if (!isTag(child) || child.name !== "source") continue;
    const candidates = parseSrcset(
      readAttribute(child, "srcset") || readAttribute(child, "data-srcset"),
    );
    if (candidates.length > 0) return selectLargestCandidate(candidates, "");
  }
  return "";
}

/** True if the source is only a placeholder until the real image loads. */
export function isPlaceholder(source: string): boolean {
  if (/^data:/i.test(source))
    return /^data:image\/(?:gif|svg)/i.test(source) || source.length < 400;
  return /(?:^|[/_.-])(?:blank|placeholder|spacer|transparent|lazy|loading|pixel|1x1)(?:[_.-][\w-]*)?\.(?:gif|png|svg|jpe?g|webp)(?:\?|$)/i.test(
    source,
  );
}
