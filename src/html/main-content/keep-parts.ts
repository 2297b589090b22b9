// Small parts that belong to kept text but look unimportant alone: the title of an admonition, the
// question above a folding answer, the section beside the title, and footnotes that kept text
// refers to.
import { isTag, type Text } from "domhandler";
import { isAdmonitionTitle, isNoteId, readReferenceLabel } from "../clean/note-marks.ts";
import { readAttribute, foldSpace, readText } from "../parse/tree.ts";
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { TAB_NAME } from "../clean/tabs.ts";
import { tagNumber } from "../parse/tag-numbers.ts";

const LABELS: ReadonlySet<string> = new Set(["summary", "legend"]);
/** Ancestors to check: for a label above a block, and for a link around a text. */
const MAX_LEVELS = 4;
/** Maximum words of a note. Longer ones are separate sections. */
const MAX_NOTE_WORDS = 200;
/** Maximum words of a title with the section beside it. */
const MAX_TITLE_SECTION_WORDS = 60;
const TITLE = tagNumber("h1");
const TITLE_BOUNDS: ReadonlySet<string> = new Set(["body", "html", "main", "article"]);
const NOTE_ROLES: ReadonlySet<string> = new Set(["doc-footnote", "doc-endnote", "note"]);

/** Keeps dropped labels right above kept text. */
export function keepLabels({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { nodes, parent } = elements;
  for (let index = blocks.length - 2; index >= 0; index--) {
    if (verdicts[index] !== "dropped" || !isKept(verdicts[index + 1])) continue;
    let element = blocks[index]!.container;
    for (let level = 0; level < MAX_LEVELS && element >= 0; level++) {
      const node = nodes[element]!;
      if (
        LABELS.has(node.name) ||
        isAdmonitionTitle(readAttribute(node, "class")) ||
        readAttribute(node, "class") === TAB_NAME ||
        isUnfoldedBy(elements, readAttribute(node, "aria-controls"), blocks[index + 1]!.container)
      ) {
        verdicts[index] = "kept";
        break;
      }
      element = parent[element]!;
    }
  }
}

/** True if the control unfolds the part that contains the element; `id` is the controlled id. */
function isUnfoldedBy(
  { nodes, parent }: Segmentation["elements"],
  id: string,
  from: number,
): boolean {
  if (id === "") return false;
  let element = from;
  for (let level = 0; level < MAX_LEVELS && element >= 0; level++) {
    if (readAttribute(nodes[element]!, "id") === id) return true;
    element = parent[element]!;
  }
  return false;
}

/**
 * Keeps a short section in the same element as the title, such as "NAME" in a manual page. A byline
 * has no heading, and links make no section. Returns true if anything of it was dropped.
 */
export function keepTitleSection(page: Segmentation, verdicts: Verdict[]): boolean {
  const { nodes, parent, blockStart, blockEnd, end } = page.elements;
  const title = findOnlyTitle(page);
  if (title < 0) return false;
  const head = parent[title]!;
  if (head < 0 || TITLE_BOUNDS.has(nodes[head]!.name)) return false;
  const from = blockStart[head]!;
  const to = blockEnd[head]!;
  if (from !== blockStart[title] || !isTitleKept(verdicts, from, to)) return false;
  let heading = blockEnd[title]! < to ? title + 1 : end[head]!;
  while (heading < end[head]! && !/^h[2-6]$/.test(nodes[heading]!.name)) heading++;
  if (heading === end[head] || blockEnd[heading]! >= to) return false;
  let size = 0;
  for (let index = from; index < to; index++) {
    const block = page.blocks[index]!;
    if (block.linkCharacters > 0) return false;
    size += block.size;
  }
  if (size > MAX_TITLE_SECTION_WORDS) return false;
  let isChanged = false;
  for (let index = from; index < to; index++) {
    if (verdicts[index] !== "dropped") continue;
    verdicts[index] = "kept";
    isChanged = true;
  }
  return isChanged;
}

/** Returns the page's main heading, or -1 if it has none or several. */
function findOnlyTitle({ elements: { tag } }: Segmentation): number {
  let title = -1;
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] !== TITLE) continue;
    if (title >= 0) return -1;
    title = element;
  }
  return title;
}

/** True if the title is kept, or the text after its section, whose first heading may be dropped. */
function isTitleKept(verdicts: readonly Verdict[], title: number, next: number): boolean {
  return isKept(verdicts[title]) || isKept(verdicts[next]) || isKept(verdicts[next + 1]);
}

/** Keeps dropped footnotes that kept text refers to. */
export function keepNotes(page: Segmentation, facts: ElementFacts, verdicts: Verdict[]): void {
  const notes = findDroppedNotes(page, facts, verdicts);
  if (notes.size === 0) return;
  for (let index = 0; index < page.blocks.length; index++)
    if (page.blocks[index]!.linkCharacters > 0 && isKept(verdicts[index]))
      keepReferred(page, index, notes, verdicts);
}

/** Keeps the footnotes that a block refers to. */
function keepReferred(
  { blocks, texts, elements }: Segmentation,
  index: number,
  notes: ReadonlyMap<string, number>,
  verdicts: Verdict[],
): void {
  const { textStart, textEnd } = blocks[index]!;
  for (let text = textStart; text < textEnd; text++) {
    const note = findReferredNote(texts[text]!, notes);
    if (note === undefined) continue;
    for (let at = elements.blockStart[note]!; at < elements.blockEnd[note]!; at++)
      if (verdicts[at] === "dropped") verdicts[at] = "kept";
  }
}

function findDroppedNotes(
  page: Segmentation,
  { hasId }: ElementFacts,
  verdicts: readonly Verdict[],
): Map<string, number> {
  const { nodes, blockStart, blockEnd } = page.elements;
  const notes = new Map<string, number>();
  for (let element = 0; element < nodes.length; element++) {
    if (hasId[element] === 0) continue;
    const from = blockStart[element]!;
    if (from === blockEnd[element] || verdicts[from] !== "dropped") continue;
    const node = nodes[element]!;
    const id = readAttribute(node, "id");
    if (id === "" || (!isNoteId(id) && !NOTE_ROLES.has(readAttribute(node, "role")))) continue;
    let size = 0;
    for (let index = from; index < blockEnd[element]!; index++) size += page.blocks[index]!.size;
    if (size <= MAX_NOTE_WORDS) notes.set(id, element);
  }
  return notes;
}

/** Returns the footnote that a text refers to, if it is a footnote mark. */
function findReferredNote(text: Text, notes: ReadonlyMap<string, number>): number | undefined {
  let node = text.parent;
  for (let level = 0; level < MAX_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "a") {
      const href = readAttribute(node, "href");
      const at = href.indexOf("#");
      const note = at < 0 ? undefined : notes.get(href.slice(at + 1));
      if (note === undefined) return undefined;
      return readReferenceLabel(foldSpace(readText(node, 40))) === undefined ? undefined : note;
    }
    node = node.parent;
  }
  return undefined;
}
