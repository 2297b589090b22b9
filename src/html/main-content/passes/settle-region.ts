// Finds the region of a page that holds its content: `main`, `article`, or the section of the
// title. On short pages everything inside is kept and everything around it dropped, because the
// learned model judges short pieces poorly: a price, a rating, a name. Parts that are clearly not
// content are dropped on every page.
import { type Element, isTag, type ParentNode } from "domhandler";
import { mayHaveUncommon } from "../../parse/nodes.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { readAttribute } from "../../parse/tree.ts";
import { computeMean, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { findTitleHeading } from "./keep-title.ts";
import {
  findParts,
  isSharing,
  linkAround,
  PART,
  PART_COUNT,
  type PageParts,
} from "./page-parts.ts";
import type { PageKind } from "../../../contract/page/page-kinds.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_ALONE_WORDS,
  MAX_GROUP_LEVELS,
  MAX_WHOLE_WORDS,
  MIN_BLOCK_PROBABILITY,
  MIN_LINKS,
  MIN_LINK_PROBABILITY,
  MIN_MARKED_REGION_SHARE,
  MIN_MENU_LINK_SHARE,
  MIN_PART_PROBABILITY,
  MIN_PROSE_PROBABILITY,
  MIN_PROSE_WORDS,
  MIN_REGION_KEPT,
  MIN_REGION_SHARE,
  MIN_TEXT_PROBABILITY,
  MIN_TITLE_SHARE,
} from "./thresholds.ts";

const DROPPED_PARTS = new Uint8Array(PART_COUNT);
for (const part of [PART.newsletter, PART.consent, PART.otherItems, PART.action])
  DROPPED_PARTS[part] = 1;

const MAIN = tagNumber("main");
const ARTICLE = tagNumber("article");
const BUTTON = tagNumber("button");
const FOOTER = tagNumber("footer");
const PAGES = tagSet("body html");

type Region = { readonly from: number; readonly to: number };

/** The parts of a page, and the block of its title or -1. */
export type TitledParts = PageParts & { readonly title: number };

export function findPageParts(
  page: Segmentation,
  facts: ElementFacts,
  pageTitle: string,
): TitledParts {
  const title = findTitle(page, facts, pageTitle);
  return { ...findParts(page, facts, title), title };
}

/** Settles the verdicts of blocks inside and outside the region. */
export function settleRegion(
  page: Segmentation,
  facts: ElementFacts,
  context: {
    readonly parts: TitledParts;
    readonly kind: PageKind | undefined;
    readonly probabilities: Float64Array;
    readonly verdicts: Verdict[];
  },
): void {
  const { parts, kind, probabilities, verdicts } = context;
  const { title } = parts;
  const regions = findRegions(page, facts, title, parts, probabilities);
  if (regions === undefined) return;
  const { inner, outer } = regions;
  const start = Math.min(...outer.map(({ from }) => from));
  let [inside, outside, size] = [0, 0, 0];
  for (let index = 0; index < page.blocks.length; index++) {
    const block = page.blocks[index]!;
    if (parts.blocks[index] !== PART.none) continue;
    const isIn = isInside(outer, index);
    if (isIn) size += block.size;
    if (!isKept(verdicts[index])) continue;
    if (isIn) inside += block.size;
    // A menu above the region is not evidence against it.
    else if (index > start || !isOfMenu(page, index)) outside += block.size;
  }
  if (inside < (regions.isMarked ? MIN_MARKED_REGION_SHARE : MIN_REGION_SHARE) * (inside + outside))
    return;
  if (size <= MAX_ALONE_WORDS)
    for (let index = 0; index < page.blocks.length; index++) {
      const isText =
        page.blocks[index]!.size >= MIN_PROSE_WORDS &&
        probabilities[index]! >= MIN_PROSE_PROBABILITY;
      if (isKept(verdicts[index]) && !isInside(outer, index) && !isText)
        verdicts[index] = "dropped";
    }
  if (size > MAX_WHOLE_WORDS || kind === "article" || inside < MIN_REGION_KEPT * size) return;
  for (let index = page.blocks.length - 1; index >= 0; index--) {
    if (
      verdicts[index] === "dropped" &&
      probabilities[index]! >= MIN_BLOCK_PROBABILITY &&
      parts.blocks[index] === PART.none &&
      isInside(inner, index) &&
      isFact(page, facts, index, title, verdicts, probabilities[index]!)
    )
      verdicts[index] = "kept";
  }
}

/** True for a block of links, or the button that opens them. */
const isOfMenu = ({ blocks, elements }: Segmentation, index: number): boolean => {
  const { container, linkCharacters, characters } = blocks[index]!;
  return (
    linkCharacters >= MIN_MENU_LINK_SHARE * characters ||
    (container >= 0 && elements.tag[container] === BUTTON)
  );
};

const isInside = (regions: readonly Region[], index: number): boolean =>
  regions.some(({ from, to }) => index >= from && index < to);

/**
 * Drops the parts that are not content, unless the model is sure of them or the page is about them.
 */
