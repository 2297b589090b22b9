// Images, frames, video and audio as Markdown.
import type { Element } from "domhandler";
import { attributeOf, findElement, foldSpace, hasAttribute } from "../parse/tree.ts";
import { toImageText } from "./inline.ts";
import { imageTarget, type ImageTargetOptions, linkTarget, toDestination } from "./target.ts";

/** Longer pictures in the page itself, in characters, show something. */
const LONGEST_STAND_IN = 400;

/** An image as Markdown, or "" for one that shows nothing: no source, a counting pixel. */
export function toImage(image: Element, options: ImageTargetOptions): string {
  if (isPixel(image)) return "";
  const source = sourceOf(image);
  const target = imageTarget(source, options);
  const text = toImageText(attributeOf(image, "alt") || labelOf(image));
  if (target === undefined || (text === "" && isStandIn(source))) return "";
  const title = image.name === "img" ? foldSpace(attributeOf(image, "title")) : "";
  return `![${text}]${toDestination(target, title)}`;
}

/** Whether a picture in the page itself only keeps the place of another one, as loaders of pictures want it. */
function isStandIn(source: string): boolean {
  return source.length < LONGEST_STAND_IN && /^data:image\/(?:gif|svg)/i.test(source);
}

function isPixel(image: Element): boolean {
  const small = (name: string): boolean => /^\s*[01](?:px)?\s*$/.test(attributeOf(image, name));
  return small("width") && small("height");
}

export type MediaLink = { readonly text: string; readonly target: string; readonly title: string };

/** Where a frame, a video or a sound can be found, and what to call it. */
export function mediaLink(element: Element, base: string | undefined): MediaLink | undefined {
  const source = sourceOf(element);
  if (source === "") return undefined;
  const target = linkTarget(source, base);
  if (target === undefined || target === "") return undefined;
  const kind = element.name === "div" ? "iframe" : element.name;
  return { text: labelOf(element) || kind, target, title: "" };
}

/** Where an element's picture, film or sound is. */
function sourceOf(element: Element): string {
  if (element.name === "object") return attributeOf(element, "data");
  const source = attributeOf(element, "src") || attributeOf(element, "data-src");
  if (source !== "" || (element.name !== "video" && element.name !== "audio")) return source;
  const child = findElement(element, (candidate) => candidate.name === "source");
  return child === undefined ? "" : attributeOf(child, "src") || attributeOf(child, "data-src");
}

/** What the page calls an element that is no text; an address is no name. */
function labelOf(element: Element): string {
  if (element.name === "img") return "";
  const label = foldSpace(attributeOf(element, "title") || attributeOf(element, "aria-label"));
  return /^https?:\/\/\S*$/i.test(label) ? "" : label;
}

/** Whether an object is a picture, or a film that runs over and over without sound and controls, as one does. */
export function isPicture(element: Element): boolean {
  if (element.name === "object") return /^image\//i.test(attributeOf(element, "type"));
  return (
    element.name === "video" &&
    hasAttribute(element, "loop") &&
    hasAttribute(element, "muted") &&
    !hasAttribute(element, "controls")
  );
}

/** Whether a `<div>` stands for a frame that was inlined. */
export function isFrame(element: Element): boolean {
  return element.name === "iframe" || attributeOf(element, "data-original-tag") === "iframe";
}
