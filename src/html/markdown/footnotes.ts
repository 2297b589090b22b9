// Which links are footnote references and which elements are the notes, so that both become `[^1]`.
import { type Element, isTag } from "domhandler";
import { isNoteId, referenceLabel } from "../note-marks.ts";
import { attributeOf, foldSpace, textOf } from "../tree.ts";
import type { Survey } from "./survey.ts";

export type Footnotes = {
  /** Reference link to its label. */
  readonly references: ReadonlyMap<Element, string>;
  /** Note to its label. */
  readonly notes: ReadonlyMap<Element, string>;
};

const BACK_TEXT = /^(?:↩|↩︎|↩️|↵|\^|↑|⏎|back|jump up|jump back|return|\u21a9.?|[a-z])$/iu;
const NOTE_ELEMENTS: ReadonlySet<string> = new Set(["li", "aside", "div", "p", "section"]);

/** Pairs references with notes. A note counts only if something refers to it and it looks like a note. */
export function findFootnotes(survey: Survey): Footnotes {
  const references = new Map<Element, string>();
  const notes = new Map<Element, string>();
  const labels = new Set<string>();
  for (const link of survey.fragmentLinks) {
    const note = survey.byId.get(fragmentOf(link));
    if (note === undefined || !NOTE_ELEMENTS.has(note.name) || !isReference(link, note)) continue;
    let label = notes.get(note);
    if (label === undefined) {
      const written = referenceLabel(foldSpace(textOf(link, 40))) ?? "";
      label = /^\w+$/.test(written) && !labels.has(written) ? written : String(notes.size + 1);
      while (labels.has(label)) label = `${label}-${notes.size + 1}`;
      labels.add(label);
      notes.set(note, label);
    }
    references.set(link, label);
  }
  return { references, notes };
}

function fragmentOf(link: Element): string {
  const href = attributeOf(link, "href");
  const id = href.slice(href.indexOf("#") + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function isReference(link: Element, note: Element): boolean {
  if (referenceLabel(foldSpace(textOf(link, 40))) === undefined) return false;
  for (let node = link.parent; node !== null; node = node.parent) if (node === note) return false;
  const role = attributeOf(link, "role");
  if (role === "doc-noteref" || /(?:^|\s)footnote-ref/.test(attributeOf(link, "class")))
    return true;
  if (!isNoteId(attributeOf(note, "id")) && attributeOf(note, "role") !== "doc-footnote")
    return false;
  const { parent } = link;
  const raised =
    parent !== null &&
    isTag(parent) &&
    (parent.name === "sup" ||
      findSup(link) ||
      /cite|footnote|reference/.test(attributeOf(parent, "class")));
  return raised || attributeOf(link, "class").includes("footnote");
}

function findSup(link: Element): boolean {
  return link.children.some((child) => isTag(child) && child.name === "sup");
}

/** Whether a link inside a note only leads back to where the note was called. */
export function isBackReference(link: Element): boolean {
  if (
    attributeOf(link, "role") === "doc-backlink" ||
    /backref|back-ref|footnote-back|fn-backref/.test(attributeOf(link, "class"))
  )
    return true;
  const fragment = fragmentOf(link);
  if (!/ref|cite|back|^_?ftn|^id\d+$/i.test(fragment)) return false;
  return BACK_TEXT.test(foldSpace(textOf(link, 40)));
}