export function dropParts(
  page: Segmentation,
  { blocks }: PageParts,
  kind: PageKind | undefined,
  probabilities: Float64Array,
  verdicts: Verdict[],
): void {
  const going: number[] = [];
  let [lost, kept] = [0, 0];
  for (let index = 0; index < blocks.length; index++)
    if (isKept(verdicts[index])) kept += page.blocks[index]!.size;
  // Items are the topic of a long collection, under any heading.
  const isOfItems = kind === "collection" && kept > MAX_WHOLE_WORDS;
  for (let from = 0; from < blocks.length; from++) {
    const part = blocks[from]!;
    if (DROPPED_PARTS[part] === 0 || (isOfItems && part === PART.otherItems)) continue;
    let to = from + 1;
    while (to < blocks.length && blocks[to] === part) to++;
    if (computeMean(page, probabilities, from, to) < MIN_PART_PROBABILITY)
      for (let index = from; index < to; index++)
        if (isKept(verdicts[index])) {
          lost += page.blocks[index]!.size;
          going.push(index);
        }
    from = to - 1;
  }
  if (lost * 2 > kept) return;
  for (const index of going) verdicts[index] = "dropped";
}

/** Returns the block of the page's title, or -1. */
function findTitle(page: Segmentation, facts: ElementFacts, pageTitle: string): number {
  const matching = findTitleHeading(page, facts, pageTitle);
  if (matching >= 0) return matching;
  const { blocks } = page;
  const isBig = (index: number): boolean => facts.level[blocks[index]!.container] === 1;
  for (let index = 0; index < blocks.length; index++) if (isBig(index)) return index;
  for (let index = 0; index < blocks.length; index++) {
    const { words, titleWords, linkCharacters } = blocks[index]!;
    if (linkCharacters === 0 && titleWords >= 2 && titleWords >= words * MIN_TITLE_SHARE)
      return index;
  }
  return -1;
}

/**
 * Finds the region: `inner` is certainly content, `outer` also includes parts beside it outside the
 * site's header, menu and footer.
 */
function findRegions(
  page: Segmentation,
  facts: ElementFacts,
  title: number,
  parts: PageParts,
  probabilities: Float64Array,
):
  | {
      readonly inner: readonly Region[];
      readonly outer: readonly Region[];
      readonly isMarked: boolean;
    }
  | undefined {
  const main = findMain(page, facts, title);
  const climber = new Climber(page, facts, parts);
  const starts: number[] = [];
  if (main >= 0) starts.push(main);
  if (title >= 0) {
    const own = page.blocks[title]!.container;
    const isInMain =
      main >= 0 &&
      title >= page.elements.blockStart[main]! &&
      title < page.elements.blockEnd[main]!;
    if (!isInMain && own >= 0) starts.push(own);
  }
  if (starts.length === 0) {
    const start = findSureRegion(page, parts, probabilities);
    if (start < 0) return undefined;
    starts.push(start);
  }
  const outer = starts.map((start) => climber.climb(start));
  const inner = main >= 0 ? [main, ...outer.slice(1)] : outer;
  const toRegion = (element: number): Region => ({
    from: page.elements.blockStart[element]!,
    to: page.elements.blockEnd[element]!,
  });
  return { inner: inner.map(toRegion), outer: outer.map(toRegion), isMarked: main >= 0 };
}

/** Returns the innermost element around all text that the model is sure of, or -1. */
function findSureRegion(
  { blocks, elements }: Segmentation,
  parts: PageParts,
  probabilities: Float64Array,
): number {
  const { tag, parent, blockStart, blockEnd } = elements;
  let around = -1;
  for (let index = 0; index < blocks.length; index++) {
    if (probabilities[index]! < MIN_TEXT_PROBABILITY || parts.blocks[index] !== PART.none) continue;
    if (around < 0) around = blocks[index]!.container;
    while (around >= 0 && (index < blockStart[around]! || index >= blockEnd[around]!))
      around = parent[around]!;
    if (around < 0) return -1;
  }
  return around >= 0 && PAGES[tag[around]!] === 0 ? around : -1;
}

/** Returns the `main` element, or the only article with the title, or -1. */
function findMain(page: Segmentation, facts: ElementFacts, title: number): number {
  const { nodes, tag, blockStart, blockEnd } = page.elements;
  let best = -1;
  let article = -1;
  for (let element = 0; element < nodes.length; element++) {
    if (blockStart[element] === blockEnd[element]) continue;
    const isUncommon = mayHaveUncommon(nodes[element]!);
    if (
      tag[element] === MAIN ||
      (isUncommon && readAttribute(nodes[element]!, "role") === "main")
    ) {
      if (best < 0 || facts.size[element]! > facts.size[best]!) best = element;
    } else if (
      article < 0 &&
      (tag[element] === ARTICLE ||
        (isUncommon && readAttribute(nodes[element]!, "itemtype") !== "")) &&
      tag[element] !== 0 &&
      title >= blockStart[element]! &&
      title < blockEnd[element]! &&
      !PAGES[tag[element]!]
    )
      article = element;
  }
  return best >= 0 ? best : article;
}

