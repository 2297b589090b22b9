// Saves what the fixed removals would take with them: formulas in scripts, images in noscript, frames.
// Runs first, on the whole page.
import { type ChildNode, type Document, Element, isTag, Text } from "domhandler";
import { imageSource, isPlaceholder } from "./image-source.ts";
import { openNoscript, placeStreamed, STREAMED_ID, STREAMED_PLACE } from "./streamed.ts";
import { isTrackingPixel } from "./tracking-pixel.ts";
import { attributeOf, detachAll, findElement, nextNode, replaceNode, textOf } from "./tree.ts";

/** Rewrites scripts of formulas, images for readers without script, and frames, so that selection finds them. */
export function prepareDocument(document: Document): void {
  const found = findUnprepared(document);
  if (found.parts.length > 0) placeStreamed(found.places, found.parts);
  if (found.noscripts.length > 0) openNoscript(document, found.noscripts);
  for (const frame of found.frames) inlineFrame(frame);
  for (const script of found.formulas) rescueFormula(script);
  for (const noscript of found.noscripts) if (noscript.name === "noscript") rescueImage(noscript);
}

type Unprepared = Readonly<
  Record<"places" | "parts" | "noscripts" | "frames" | "formulas", Element[]>
>;

/** Everything that has to be prepared, in one walk, since most pages have next to nothing of it. */
function findUnprepared(document: Document): Unprepared {
  const found: Unprepared = { places: [], parts: [], noscripts: [], frames: [], formulas: [] };
  for (let node = nextNode(document, document); node !== null; node = nextNode(node, document)) {
    if (!isTag(node)) continue;
    const { name, attribs } = node;
    if (name === "script") {
      if (/^math\/tex/i.test(attributeOf(node, "type"))) found.formulas.push(node);
    } else if (name === "noscript") found.noscripts.push(node);
    else if (name === "iframe") found.frames.push(node);
    const { id } = attribs;
    if (id === undefined) continue;
    if (name === "template" && STREAMED_PLACE.test(id)) found.places.push(node);
    else if (attribs["hidden"] !== undefined && STREAMED_ID.test(id)) found.parts.push(node);
  }
  return found;
}

function inlineFrame(frame: Element): void {
  frame.name = "div";
  frame.attribs = { "data-original-tag": "iframe", ...frame.attribs };
  // What stands between the tags is for browsers without frames.
  detachAll(frame.children);
}

/** `<script type="math/tex">` becomes a span (or div) that any renderer of TeX understands; drawn copies go. */
function rescueFormula(script: Element): void {
  const tex = textOf(script).trim();
  if (tex === "") return;
  const display = /mode\s*=\s*display/i.test(attributeOf(script, "type"));
  const drawn: ChildNode[] = [];
  for (let node = script.prev; node !== null; node = node.prev) {
    if (!isTag(node)) {
      if ("data" in node && node.data.trim() === "") continue;
      break;
    }
    if (!/(?:^|\s)MathJax/.test(attributeOf(node, "class"))) break;
    drawn.push(node);
  }
  detachAll(drawn);
  const text = new Text(display ? `\\[${tex}\\]` : `\\(${tex}\\)`);
  const element = new Element(display ? "div" : "span", { class: "math" }, [text]);
  text.parent = element;
  replaceNode(script, element);
}

/** The image in a noscript takes the place of the empty one before it, or of the noscript. */
function rescueImage(noscript: Element): void {
  const image = findElement(noscript, (element) => element.name === "img");
  if (image === undefined || noscript.parent === null) return;
  if (attributeOf(image, "src") === "" || isTrackingPixel(image)) return;
  // A head cannot hold images: this one counts visits.
  if (isTag(noscript.parent) && noscript.parent.name === "head") return;
  const shown = previousImage(noscript);
  if (shown !== undefined) {
    const source = imageSource(shown);
    if (source === "" || isPlaceholder(source)) {
      shown.attribs = { ...shown.attribs, ...image.attribs };
    }
    return;
  }
  replaceNode(noscript, image);
}

function previousImage(noscript: Element): Element | undefined {
  for (let node = noscript.prev; node !== null; node = node.prev) {
    if (!isTag(node)) {
      if ("data" in node && node.data.trim() === "") continue;
      return undefined;
    }
    return node.name === "img" ? node : findElement(node, (element) => element.name === "img");
  }
  return undefined;
}
