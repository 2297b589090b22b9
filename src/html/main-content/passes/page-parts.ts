// Finds the parts of a page that are clearly not its content: newsletter forms, consent notices,
// lists of other items below their heading, share links, and the site's header, menu and footer.
// Names and classes are not used.
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import { isOtherItemsHeading } from "../../evidence/other-items.ts";
import { mayHaveUncommon } from "../../parse/nodes.ts";
import { isAgreement, isFilterHeading, isPageAction } from "./page-actions.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { readAttribute } from "../../parse/tree.ts";
import { blockText, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import {
  MAX_ACTION_WORDS,
  MAX_AGREEMENT_WORDS,
  MAX_BARE_FORM_WORDS,
  MAX_BOX_WORDS,
  MAX_CONSENT_WORDS,
  MAX_FORM_WORDS,
  MAX_HEADING_WORDS,
  MAX_INTRO_BLOCKS,
  MAX_LABEL_LEVELS,
  MAX_LABEL_SIBLINGS,
  MAX_LINK_LEVELS,
  MAX_NODES,
  MAX_PAGE_PART_LEVELS,
  MIN_ACTION_LINKED,
  MIN_LINKED_SHARE,
} from "./thresholds.ts";

/** Part of the page that contains a block. */
export const PART = {
  none: 0,
  /** A header, menu, footer or dialog of the site. */
  frame: 1,
  newsletter: 2,
  consent: 3,
  otherItems: 4,
  /** Links that share the page. */
  share: 5,
  /** Labels of a form with text fields. */
  form: 6,
  /** A dialog or message, which may be anywhere in a page. */
  message: 7,
  /** Links, buttons and lines that operate the page. */
  action: 8,
} as const;
/** Number of kinds of parts. */
export const PART_COUNT = 9;

/** The part of each block. */
export type PageParts = { readonly blocks: Uint8Array };

const NAV = tagNumber("nav");
const DIALOG = tagNumber("dialog");
const FRAME_ROLES: ReadonlySet<string> = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "menu",
  "menubar",
]);
/** Messages to the reader. In the content they may be its result. */
const DIALOG_ROLES: ReadonlySet<string> = new Set(["dialog", "alertdialog"]);
const MESSAGE_ROLES: ReadonlySet<string> = new Set(["status", "alert", "log"]);
const SITE_ENDS = tagSet("header footer");
const CONTENT = tagSet("main article section blockquote li");
/** Elements that hold a page, so that a part never spans one. */
const BOUNDS = tagSet("main article body html");
const FORM = tagNumber("form");
const BUTTON = tagNumber("button");
/** The word "cookie" in languages with another spelling. */
const COOKIES =
  /cookie|çerez|кук[иі]|クッキー|쿠키|คุกกี้|كوكيز|ملفات تعريف الارتباط|کوکی|עוגיות|कुकी|kolačić|slapuk|sütik|sīkdatn|küpsis|evästei/i;
/** Addresses by which networks share a page. */
const SHARING =
  /^(?:https?:)?\/\/(?:[\w-]+\.)?(?:facebook\.com\/(?:sharer|share|dialog)|(?:twitter|x)\.com\/(?:intent|share)|linkedin\.com\/share|pinterest\.\w+\/pin\/create|reddit\.com\/submit|wa\.me\/\?|api\.whatsapp\.com\/send|t\.me\/share|telegram\.me\/share|vk\.com\/share|service\.weibo\.com\/share|social-plugins\.line\.me|bsky\.app\/intent|threads\.net\/intent|getpocket\.com\/save)|^mailto:\?|^whatsapp:\/\/send|[?&]share=[a-z]/i;

/** Finds the parts. `title` is the block of the page's title, or -1: no part contains it. */
export function findParts(page: Segmentation, facts: ElementFacts, title: number): PageParts {
  return new PartFinder(page, facts, title).find();
}

class PartFinder {
  readonly #page: Segmentation;
  readonly #facts: ElementFacts;
  readonly #title: number;
  readonly #blocks: Uint8Array;
  /** 1 for each element in or of the content. */
  readonly #content: Uint8Array;
  readonly #checked = new Set<number>();

