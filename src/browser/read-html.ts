// The page as HTML, as a reader of it would want it: what scripts built, with what open shadow roots, frames of the same
// origin and virtualised lists show put in their place, and without the words for browsers that run no scripts.
import type { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import type { PageDocument, PageElement, PageNode } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const self: { harvested?: Map<unknown, string[]> };

/**
 * Serialises the page as it stands; nothing in it changes. Throws SCRAPE_RESPONSE_TOO_LARGE above `maxCharacters`.
 */
export async function readHtml(
  world: PageWorld,
  maxCharacters: number,
  deadline: Deadline,
): Promise<string> {
  const html = await world.run<string | number>(SOURCE, { maxCharacters }, deadline);
  if (typeof html === "string") return html;
  throw new TargetError(
    "SCRAPE_RESPONSE_TOO_LARGE",
    `The page has grown to ${Number(html)} characters in the browser; the limit is ${maxCharacters}.`,
  );
}

/** Runs in the page. The length instead of the text when that is too long. */
function serialise({ maxCharacters }: { maxCharacters: number }): string | number {
  const root = document.documentElement;
  if (root === null) return "";
  const { doctype } = document;
  const before =
    doctype === null
      ? ""
      : `<!DOCTYPE ${doctype.name}${doctype.publicId === "" ? "" : ` PUBLIC "${doctype.publicId}"`}${doctype.systemId === "" ? "" : ` "${doctype.systemId}"`}>`;
  const html = before + dropNoscript(isPlain() ? root.outerHTML : composeCopy(root).outerHTML);
  return html.length > maxCharacters ? html.length : html;
}

/** Nothing in it that the serialisation of the browser leaves out. */
function isPlain(): boolean {
  if (self.harvested !== undefined && self.harvested.size > 0) return false;
  const all = document.getElementsByTagName("*");
  for (let index = 0; index < all.length; index++) {
    const element = all[index];
    if (element?.shadowRoot) return false;
    if (element?.localName === "iframe" && frameBody(element) !== undefined) return false;
  }
  return true;
}

/** The body of a frame of the same origin that shows something. */
function frameBody(frame: PageElement): PageElement | undefined {
  try {
    const body = frame.contentDocument?.body;
    if (!body || body.children.length === 0) return undefined;
    const { width, height } = frame.getBoundingClientRect();
    return width > 1 && height > 1 ? body : undefined;
  } catch {
    return undefined;
  }
}

/** A copy in a document without scripts, in which every host holds what it shows. */
function composeCopy(root: PageElement): PageElement {
  const inert = document.implementation.createHTMLDocument("");
  const copy = inert.importNode(root, false);
  const stack: { from: PageNode; to: PageNode; frames: number }[] = [
    { from: root, to: copy, frames: 0 },
  ];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { from, to, frames } = entry;
    for (const child of shownChildren(from as PageElement, inert)) {
      const whole = child.nodeName === "TEMPLATE" || child.nodeName === "NOSCRIPT";
      const twin = inert.importNode(child, whole);
      to.appendChild(twin);
      if (child.nodeType !== 1 || whole) continue;
      const element = child as PageElement;
      if (frames > 0) makeAbsolute(element, twin as PageElement);
      stack.push({ from: element, to: twin, frames });
      const body = element.localName === "iframe" && frames < 3 ? frameBody(element) : undefined;
      if (body === undefined) continue;
      const place = inert.createElement("div");
      place.setAttribute("data-frame", element.contentDocument?.URL ?? "");
      to.appendChild(place);
      stack.push({ from: body, to: place, frames: frames + 1 });
    }
  }
  return copy;
}

/** What an element shows: its shadow tree, what is assigned to a slot, all entries of a list that was scrolled through. */
function shownChildren(element: PageElement, inert: PageDocument): PageNode[] {
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

/** Addresses in a frame are relative to the frame. */
function makeAbsolute(from: PageElement, to: PageElement): void {
  if (from.getAttribute("href") !== null && typeof from.href === "string")
    to.setAttribute("href", from.href);
  if (from.getAttribute("src") !== null && typeof from.src === "string")
    to.setAttribute("src", from.src);
}

/**
 * Scripts have run, so what is meant for browsers without is not of the page; an image in it is the one that loads late. Where it says more
 * than all that the scripts have made, it stays.
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
${[isPlain, frameBody, composeCopy, shownChildren, makeAbsolute, dropNoscript, serialise].map(String).join("\n")}
return serialise(argument); }`;
