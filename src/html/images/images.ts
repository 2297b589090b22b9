// The `images` format (wire contract §4.4).
import { type Document, type Element, isTag } from "domhandler";
import { resolveUrl } from "../links/base-url.ts";
import { parseSrcset } from "./image-source.ts";
import { readAttribute, walk } from "../parse/tree.ts";

const META_IMAGE = /^(?:og:image(?::url|:secure_url)?|twitter:image(?::src)?|image)$/i;
const LINK_IMAGE = /(?:^|\s|-)(?:icon|image_src)(?:\s|-|$)/i;
/** An unquoted address ends at a bracket, so that each part of a style is read only once. */
const STYLE_URL = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^()"'\s][^()"']*)\))/gi;

/**
 * Lists every image of a page in document order, each once and absolute: `img` with all candidates,
 * `picture`, Open Graph and Twitter cards, icons, posters and backgrounds in inline styles. Works
 * on the page as parsed, including the head.
 */
export function listImages(document: Document, base: string): string[] {
  const images = new Set<string>();
  const add = (written: string | undefined): void => {
    const url = written?.trim() ?? "";
    if (url === "") return;
    if (/^(?:data:image\/|blob:)/i.test(url)) images.add(url);
    else {
      const resolved = resolveUrl(url, base);
      if (resolved !== undefined && /^https?:/i.test(resolved)) images.add(resolved);
    }
  };
  walk(document, (node) => {
    if (!isTag(node)) return "skip";
    addFrom(node, add);
    return node.name === "script" || node.name === "style" ? "skip" : "children";
  });
  return [...images];
}

function addFrom(element: Element, add: (written: string | undefined) => void): void {
  const { attribs } = element;
  switch (element.name) {
    case "img":
      add(attribs["src"]);
      add(attribs["data-src"]);
      for (const name of ["srcset", "data-srcset"])
        for (const { url } of parseSrcset(readAttribute(element, name))) add(url);
      break;
    case "source":
      if (element.parent !== null && isTag(element.parent) && element.parent.name === "picture")
        for (const { url } of parseSrcset(readAttribute(element, "srcset"))) add(url);
      break;
    case "meta": {
      const name = attribs["property"] ?? attribs["name"] ?? attribs["itemprop"] ?? "";
      if (
        META_IMAGE.test(name) &&
        (name.toLowerCase() !== "image" || attribs["itemprop"] !== undefined)
      )
        add(attribs["content"]);
      break;
    }
    case "link":
      if (LINK_IMAGE.test(readAttribute(element, "rel")) || attribs["itemprop"] === "image")
        add(attribs["href"]);
      break;
    case "video":
      add(attribs["poster"]);
      break;
    default:
  }
  const { style } = attribs;
  if (style !== undefined && style.includes("url("))
    for (const match of style.matchAll(STYLE_URL)) add(match[1] ?? match[2] ?? match[3]);
}
