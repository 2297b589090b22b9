// Rewrites the HTML that survives selection (wire contract §4.2): absolute addresses, real image
// sources, no repeats, no leftovers. Runs after every step that removes elements.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { LinkResolver } from "../links/base-url.ts";
import { findDrawnOrdinal } from "./drawn-ordinal.ts";
import { findImageSource, parseSrcset } from "../images/image-source.ts";
import { mayHaveUncommon, getElementTagNumber } from "../parse/nodes.ts";
import { revealEmail } from "./protected-email.ts";
import { computeImageKey } from "../images/image-key.ts";
import { TAG_NUMBERS, tagNumber } from "../parse/tag-numbers.ts";
import { isTrackingPixel } from "../images/tracking-pixel.ts";
import { readAttribute, detachAll, foldSpace, isBlank, readText } from "../parse/tree.ts";

const SKIP_LINK =
  /^(?:skip|jump)\s+(?:to|over|past|nav|navigation|links?|main|content)\b|^zum (?:haupt)?inhalt|^aller au contenu|^saltar al contenido/i;
/** First letters of the phrases that skip links start with. */
const SKIP_LETTERS: ReadonlySet<number> = new Set(
  Array.from("ajsz", (letter) => letter.charCodeAt(0)),
);
const SCRIPTED = /^\s*(?:javascript|vbscript):/i;
const isScripted = (address: string): boolean => address.includes(":") && SCRIPTED.test(address);
/** An element to remove once it is empty. */
const EMPTIED_FLAG = 1;
/** An element that shows something without having text. */
const SHOWING_FLAG = 2;
/** An element with its own rewrite rule. */
const RULED_FLAG = 4;
const TRAITS = new Uint8Array(TAG_NUMBERS);
for (const [traits, names] of [
  [EMPTIED_FLAG, "li pre blockquote h1 h2 h3 h4 h5 h6"],
  [SHOWING_FLAG, "svg video audio input object embed canvas math hr img"],
  [RULED_FLAG, "a ol span img"],
] as const)
  for (const name of names.split(" ")) TRAITS[tagNumber(name)]! |= traits;

/** Rewrites a tree in place and resolves addresses against `base`. */
export function rewriteContent(root: ParentNode, base: string): void {
  new Rewriter(base).rewrite(root);
}

class Rewriter {
  readonly #resolver: LinkResolver;
  readonly #images = new Set<string>();
  readonly #leaving: ChildNode[] = [];
  /**
   * Texts and pictures seen so far, and that count at the start of each open element that must not
   * be empty.
   */
  #shown = 0;
  readonly #before: number[] = [];

  constructor(base: string) {
    this.#resolver = new LinkResolver(base);
  }

