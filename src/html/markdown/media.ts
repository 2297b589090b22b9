// Images, frames, video and audio as Markdown.
import type { Element } from "domhandler";
import { readAttribute, findElement, foldSpace, hasAttribute } from "../parse/tree.ts";
import { toImageText } from "./inline.ts";
import {
  resolveImageTarget,
  type ImageTargetOptions,
  linkTarget,
  toDestination,
} from "./target.ts";

/** Maximum length of a placeholder data URL, in characters. */
const MAX_PLACEHOLDER_CHARACTERS = 400;

/**
 * Formats an image as Markdown, or returns "" for one that shows nothing: no source, or a tracking
 * pixel.
 */
export function toImage(image: Element, options: ImageOptions): string {
  if (isPixel(image)) return "";
  const source = findMediaSource(image);
  const target = resolveImageTarget(source, options);
  const text = toImageText(readImageText(image));
  if (target === undefined || (text === "" && isPlaceholderSource(source))) return "";
  const hasTitle = image.name === "img" && options.linkTitles;
  const title = hasTitle ? foldSpace(readAttribute(image, "title")) : "";
  return `![${text}]${toDestination(target, title)}`;
}

export type ImageOptions = ImageTargetOptions & { readonly linkTitles: boolean };

/** Returns the description of an image as plain text. */
export const readImageText = (image: Element): string =>
  isPixel(image) ? "" : foldSpace(readAttribute(image, "alt") || readLabel(image));

/** True if a data URL is only the placeholder of a lazy loader. */
function isPlaceholderSource(source: string): boolean {
  return source.length < MAX_PLACEHOLDER_CHARACTERS && /^data:image\/(?:gif|svg)/i.test(source);
}

function isPixel(image: Element): boolean {
  const small = (name: string): boolean => /^\s*[01](?:px)?\s*$/.test(readAttribute(image, name));
  return small("width") && small("height");
}

export type MediaLink = { readonly text: string; readonly target: string; readonly title: string };

/** Returns address and name of a frame, video or audio element. */
export function findMediaLink(element: Element, base: string | undefined): MediaLink | undefined {
  const source = findMediaSource(element);
  if (source === "") return undefined;
  const target = linkTarget(source, base);
  if (target === undefined || target === "") return undefined;
  const kind = element.name === "div" ? "iframe" : element.name;
  return { text: readLabel(element) || kind, target, title: "" };
}

/** Returns the source of an image, video or audio element. */
function findMediaSource(element: Element): string {
  if (element.name === "object") return readAttribute(element, "data");
  const source = readAttribute(element, "src") || readAttribute(element, "data-src");
  if (source !== "" || (element.name !== "video" && element.name !== "audio")) return source;
  const child = findElement(element, (candidate) => candidate.name === "source");
  return child === undefined ? "" : readAttribute(child, "src") || readAttribute(child, "data-src");
}

/** Returns the page's label of a non-text element. An address is not a label. */
function readLabel(element: Element): string {
  if (element.name === "img") return "";
  const label = foldSpace(readAttribute(element, "title") || readAttribute(element, "aria-label"));
  return /^https?:\/\/\S*$/i.test(label) ? "" : label;
}

/**
 * True if an object is a picture, or a muted looping video without controls, which looks like one.
 */
export function isPicture(element: Element): boolean {
  if (element.name === "object") return /^image\//i.test(readAttribute(element, "type"));
  return (
    element.name === "video" &&
    hasAttribute(element, "loop") &&
    hasAttribute(element, "muted") &&
    !hasAttribute(element, "controls")
  );
}

/** True if a `<div>` replaces an inlined frame. */
export function isFrame(element: Element): boolean {
  return element.name === "iframe" || readAttribute(element, "data-original-tag") === "iframe";
}
