// Images, frames, video and audio as Markdown.
import type { Element } from "domhandler";
import { attributeOf, findElement, foldSpace } from "../tree.ts";
import { toImageText } from "./inline.ts";
import { imageTarget, type ImageTargetOptions, linkTarget, toDestination } from "./target.ts";

/** Longer pictures in the page itself, in characters, show something. */
const LONGEST_STAND_IN = 400;

/** An image as Markdown, or "" for one that shows nothing: no source, a counting pixel. */
export function toImage(image: Element, options: ImageTargetOptions): string {
  if (isPixel(image)) return "";
  const source = attributeOf(image, "src") || attributeOf(image, "data-src");
  const target = imageTarget(source, options);
  const text = toImageText(attributeOf(image, "alt"));
  if (target === undefined || (text === "" && isStandIn(source))) return "";
  return `![${text}]${toDestination(target, foldSpace(attributeOf(image, "title")))}`;
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
  const kind = element.name === "div" ? "iframe" : element.name;
  let source = attributeOf(element, "src") || attributeOf(element, "data-src");
  if (source === "" && (kind === "video" || kind === "audio")) {
    const child = findElement(element, (candidate) => candidate.name === "source");
    source = child === undefined ? "" : attributeOf(child, "src");
  }
  if (kind === "object") source = attributeOf(element, "data");
  if (source === "") return undefined;
  const target = linkTarget(source, base);
  if (target === undefined || target === "") return undefined;
  const label = foldSpace(attributeOf(element, "title") || attributeOf(element, "aria-label"));
  return { text: label === "" ? kind : label, target, title: "" };
}

/** Whether a `<div>` stands for a frame that was inlined. */
export function isFrame(element: Element): boolean {
  return element.name === "iframe" || attributeOf(element, "data-original-tag") === "iframe";
}
