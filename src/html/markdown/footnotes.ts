// Pairs footnote references with notes, so that both become `[^1]`.
import { type Element, isTag, isText, type ParentNode, type Text } from "domhandler";
import { isNoteId, readReferenceLabel } from "../clean/note-marks.ts";
import {
  readAttribute,
  foldSpace,
  hasAttribute,
  isBlank,
  getNextNode,
  readText,
} from "../parse/tree.ts";
import { getMeaning } from "./elements.ts";
import type { TreeFacts } from "./tree-facts.ts";

export type Footnotes = {
  /** Reference link to its label. */
  readonly references: ReadonlyMap<Element, string>;
  /** Note to its label. */
  readonly notes: ReadonlyMap<Element, string>;
  /**
   * Elements beside a note that only number it: the `<dt>` of its `<dd>`, or the heading above it.
   */
  readonly heads: ReadonlySet<Element>;
  /** Ids of the references. Links to them lead back from a note. */
  readonly places: ReadonlySet<string>;
};

const BACK_TEXT = /^(?:↩|↩︎|↩️|↵|\^|↑|⏎|back|jump up|jump back|return|\u21a9.?|[a-z])$/iu;
const NOTE_ELEMENTS: ReadonlySet<string> = new Set([
  "li",
  "aside",
  "div",
  "p",
  "section",
  "table",
  "dd",
]);
/** Longer link texts cannot be references, which have at most four characters in brackets. */
const LONG_FIRST_WORD = /^\s*\S{7}/;
/** Ancestors to check around the anchor of a note. */
const MAX_LEVELS = 4;

/**
 * Pairs references with notes. A note counts only if a reference points to it and it looks like a
 * note.
 */
export function findFootnotes(treeFacts: TreeFacts): Footnotes {
  const references = new Map<Element, string>();
  const notes = new Map<Element, string>();
  const heads = new Set<Element>();
  const places = new Set<string>();
  const labels = new Set<string>();
  let byId: ReadonlyMap<string, Element> | undefined;
  for (const link of treeFacts.fragmentLinks) {
    const text = readText(link, 40);
    if (LONG_FIRST_WORD.test(text)) continue;
    const written = readReferenceLabel(foldSpace(text));
    if (written === undefined) continue;
    byId ??= indexById(treeFacts.root);
    const target = byId.get(parseFragment(link));
    if (target === undefined) continue;
    const found = findNoteAt(target);
    if (found === undefined || !isReference(link, target, found.note)) continue;
    let label = notes.get(found.note);
    if (label === undefined) {
      label = /^\w+$/.test(written) && !labels.has(written) ? written : String(notes.size + 1);
      while (labels.has(label)) label = `${label}-${notes.size + 1}`;
      labels.add(label);
      notes.set(found.note, label);
      if (found.head !== undefined) heads.add(found.head);
    }
    references.set(link, label);
    for (const element of [link, link.parent])
      if (element !== null && isTag(element))
        for (const name of ["id", "name"])
          if (hasAttribute(element, name)) places.add(readAttribute(element, name));
  }
  return { references, notes, heads, places };
}

/**
 * Maps ids, and names of anchors, to elements; the first one wins. Built lazily, because few pages
 * need it.
 */
function indexById(root: ParentNode): ReadonlyMap<string, Element> {
  const found = new Map<string, Element>();
  const add = (element: Element, name: string): void => {
    const id = readAttribute(element, name);
    if (id !== "" && !found.has(id)) found.set(id, element);
  };
  let isSkipped = false;
  for (
    let node = getNextNode(root, root);
    node !== null;
    node = getNextNode(node, root, isSkipped)
  ) {
    isSkipped = false;
    if (!isTag(node)) continue;
    add(node, "id");
    if (node.name === "a") add(node, "name");
    isSkipped = getMeaning(node, node.name).isSilent;
  }
  return found;
}

type FoundNote = { readonly note: Element; readonly head: Element | undefined };

/**
 * Returns the note of a link target: the target itself, or the element after an anchor, term or
 * heading.
 */
