// The rewrites inside the HTML that survives (wire contract §4.2): absolute addresses, real image sources, no repeats, no
// debris. Runs after everything that removes elements.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { resolveUrl } from "./base-url.ts";
import { imageSource } from "./image-source.ts";
import { attributeOf, detachAll, foldSpace, hasAttribute, textOf, walk } from "./tree.ts";

const SKIP_LINK =
  /^(?:skip|jump)\s+(?:to|over|past|nav|navigation|links?|main|content)\b|^zum (?:haupt)?inhalt|^aller au contenu|^saltar al contenido/i;
const SCRIPTED = /^\s*(?:javascript|vbscript):/i;
/** Elements that mean nothing once they are empty. */
const EMPTIED: ReadonlySet<string> = new Set([
  "li",
  "pre",
  "blockquote",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
]);
/** Elements that show something without having text. */
const SHOWING: ReadonlySet<string> = new Set([
  "img",
  "svg",
  "video",
  "audio",
  "input",
  "object",
  "embed",
  "canvas",
  "math",
  "hr",
]);

/** Rewrites a tree in place. Addresses are resolved against `base`. */
export function rewriteContent(root: ParentNode, base: string): void {
  const leaving: ChildNode[] = [];
  const seen = new Set<string>();
  const shown = new Set<Element>();
  const show = (from: ParentNode | null): void => {
    for (let node = from; node !== null && isTag(node) && !shown.has(node); node = node.parent)
      shown.add(node);
  };
  walk(
    root,
    (node) => {
      if (isText(node)) {
        if (/\S/.test(node.data)) show(node.parent);
        return "skip";
      }
      if (!isTag(node)) return "skip";
      if (SHOWING.has(node.name) || hasAttribute(node, "data-original-tag")) show(node);
      if (node.name === "a") {
        if (isSkipLink(node)) {
          leaving.push(node);
          return "skip";
        }
        rewriteLink(node, base);
      } else if (node.name === "img") {
        if (!rewriteImage(node, base, seen)) leaving.push(node);
      } else if (hasAttribute(node, "src")) rewriteSource(node, base);
      return "children";
    },
    (element) => {
      if (EMPTIED.has(element.name) && !shown.has(element)) leaving.push(element);
    },
  );
  detachAll(leaving);
}

function rewriteLink(link: Element, base: string): void {
  const href = link.attribs["href"];
  if (href === undefined) return;
  const url = SCRIPTED.test(href) ? undefined : resolveUrl(href, base);
  if (url === undefined) delete link.attribs["href"];
  else link.attribs["href"] = url;
}

function isSkipLink(link: Element): boolean {
  return attributeOf(link, "href").includes("#") && SKIP_LINK.test(foldSpace(textOf(link, 100)));
}

/** Puts the real, absolute source in place. False when the image repeats one that was shown before. */
function rewriteImage(image: Element, base: string, seen: Set<string>): boolean {
  const source = imageSource(image);
  if (source === "") return true;
  const url = /^data:/i.test(source) ? source : resolveUrl(source, base);
  if (url === undefined || SCRIPTED.test(url)) {
    delete image.attribs["src"];
    return true;
  }
  image.attribs["src"] = url;
  delete image.attribs["srcset"];
  if (seen.has(url)) return false;
  seen.add(url);
  return true;
}

function rewriteSource(element: Element, base: string): void {
  const url = resolveUrl(attributeOf(element, "src"), base);
  if (url !== undefined && !SCRIPTED.test(url)) element.attribs["src"] = url;
  else delete element.attribs["src"];
}
