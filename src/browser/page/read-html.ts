// Serializes the page as a reader sees it: the DOM built by scripts, with the content of open
// shadow roots, same-origin frames and virtualized lists in place, and without noscript text.
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";
import type { PageDocument, PageElement, PageNode } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const self: { harvested?: Map<unknown, string[]>; longHtml?: string | undefined };

/** Characters per message: each may take six bytes. */
const MAX_SLICE_CHARACTERS = 8_000_000;
/** A page that is replaced during reading is read again, at most this often. */
const MAX_READS = 3;

type SerializedPage = string | { readonly characters: number };

/**
 * Serializes the current page without changing it. Throws SCRAPE_RESPONSE_TOO_LARGE above
 * `maxCharacters`.
 */
export async function readHtml(
  world: PageWorld,
  maxCharacters: number,
  deadline: Deadline,
): Promise<string> {
  for (let reads = 1; ; reads++) {
    const limits = { maxCharacters, maxSlice: MAX_SLICE_CHARACTERS };
    const html = await world.run<SerializedPage>(SOURCE, limits, deadline);
    if (typeof html === "string") return html;
    const { characters } = html;
    if (characters > maxCharacters)
      throw new TargetError(
        "SCRAPE_RESPONSE_TOO_LARGE",
        `The page has grown to ${characters} characters in the browser; the limit is ${maxCharacters}.`,
      );
    const whole = await readSlices(world, characters, deadline);
    if (whole !== undefined) return whole;
    if (reads === MAX_READS)
      throw new TargetError(
        "SCRAPE_SITE_ERROR",
        "The page was replaced during each attempt to read it.",
      );
  }
}

/** Undefined if the page was replaced meanwhile. */
async function readSlices(
  world: PageWorld,
  characters: number,
  deadline: Deadline,
): Promise<string | undefined> {
  const slices: string[] = [];
  for (let from = 0; from < characters; from += MAX_SLICE_CHARACTERS) {
    const range = { from, to: from + MAX_SLICE_CHARACTERS, characters };
    const slice = await world.run<string | null>(String(takeSlice), range, deadline);
    if (slice === null) return undefined;
    slices.push(slice);
  }
  return slices.join("");
}

/** Runs in the page. The last slice frees the text. */
function takeSlice(range: { from: number; to: number; characters: number }): string | null {
  const html = self.longHtml;
  if (html?.length !== range.characters) return null;
  if (range.to >= range.characters) self.longHtml = undefined;
  return html.slice(range.from, range.to);
}

/**
 * Runs in the page. Stores a text that is too long for one message. If it exceeds the limit, only
 * its length is returned.
 */
function serializePage({
  maxCharacters,
  maxSlice,
}: {
  maxCharacters: number;
  maxSlice: number;
}): SerializedPage {
  const root = document.documentElement;
  if (root === null) return "";
  const { doctype } = document;
  const before =
    doctype === null
      ? ""
      : `<!DOCTYPE ${doctype.name}${doctype.publicId === "" ? "" : ` PUBLIC "${doctype.publicId}"`}${doctype.systemId === "" ? "" : ` "${doctype.systemId}"`}>`;
  const html = before + dropNoscript(isPlain() ? root.outerHTML : composeCopy(root).outerHTML);
  if (html.length <= maxSlice && html.length <= maxCharacters) return html;
  self.longHtml = html.length > maxCharacters ? undefined : html;
  return { characters: html.length };
}

/** True if the browser's own serialization omits nothing. */
function isPlain(): boolean {
  if (self.harvested !== undefined && self.harvested.size > 0) return false;
  const all = document.getElementsByTagName("*");
  for (let index = 0; index < all.length; index++) {
    const element = all[index];
    if (element?.shadowRoot) return false;
    if (element?.localName === "iframe" && findFrameBody(element) !== undefined) return false;
  }
  return true;
}

/** Returns the body of a same-origin frame with visible content. */
function findFrameBody(frame: PageElement): PageElement | undefined {
  try {
    const body = frame.contentDocument?.body;
    if (!body || body.children.length === 0) return undefined;
    const { width, height } = frame.getBoundingClientRect();
    return width > 1 && height > 1 ? body : undefined;
  } catch {
    return undefined;
  }
}

/** Builds a copy in a scriptless document, with the content of every host in place. */
function composeCopy(root: PageElement): PageElement {
  const inert = document.implementation.createHTMLDocument("");
  const copy = inert.importNode(root, false);
  const stack: { from: PageNode; to: PageNode; frames: number }[] = [
    { from: root, to: copy, frames: 0 },
  ];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { from, to, frames } = entry;
    for (const child of listShownChildren(from as PageElement, inert)) {
      const whole = child.nodeName === "TEMPLATE" || child.nodeName === "NOSCRIPT";
      const twin = inert.importNode(child, whole);
      to.appendChild(twin);
      if (child.nodeType !== 1 || whole) continue;
      const element = child as PageElement;
      if (frames > 0) makeAbsolute(element, twin as PageElement);
      stack.push({ from: element, to: twin, frames });
      const body =
        element.localName === "iframe" && frames < 3 ? findFrameBody(element) : undefined;
      if (body === undefined) continue;
      const place = inert.createElement("div");
      place.setAttribute("data-frame", element.contentDocument?.URL ?? "");
      to.appendChild(place);
      stack.push({ from: body, to: place, frames: frames + 1 });
    }
  }
  return copy;
}

/**
 * Returns the children that an element shows: its shadow tree, the nodes assigned to a slot, all
 * entries of a scrolled list.
 */
function listShownChildren(element: PageElement, inert: PageDocument): PageNode[] {
  const entries = self.harvested?.get(element);
  if (entries !== undefined) {
    const holder = inert.createElement("div");
    holder.innerHTML = entries.join("\n");
    return Array.from(holder.childNodes);
  }
  if (element.nodeType === 1 && element.shadowRoot)
    return Array.from(element.shadowRoot.childNodes);
  if (element.localName === "slot") {
    const assigned = element.assignedNodes?.() ?? [];
    if (assigned.length > 0) return [...assigned];
  }
  return Array.from(element.childNodes);
}

/** Resolves addresses in a frame against the frame. */
function makeAbsolute(from: PageElement, to: PageElement): void {
  if (from.getAttribute("href") !== null && typeof from.href === "string")
    to.setAttribute("href", from.href);
  if (from.getAttribute("src") !== null && typeof from.src === "string")
    to.setAttribute("src", from.src);
}

/**
 * Scripts have run, so noscript text is dropped, except images, which are lazy-loaded ones. It
 * stays if it contains more text than the scripts have produced.
 */
function dropNoscript(html: string): string {
  const seen = new Set<string>();
  let result = html;
  const all = document.getElementsByTagName("noscript");
  for (let index = 0; index < all.length && seen.size < 200; index++) {
    const text = all[index]?.outerHTML ?? "";
    if (text === "" || seen.has(text) || /<img\b/i.test(text)) continue;
    const characters = text.replaceAll(/<[^<>]*>|\s+/g, " ").trim().length;
    if (characters > 250 && characters > (document.body?.innerText ?? "").trim().length) continue;
    seen.add(text);
    result = result.split(text).join("");
  }
  return result;
}

const SOURCE = `(argument) => { "use strict";
${[isPlain, findFrameBody, composeCopy, listShownChildren, makeAbsolute, dropNoscript, serializePage].map(String).join("\n")}
return ${serializePage.name}(argument); }`;