function findNoteAt(target: Element): FoundNote | undefined {
  if (NOTE_ELEMENTS.has(target.name)) return { note: target, head: undefined };
  const id = readAttribute(target, "id") || readAttribute(target, "name");
  if (target.name === "a" && /ref|anchor|back|return/i.test(id)) return undefined;
  let at: Element = target;
  for (let level = 0; level < MAX_LEVELS; level++) {
    if (at.name === "dt") return findFollowingNote(at, "dd");
    if (/^h[4-6]$/.test(at.name) && readAttribute(at, "class").includes("footnote"))
      return findFollowingNote(at, "p");
    const { parent } = at;
    if (parent === null || !isTag(parent) || !isFirst(at)) return undefined;
    if (parent.name === "p" || parent.name === "li" || isNoteBox(parent))
      return { note: parent, head: undefined };
    at = parent;
  }
  return undefined;
}

function isNoteBox(element: Element): boolean {
  return (
    NOTE_ELEMENTS.has(element.name) &&
    (isNoteId(readAttribute(element, "id")) ||
      /(?:^|\s)footnote(?:\s|$)/.test(readAttribute(element, "class")))
  );
}

function findFollowingNote(head: Element, name: string): FoundNote | undefined {
  for (let node = head.next; node !== null; node = node.next)
    if (isTag(node)) return node.name === name ? { note: node, head } : undefined;
  return undefined;
}

function isFirst(element: Element): boolean {
  for (let node = element.prev; node !== null; node = node.prev)
    if (isTag(node) || (isText(node) && !isBlank(node.data))) return false;
  return true;
}

/** Returns the fragment id of an in-page link. */
function parseFragment(link: Element): string {
  const href = readAttribute(link, "href");
  const id = href.slice(href.indexOf("#") + 1);
  if (!id.includes("%")) return id;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function isReference(link: Element, target: Element, note: Element): boolean {
  for (let node = link.parent; node !== null; node = node.parent) if (node === note) return false;
  const classes = readAttribute(link, "class");
  if (
    readAttribute(link, "role") === "doc-noteref" ||
    readAttribute(link, "epub:type") === "noteref" ||
    /(?:^|\s)footnote-ref/.test(classes)
  )
    return true;
  const { parent } = link;
  const outer = parent !== null && isTag(parent) ? parent : undefined;
  if (outer !== undefined && hasAttribute(outer, "data-fn")) return true;
  const id = readAttribute(target, "id") || readAttribute(target, "name");
  const role = readAttribute(note, "role");
  if (!isNoteId(id) && role !== "doc-footnote" && role !== "doc-endnote") return false;
  // Word does not raise its references, but its ids are unique to it.
  if (/^_(?:ftn|edn)\d/.test(id) || classes.includes("footnote")) return true;
  if (outer === undefined) return false;
  return (
    outer.name === "sup" ||
    link.children.some((child) => isTag(child) && child.name === "sup") ||
    /cite|footnote|reference/.test(readAttribute(outer, "class"))
  );
}

/** True if a link inside a note only leads back to its reference. */
export function isBackReference(link: Element, places: ReadonlySet<string>): boolean {
  if (
    readAttribute(link, "role") === "doc-backlink" ||
    /backref|back-ref|footnote-back|fn-backref/.test(readAttribute(link, "class"))
  )
    return true;
  if (!readAttribute(link, "href").includes("#")) return false;
  const fragment = parseFragment(link);
  if (places.has(fragment)) return true;
  if (!/ref|cite|back|^_?ftn|^id\d+$/i.test(fragment)) return false;
  return BACK_TEXT.test(foldSpace(readText(link, 40)));
}

/** True if a raised element contains only references, brackets and commas. */
export function isRaisedReference(
  raised: Element,
  references: ReadonlyMap<Element, string>,
): boolean {
  let found = false;
  for (const child of raised.children) {
    if (isTag(child)) {
      if (!references.has(child)) return false;
      found = true;
    } else if (isText(child) && !/^[[\](),;\s]*$/.test(child.data)) return false;
  }
  return found;
}

/**
 * Returns the first text of a note without its leading number, because the note already has a
 * label.
 */
export function stripLabel({ data, prev }: Text, label: string): string {
  if (prev !== null && isTag(prev) && hasAttribute(prev, "href"))
    return data.replace(/^[.:)\]]+\s*/, "");
  const found = /^\s*[[(]?([\d*†‡§¶]{1,4})[\])]?[.:)]?\s+(?=\S)/u.exec(data);
  if (found === null || (/\d/.test(found[1] as string) && found[1] !== label)) return data;
  return data.slice(found[0].length);
}