class Climber {
  readonly #page: Segmentation;
  readonly #facts: ElementFacts;
  readonly #parts: PageParts;
  /** Links and buttons in the blocks before each block, and their characters. */
  readonly #actions: Int32Array;
  readonly #actionCharacters: Int32Array;

  constructor(page: Segmentation, facts: ElementFacts, parts: PageParts) {
    this.#page = page;
    this.#facts = facts;
    this.#parts = parts;
    const { blocks, elements } = page;
    this.#actions = new Int32Array(blocks.length + 1);
    this.#actionCharacters = new Int32Array(blocks.length + 1);
    for (let index = 0; index < blocks.length; index++) {
      const { container, links, characters, linkCharacters } = blocks[index]!;
      const isButton = container >= 0 && elements.tag[container] === BUTTON;
      this.#actions[index + 1] = this.#actions[index]! + (isButton ? 1 : links);
      this.#actionCharacters[index + 1] =
        this.#actionCharacters[index]! + (isButton ? characters : linkCharacters);
    }
  }

  /** Returns the highest element above the start that holds no part of the site's frame. */
  climb(start: number): number {
    const { parent, tag } = this.#page.elements;
    let element = start;
    for (let up = parent[element]!; up >= 0; up = parent[up]!) {
      if (PAGES[tag[up]!] === 1 || this.#addsFrame(element, up)) break;
      element = up;
    }
    return element;
  }

  /** Checks only the additions of the parent, so that a climb is linear in the size of the page. */
  #addsFrame(inner: number, outer: number): boolean {
    const { blockStart, blockEnd, end } = this.#page.elements;
    for (let index = blockStart[outer]!; index < blockEnd[outer]!; index++) {
      if (index === blockStart[inner]) index = Math.max(index, blockEnd[inner]! - 1);
      else if (this.#parts.blocks[index] === PART.frame) return true;
    }
    for (let element = outer + 1; element < end[outer]!; element++) {
      if (element === inner) element = end[inner]! - 1;
      else if (this.#parts.blocks[blockStart[element]!] === PART.none && this.#isMenu(element))
        return true;
    }
    return false;
  }

  #isMenu(element: number): boolean {
    const { blockStart, blockEnd } = this.#page.elements;
    const [from, to] = [blockStart[element]!, blockEnd[element]!];
    const characters = this.#facts.characters[element]!;
    return (
      characters > 0 &&
      this.#actionCharacters[to]! - this.#actionCharacters[from]! >=
        MIN_MENU_LINK_SHARE * characters &&
      this.#actions[to]! - this.#actions[from]! >= MIN_LINKS
    );
  }
}

/** Attributes of a button that chooses a value, and roles of such buttons and of their groups. */
const CHOOSING = ["aria-pressed", "aria-checked", "aria-selected", "value", "data-value"];
const CHOICE_ROLES: ReadonlySet<string> = new Set(["radio", "option", "checkbox", "menuitemradio"]);
const GROUP_ROLES: ReadonlySet<string> = new Set(["radiogroup", "listbox", "group"]);

/** True for a button that chooses among values, such as sizes. */
function isChoice(button: Element): boolean {
  if (CHOOSING.some((name) => name in button.attribs)) return true;
  if (CHOICE_ROLES.has(readAttribute(button, "role"))) return true;
  let node: ParentNode | null = button.parent;
  for (let level = 0; level < MAX_GROUP_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "fieldset" || GROUP_ROLES.has(readAttribute(node, "role"))) return true;
    node = node.parent;
  }
  return false;
}

/** True for the names of tabs, which are written above their panels anyway. */
function isTabRow(node: Element): boolean {
  const role = readAttribute(node, "role");
  if (role === "tab" || role === "tablist") return true;
  return node.children.some((child) => isTag(child) && readAttribute(child, "role") === "tabpanel");
}

/** True for a block that may state a fact: no button, footer, or link that acts on the page. */
function isFact(
  { blocks, elements, texts }: Segmentation,
  facts: ElementFacts,
  index: number,
  title: number,
  verdicts: readonly Verdict[],
  probability: number,
): boolean {
  const { container, textStart, linkCharacters, characters, digits } = blocks[index]!;
  if (container < 0) return true;
  for (let element = container; element >= 0; element = elements.parent[element]!)
    if (elements.tag[element] === FOOTER) return false;
  if (isTabRow(elements.nodes[container]!)) return false;
  if (elements.tag[container] === BUTTON) {
    const node = elements.nodes[container]!;
    return digits > 0 || isChoice(node);
  }
  // A heading stays with the text below it.
  if (facts.level[container]! > 0 && index !== title) return isKept(verdicts[index + 1]);
  if (linkCharacters < characters) return true;
  // Links above the title are breadcrumbs.
  if (index < title) return false;
  if (probability < MIN_LINK_PROBABILITY) return false;
  const link = linkAround(texts[textStart]!);
  return link === undefined || !(isSharing(link) || /^javascript:/i.test(link));
}
