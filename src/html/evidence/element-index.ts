// Element index collected while the tree is built. A separate walk over a large page costs as much
// as a quarter of parsing it.
import {
  type ChildNode,
  type Document,
  type Element,
  isComment,
  isDirective,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { isListing } from "../clean/code-listings.ts";
import { isTabRow } from "../clean/tabs.ts";
import { TextCounter } from "./text-counter.ts";

/** Groups of element names, as bits. */
export const NOTED = {
  /** Describes the page, wherever it is. */
  sign: 1,
  /** Must be prepared before anything is removed. */
  unprepared: 2,
  /** Is never content. */
  nonContent: 4,
  /** Links to another page. */
  linking: 8,
  /** Signals the kind of page by its presence, or excludes its text from the word count. */
  counted: 16,
  /** A mount point of an application. */
  mount: 32,
  /** Acts on the page. */
  control: 64,
} as const;

const GROUPS: readonly (readonly [group: number, names: string])[] = [
  [NOTED.sign, "base meta script title"],
  [NOTED.unprepared, "script noscript iframe template frameset noframes select"],
  [NOTED.nonContent, "head meta noscript style script template link base"],
  [NOTED.linking, "a area frame iframe link base meta title"],
  [NOTED.counted, "script style template svg head input title h1 noscript"],
  [NOTED.control, "button"],
  [NOTED.mount, "root app __next __nuxt ___gatsby svelte main-app app-root react-root"],
];
const GROUPS_BY_NAME = new Map<string, number>();
for (const [group, names] of GROUPS)
  for (const name of names.split(" "))
    GROUPS_BY_NAME.set(name, (GROUPS_BY_NAME.get(name) ?? 0) | group);

/** Returns the groups of an element name, as bits. */
export const getGroupBits = (name: string): number => GROUPS_BY_NAME.get(name) ?? 0;

/** True if this id, or this element name if there is no id, is a mount point of an application. */
export const isMountName = (name: string): boolean => (getGroupBits(name) & NOTED.mount) !== 0;

/** Attributes that conceal an element or make it open another one. */
export const NOTABLE_ATTRIBUTES: readonly string[] = [
  "style",
  "hidden",
  "role",
  "aria-hidden",
  "aria-controls",
  "aria-expanded",
  "data-target",
  "data-bs-target",
  "data-toggle",
  "data-toggle-target",
];

/** Classes of text for screen readers. */
const SCREEN_READER =
  /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|screen-reader-only|screenreader|screen-reader|u-visually-hidden|is-sr-only|sr-text|a11y-hidden|element-invisible|hidden-visually|visually-?hidden-?focusable|skip-link)(?:\s|$)/i;

/** Length of the shortest of these classes. */
const MIN_CLASS_CHARACTERS = "sr-only".length;

/** True if the class attribute contains a screen-reader class. */
export const isForScreenReaders = (classes: string): boolean =>
  classes.length >= MIN_CLASS_CHARACTERS && SCREEN_READER.test(classes);

/** True if the classes require a check, as the attributes above do. */
export const isNotableClass = (classes: string): boolean =>
  isForScreenReaders(classes) || isListing(classes) || isTabRow(classes);

/** Each list is in document order. */
export class ElementIndex {
  /** Names of elements that were closed early because their end tag is missing. */
  unclosed: ReadonlySet<string> = new Set();
  readonly signs: Element[] = [];
  readonly unprepared: Element[] = [];
  /** Nodes that are never content, including comments and declarations. */
  readonly nonContent: ChildNode[] = [];
  readonly linking: Element[] = [];
  readonly controls: Element[] = [];
  readonly mounts: Element[] = [];
  /**
   * Elements with attributes that conceal or open something, screen-reader classes, listings and
   * tab rows.
   */
  readonly notable: Element[] = [];
  readonly text: TextCounter;

  constructor(text = new TextCounter()) {
    this.text = text;
  }

  /** Adds an element to the lists of its groups. */
  add(element: Element, groups: number): void {
    if ((groups & NOTED.sign) !== 0) this.signs.push(element);
    if ((groups & NOTED.unprepared) !== 0) this.unprepared.push(element);
    if ((groups & NOTED.nonContent) !== 0) this.nonContent.push(element);
    if ((groups & NOTED.linking) !== 0) this.linking.push(element);
    if ((groups & NOTED.control) !== 0) this.controls.push(element);
    if ((groups & NOTED.counted) !== 0) this.text.enter(element);
  }
}

/**
 * The notes are a property of the document, not an entry of a WeakMap: V8's scavenger treats
 * WeakMap values as alive, so it would copy the whole tree and keep it long after the page is done.
 */
const NOTES = Symbol("notes");
type IndexedDocument = Document & { [NOTES]?: ElementIndex | undefined };

/** Attaches the notes collected during parsing to the document. */
export function attachElementIndex(document: IndexedDocument, notes: ElementIndex): void {
  document[NOTES] = notes;
}

/** Must be called after elements change or move, except for removals. */
export function clearElementIndex(document: IndexedDocument): void {
  document[NOTES] = undefined;
}

/** Returns the notes of a page. They may still list elements that have been removed since. */
export function getElementIndex(document: IndexedDocument): ElementIndex {
  return (document[NOTES] ??= buildElementIndex(document));
}

/** Collects notes by walking a tree, for trees built by hand or changed after parsing. */
export function buildElementIndex(document: Document): ElementIndex {
  const notes = new ElementIndex();
  let node: ChildNode | null = document.firstChild;
  while (node !== null) {
    const first = enter(node, notes);
    if (first !== undefined) {
      node = first;
      continue;
    }
    while (node !== null && node.next === null) {
      const parent: ParentNode | null = node.parent;
      node = parent !== null && isTag(parent) ? parent : null;
      if (node !== null) notes.text.leave(node);
    }
    if (node !== null) node = node.next;
  }
  return notes;
}

function enter(node: ChildNode, notes: ElementIndex): ChildNode | undefined {
  if (isText(node)) notes.text.add(node.data);
  else if (isComment(node) || isDirective(node)) notes.nonContent.push(node);
  if (!isTag(node)) return undefined;
  notes.add(node, getGroupBits(node.name));
  if (isNotable(node)) notes.notable.push(node);
  if (isMountName(node.attribs["id"] ?? node.name)) notes.mounts.push(node);
  const first = node.children[0];
  if (first === undefined) notes.text.leave(node);
  return first;
}

function isNotable({ attribs }: Element): boolean {
  const classes = attribs["class"];
  if (classes !== undefined && isNotableClass(classes)) return true;
  return NOTABLE_ATTRIBUTES.some((name) => attribs[name] !== undefined);
}