  rewrite(root: ParentNode): void {
    let node: ChildNode | null = root.children[0] ?? null;
    while (node !== null) {
      const first = this.#enter(node);
      if (first !== null) {
        node = first;
        continue;
      }
      while (node.next === null && node.parent !== null && node.parent !== root) {
        node = node.parent as Element;
        this.#leave(node);
      }
      node = node.next;
    }
    detachAll(this.#leaving);
  }

  /** Rewrites a node. Returns its first child if the children must be rewritten too. */
  #enter(node: ChildNode): ChildNode | null {
    if (isText(node)) {
      if (!isBlank(node.data)) this.#shown++;
      return null;
    }
    if (!isTag(node)) return null;
    const traits = TRAITS[getElementTagNumber(node)]!;
    const isUnusual = mayHaveUncommon(node);
    if ((traits & EMPTIED_FLAG) !== 0) this.#before.push(this.#shown);
    if (
      (traits & SHOWING_FLAG) !== 0 ||
      (isUnusual && node.attribs["data-original-tag"] !== undefined)
    )
      this.#shown++;
    if ((traits & RULED_FLAG) !== 0) {
      if (!this.#rewriteRuled(node)) return null;
    } else if (isUnusual) rewriteSources(node, this.#resolver);
    const first = node.children[0] ?? null;
    if (first === null) this.#leave(node);
    return first;
  }

  /** Returns false for a link that is removed together with its children. */
  #rewriteRuled(element: Element): boolean {
    switch (element.name) {
      case "a":
        if (isSkipLink(element) || isFoldingButton(element)) {
          this.#leaving.push(element);
          return false;
        }
        revealEmail(element);
        rewriteLink(element, this.#resolver);
        break;
      case "img": {
        const isNew = rewriteImage(element, this.#resolver, this.#images);
        if (isTrackingPixel(element) || (!isNew && !isOnlyContentOfCell(element)))
          this.#leaving.push(element);
        break;
      }
      case "ol":
        this.#leaving.push(...findDrawnOrdinals(element));
        break;
      default:
        revealEmail(element);
    }
    return true;
  }

  #leave(element: Element): void {
    const isEmptied = (TRAITS[getElementTagNumber(element)]! & EMPTIED_FLAG) !== 0;
    if (isEmptied && this.#before.pop() === this.#shown) this.#leaving.push(element);
  }
}

function findDrawnOrdinals(list: Element): Element[] {
  return list.children
    .filter((child): child is Element => isTag(child) && child.name === "li")
    .flatMap((item, position) => findDrawnOrdinal(item, position) ?? []);
}

function rewriteLink(link: Element, resolver: LinkResolver): void {
  const href = link.attribs["href"];
  if (href === undefined) return;
  const url = isScripted(href) ? undefined : resolver.resolve(href);
  if (url === undefined) delete link.attribs["href"];
  else link.attribs["href"] = url;
}

/** Labels of button-like links that only fold or unfold text that is already in the page. */
const FOLDING =
  /^(?:click to )?(?:expand|collapse|show (?:more|less)|(?:read|see) less)(?:\.{3}|…)?$/i;

function isFoldingButton(link: Element): boolean {
  if (!mayHaveUncommon(link) || readAttribute(link, "role") !== "button") return false;
  return FOLDING.test(foldSpace(readText(link, 40)));
}

function isSkipLink(link: Element): boolean {
  if (!readAttribute(link, "href").includes("#")) return false;
  const text = readText(link, 100).trimStart();
  return SKIP_LETTERS.has(text.charCodeAt(0) | 32) && SKIP_LINK.test(foldSpace(text));
}

/**
 * Sets the real, absolute source. Returns false if the image repeats an earlier one in any size.
 */
function rewriteImage(image: Element, resolver: LinkResolver, seen: Set<string>): boolean {
  const source = findImageSource(image);
  if (source === "") return true;
  const url = /^data:/i.test(source) ? source : resolver.resolve(source);
  if (url === undefined || isScripted(url)) {
    delete image.attribs["src"];
    return true;
  }
  image.attribs["src"] = url;
  delete image.attribs["srcset"];
  const picture = computeImageKey(url);
  if (seen.has(picture)) return false;
  seen.add(picture);
  return true;
}

/**
 * True if the image is the only content of a table cell, such as a tick: each row repeats it for a
 * reason.
 */
function isOnlyContentOfCell(image: Element): boolean {
  let { parent } = image;
  for (let level = 0; level < 3 && parent !== null && isTag(parent); level++) {
    if (parent.children.length > 5) return false;
    if (parent.name === "td") return isBlank(readText(parent, 100));
    ({ parent } = parent);
  }
  return false;
}

/** Resolves the addresses of players, frames and `<picture>` sources. */
function rewriteSources(element: Element, resolver: LinkResolver): void {
  const { attribs } = element;
  for (const name of ["src", "poster"] as const)
    if (attribs[name] !== undefined) {
      const url = resolver.resolve(attribs[name]);
      if (url !== undefined && !isScripted(url)) attribs[name] = url;
      else delete attribs[name];
    }
  if (attribs["srcset"] === undefined) return;
  const choices = parseSrcset(attribs["srcset"]).flatMap(({ url: written, width, density }) => {
    const url = resolver.resolve(written);
    if (url === undefined || isScripted(url)) return [];
    return width > 0 ? `${url} ${width}w` : density > 0 ? `${url} ${density}x` : url;
  });
  if (choices.length > 0) attribs["srcset"] = choices.join(", ");
  else delete attribs["srcset"];
}
