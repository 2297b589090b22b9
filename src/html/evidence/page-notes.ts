// What is noted of a page while its tree is built, so that nobody walks the tree for a handful of elements: on a large page
// a walk costs as much as building a quarter of it.
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

/** Groups of elements by their name, as bits. */
export const NOTED = {
  /** Speaks of the page, wherever it stands. */
  sign: 1,
  /** Has to be prepared before anything is removed. */
  unprepared: 2,
  /** Is never content. */
  nonContent: 4,
  /** Leads to another page. */
  linking: 8,
  /** Says by its being there what the page is, or takes the text in it out of the count. */
  counted: 16,
  /** An application mounts into it. */
  mount: 32,
} as const;

const GROUPS: readonly (readonly [group: number, names: string])[] = [
  [NOTED.sign, "base meta script title"],
  [NOTED.unprepared, "script noscript iframe template frameset noframes"],
  [NOTED.nonContent, "head meta noscript style script template link base"],
  [NOTED.linking, "a area frame iframe link base meta title"],
  [NOTED.counted, "script style template svg head input title h1 noscript"],
  [NOTED.mount, "root app __next __nuxt ___gatsby svelte main-app app-root react-root"],
];
const GROUPS_BY_NAME = new Map<string, number>();
for (const [group, names] of GROUPS)
  for (const name of names.split(" "))
    GROUPS_BY_NAME.set(name, (GROUPS_BY_NAME.get(name) ?? 0) | group);

/** The groups an element of this name belongs to. */
export const groupsOf = (name: string): number => GROUPS_BY_NAME.get(name) ?? 0;

/** Whether an application would mount into an element of this id, or of this name where it has none. */
export const isMountName = (name: string): boolean => (groupsOf(name) & NOTED.mount) !== 0;

/** Attributes that conceal an element, or make it open another one. */
export const TELLING_ATTRIBUTES: readonly string[] = [
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

/** Classes of text for those who listen to a page. */
const SCREEN_READER =
  /(?:^|\s)(?:sr-only|visually-hidden|visuallyhidden|screen-reader-text|screen-reader-only|screenreader|screen-reader|u-visually-hidden|is-sr-only|sr-text|a11y-hidden|element-invisible|hidden-visually|visually-?hidden-?focusable|skip-link)(?:\s|$)/i;

/** None of them is shorter. */
const SHORTEST_CLASS = "sr-only".length;

/** Whether a class attribute has one of them. */
export const isForScreenReaders = (classes: string): boolean =>
  classes.length >= SHORTEST_CLASS && SCREEN_READER.test(classes);

/** Whether an element of these classes has to be looked at by those who look at attributes that tell something. */
export const isTellingClass = (classes: string): boolean =>
  isForScreenReaders(classes) || isListing(classes) || isTabRow(classes);

/** Each list in document order. */
export class PageNotes {
  /** Names of elements that were closed early because their end tag is missing. */
  unclosed: ReadonlySet<string> = new Set();
  readonly signs: Element[] = [];
  readonly unprepared: Element[] = [];
  /** What is never content, comments and declarations too. */
  readonly nonContent: ChildNode[] = [];
  readonly linking: Element[] = [];
  readonly mounts: Element[] = [];
  /** Elements with telling attributes or a class for screen readers, listings and rows of tabs. */
  readonly telling: Element[] = [];
  readonly text = new TextCounter();

  /** Notes an element by its groups. */
  add(element: Element, groups: number): void {
    if ((groups & NOTED.sign) !== 0) this.signs.push(element);
    if ((groups & NOTED.unprepared) !== 0) this.unprepared.push(element);
    if ((groups & NOTED.nonContent) !== 0) this.nonContent.push(element);
    if ((groups & NOTED.linking) !== 0) this.linking.push(element);
    if ((groups & NOTED.counted) !== 0) this.text.enter(element);
  }
}

/**
 * The notes are a property of the document, not in a WeakMap: to V8's collector of young objects the values of a WeakMap are
 * alive, and with them the whole tree, which it would copy and keep long after the page is done.
 */
const NOTES = Symbol("notes");
type Noted = Document & { [NOTES]?: PageNotes | undefined };

/** Keeps what was noted while a page was parsed. */
export function keepNotes(document: Noted, notes: PageNotes): void {
  document[NOTES] = notes;
}

/** To be called after elements have changed or moved, other than out of the tree. */
export function forgetNotes(document: Noted): void {
  document[NOTES] = undefined;
}

/** The notes on a page. Elements that have been taken out since are still in them. */
export function notesOn(document: Noted): PageNotes {
  return (document[NOTES] ??= takeNotes(document));
}

/** Walks a tree for what would have been noted, for one that was put together by hand or has changed. */
export function takeNotes(document: Document): PageNotes {
  const notes = new PageNotes();
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

function enter(node: ChildNode, notes: PageNotes): ChildNode | undefined {
  if (isText(node)) notes.text.add(node.data);
  else if (isComment(node) || isDirective(node)) notes.nonContent.push(node);
  if (!isTag(node)) return undefined;
  notes.add(node, groupsOf(node.name));
  if (isTelling(node)) notes.telling.push(node);
  if (isMountName(node.attribs["id"] ?? node.name)) notes.mounts.push(node);
  const first = node.children[0];
  if (first === undefined) notes.text.leave(node);
  return first;
}

function isTelling({ attribs }: Element): boolean {
  const classes = attribs["class"];
  if (classes !== undefined && isTellingClass(classes)) return true;
  return TELLING_ATTRIBUTES.some((name) => attribs[name] !== undefined);
}