  constructor(page: Segmentation, facts: ElementFacts, title: number) {
    this.#page = page;
    this.#facts = facts;
    this.#title = title;
    this.#blocks = new Uint8Array(page.blocks.length);
    this.#content = new Uint8Array(page.elements.nodes.length);
  }

  find(): PageParts {
    const { nodes, parent, tag, blockStart, blockEnd } = this.#page.elements;
    for (let element = 0; element < tag.length; element++) {
      const up = parent[element]!;
      const node = nodes[element]!;
      const role = mayHaveUncommon(node) ? readAttribute(node, "role") : "";
      if ((up >= 0 && this.#content[up] === 1) || CONTENT[tag[element]!] === 1 || role === "main")
        this.#content[element] = 1;
      const from = blockStart[element]!;
      if (from === blockEnd[element]) continue;
      const number = tag[element]!;
      if (this.#isFrame(element, number, role)) this.#mark(element, PART.frame);
      else if (this.#isMessage(element, number, role)) this.#mark(element, PART.message);
      else if (number === FORM) this.#newsletter(element);
      else if (number === BUTTON) this.#consent(element);
    }
    this.#shareLinks();
    this.#otherItems();
    this.#actions();
    return { blocks: this.#blocks };
  }

  #mark(element: number, part: number): void {
    this.#fill(
      this.#page.elements.blockStart[element]!,
      this.#page.elements.blockEnd[element]!,
      part,
    );
  }

  #fill(from: number, to: number, part: number): void {
    for (let index = from; index < to; index++)
      if (this.#blocks[index]! <= PART.frame) this.#blocks[index] = part;
  }

  #hasTitle(element: number): boolean {
    const { blockStart, blockEnd } = this.#page.elements;
    return this.#title >= blockStart[element]! && this.#title < blockEnd[element]!;
  }

  #isFrame(element: number, number: number, role: string): boolean {
    const isKnown =
      number === NAV ||
      (role !== "" && FRAME_ROLES.has(role)) ||
      (SITE_ENDS[number] === 1 && !this.#isInContent(element));
    return isKnown && !this.#hasTitle(element);
  }

  #isMessage(element: number, number: number, role: string): boolean {
    const isKnown =
      number === DIALOG ||
      DIALOG_ROLES.has(role) ||
      (MESSAGE_ROLES.has(role) && !this.#isInContent(element));
    return isKnown && !this.#hasTitle(element);
  }

  /** True for an element inside the content of a page, where headers and footers are part of it. */
  #isInContent(element: number): boolean {
    const { parent } = this.#page.elements;
    return parent[element]! >= 0 && this.#content[parent[element]!] === 1;
  }

  /** Marks a form that asks for nothing but an e-mail address, with the words about it. */
  #newsletter(form: number): void {
    const { nodes, parent, tag } = this.#page.elements;
    const { size } = this.#facts;
    if (this.#hasTitle(form)) return;
    const asked = classifyForm(nodes[form]!);
    if (asked === "text") this.#mark(form, PART.form);
    if (asked !== "address" || size[form]! > MAX_FORM_WORDS) return;
    let box = form;
    let isWidened = false;
    for (let level = 0; level < MAX_PAGE_PART_LEVELS; level++) {
      const up = parent[box]!;
      if (up < 0 || BOUNDS[tag[up]!] === 1 || size[up]! > MAX_BOX_WORDS || this.#hasTitle(up))
        break;
      // One step may add the words about a bare form; further steps only add wrappers.
      if (size[up]! > size[box]!) {
        if (isWidened || size[form]! > MAX_BARE_FORM_WORDS || !this.#isIntro(up, box)) break;
        isWidened = true;
      }
      box = up;
    }
    this.#mark(box, PART.newsletter);
  }

  /** True if all that the outer element adds is a few lines right above the box. */
  #isIntro(outer: number, box: number): boolean {
    const { blockStart, blockEnd } = this.#page.elements;
    return (
      blockEnd[outer] === blockEnd[box] && blockStart[box]! - blockStart[outer]! <= MAX_INTRO_BLOCKS
    );
  }

  /** Marks the notice around a button if it mentions cookies. */
  #consent(button: number): void {
    const { parent, tag, blockStart, blockEnd } = this.#page.elements;
    let element = parent[button]!;
    for (let level = 0; level < MAX_PAGE_PART_LEVELS && element >= 0; level++) {
      if (BOUNDS[tag[element]!] === 1 || this.#facts.size[element]! > MAX_CONSENT_WORDS) return;
      if (this.#checked.has(element)) return;
      this.#checked.add(element);
      if (this.#hasTitle(element)) return;
      for (let index = blockStart[element]!; index < blockEnd[element]!; index++)
        if (COOKIES.test(blockText(this.#page, this.#page.blocks[index]!))) {
          this.#mark(element, PART.consent);
          return;
        }
      element = parent[element]!;
    }
  }

  /** Marks blocks of links that share the page, with the rest of their list. */
  #shareLinks(): void {
    const { blocks, texts, elements } = this.#page;
    for (let index = 0; index < blocks.length; index++) {
      const { links, textStart, textEnd, container } = blocks[index]!;
      if (links === 0 || container < 0 || this.#blocks[index] === PART.share) continue;
      let isShare = false;
      for (let at = textStart; at < textEnd && !isShare; at++)
        isShare = isSharing(linkAround(texts[at]!) ?? "");
      if (!isShare) continue;
      this.#fill(index, index + 1, PART.share);
      const list = elements.parent[container]!;
      if (list < 0 || BOUNDS[elements.tag[list]!] === 1 || this.#hasTitle(list)) continue;
      if (this.#facts.size[list]! <= MAX_FORM_WORDS) this.#mark(list, PART.share);
    }
  }

  /** Marks links and buttons that operate the page, filters, and sentences of agreement. */
  #actions(): void {
    const { blocks, elements } = this.#page;
    for (let index = 0; index < blocks.length; index++) {
      const block = blocks[index]!;
      const { container, size } = block;
      if (size > MAX_AGREEMENT_WORDS || index === this.#title || container < 0) continue;
      if (this.#blocks[index]! > PART.frame) continue;
      const isShort = size <= MAX_ACTION_WORDS;
      const isButton = elements.tag[container] === BUTTON;
      const isLinked =
        block.links > 0 && block.linkCharacters >= MIN_ACTION_LINKED * block.characters;
      if (isShort && (isButton || isLinked)) {
        if (block.digits === 0 && isPageAction(blockText(this.#page, block)))
          this.#fill(index, index + 1, PART.action);
      } else if (!isLinked && isAgreement(blockText(this.#page, block))) {
        if (this.#isOfForm(index)) this.#fill(index, index + 1, PART.action);
      } else if (isShort && isFilterHeading(blockText(this.#page, block))) {
        const end = this.#endOfControls(index);
        if (end > index + 1) this.#fill(index, end, PART.action);
      }
    }
  }

  /** True for a block in a form, in the label of a check box, or beside a button. */
  #isOfForm(index: number): boolean {
    const { blocks, elements, texts } = this.#page;
    for (const at of [index - 1, index + 1]) {
      const container = blocks[at]?.container ?? -1;
      if (container >= 0 && elements.tag[container] === BUTTON) return true;
    }
    if (isCheckLabel(texts[blocks[index]!.textStart]!)) return true;
    let element = blocks[index]!.container;
    for (; element >= 0; element = elements.parent[element]!)
      if (elements.tag[element] === FORM) return true;
    return false;
  }

  /** Returns the end of the labels of check boxes and the buttons below a heading. */
  #endOfControls(index: number): number {
    const { blocks, elements, texts } = this.#page;
    let end = index + 1;
    let hasLabel = false;
    for (; end < blocks.length && this.#blocks[end]! <= PART.frame; end++) {
      const { container, textStart } = blocks[end]!;
      const isLabel = isCheckLabel(texts[textStart]!);
      if (!isLabel && !(container >= 0 && elements.tag[container] === BUTTON)) break;
      hasLabel ||= isLabel;
    }
    return hasLabel ? end : index;
  }

  /** Marks headings that announce other items, with the linked items below them. */
  #otherItems(): void {
    const { blocks } = this.#page;
    for (let index = Math.max(this.#title + 1, 1); index < blocks.length; index++) {
      const block = blocks[index]!;
      if (
        block.size > MAX_HEADING_WORDS ||
        block.sentenceMarks > 1 ||
        this.#blocks[index]! > PART.frame
      )
        continue;
      const { container } = block;
      if (container < 0) continue;
      const end = this.#endOfList(index, container);
      if (end <= index + 1 || !isOtherItemsHeading(blockText(this.#page, block))) continue;
      let [links, all] = [0, 0];
      for (let at = index + 1; at < end; at++) {
        links += blocks[at]!.linkCharacters;
        all += blocks[at]!.characters;
      }
      if (links < MIN_LINKED_SHARE * all) continue;
      this.#fill(index, end, PART.otherItems);
    }
  }

  /**
   * Returns the end of a heading's section: the element that it opens, or everything up to the next
   * heading of its level.
   */
  #endOfList(index: number, container: number): number {
    const { elements, blocks } = this.#page;
    const { parent, tag, blockStart, blockEnd } = elements;
    let element = container;
    while (
      parent[element]! >= 0 &&
      BOUNDS[tag[parent[element]!]!] === 0 &&
      blockStart[parent[element]!] === index &&
      blockEnd[element] === index + 1
    )
      element = parent[element]!;
    if (blockEnd[element]! > index + 1) return blockEnd[element]!;
    const level = this.#facts.level[container]!;
    if (level === 0) return index;
    const up = parent[element]!;
    const end = up < 0 ? blocks.length : blockEnd[up]!;
    for (let at = index + 1; at < end; at++) {
      const other = this.#facts.level[blocks[at]!.container] ?? 0;
      if (other > 0 && other <= level) return at;
    }
    return end;
  }
}

/** Classifies a form: one e-mail address, a text field, or something else. */
function classifyForm(form: Element): "address" | "text" | "other" {
  let [addresses, others] = [0, 0];
  let left = MAX_NODES;
  const open = [...form.children];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (--left < 0) return "other";
    if (!isTag(node)) continue;
    if (node.name === "textarea") return "text";
    if (node.name === "select") others++;
    else if (node.name === "input") {
      const type = readAttribute(node, "type").toLowerCase();
      if (type === "password") return "text";
      if (type === "email" || (/^(?:text)?$/.test(type) && /mail/i.test(readFieldNames(node))))
        addresses++;
      else if (!/^(?:hidden|submit|button|checkbox|image|reset)$/.test(type)) others++;
    }
    open.push(...node.children);
  }
  if (addresses !== 1) return "other";
  return others === 0 ? "address" : "text";
}

/** True for a text in the label of a check box or radio button. */
function isCheckLabel(text: ChildNode): boolean {
  let node: ParentNode | null = text.parent;
  for (let level = 0; level < MAX_LABEL_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "label")
      return [...node.children, ...(node.parent?.children ?? []).slice(0, MAX_LABEL_SIBLINGS)].some(
        (child) =>
          isTag(child) &&
          child.name === "input" &&
          /^(?:checkbox|radio)$/i.test(readAttribute(child, "type")),
      );
    node = node.parent;
  }
  return false;
}

/** Returns the address of the link around a text. */
export function linkAround(text: ChildNode): string | undefined {
  let node: ParentNode | null = text.parent;
  for (let level = 0; level < MAX_LINK_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "a") return readAttribute(node, "href");
    node = node.parent;
  }
  return undefined;
}

const readFieldNames = (field: Element): string =>
  ["name", "id", "placeholder", "autocomplete", "aria-label"]
    .map((name) => readAttribute(field, name))
    .join(" ");

/** True if a link shares the page. */
export const isSharing = (href: string): boolean => SHARING.test(href);
