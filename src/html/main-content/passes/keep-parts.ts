// Small parts that belong to kept text but look unimportant alone: the title of an admonition, the
// question above a folding answer, who is quoted, and footnotes that kept text refers to.
import { isTag, type Text } from "domhandler";
import { isAdmonitionTitle, isNoteId, readReferenceLabel } from "../../clean/note-marks.ts";
import { readAttribute, foldSpace, readText } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { TAB_NAME } from "../../clean/tabs.ts";
import { tagNumber, tagSet } from "../../parse/tag-numbers.ts";
import { MAX_NOTE_WORDS, MAX_PART_LEVELS, MAX_SOURCE_WORDS } from "./thresholds.ts";

const QUOTE = tagNumber("blockquote");
const QUOTES = tagSet("blockquote figure");
const SOURCES = tagSet("figcaption cite footer");

const LABELS: ReadonlySet<string> = new Set(["summary", "legend"]);
const NOTE_ROLES: ReadonlySet<string> = new Set(["doc-footnote", "doc-endnote", "note"]);

/** Keeps dropped labels right above kept text. */
export function keepLabels({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { nodes, parent } = elements;
  for (let index = blocks.length - 2; index >= 0; index--) {
    if (verdicts[index] !== "dropped" || !isKept(verdicts[index + 1])) continue;
    let element = blocks[index]!.container;
    for (let level = 0; level < MAX_PART_LEVELS && element >= 0; level++) {
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
  for (let level = 0; level < MAX_PART_LEVELS && element >= 0; level++) {
    if (readAttribute(nodes[element]!, "id") === id) return true;
    element = parent[element]!;
  }
  return false;
}

/** Keeps the dropped lines right below a kept quotation that name its source. */
export function keepSources({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { tag, parent, blockStart } = elements;
  for (let index = 1; index < blocks.length; index++) {
    if (verdicts[index] !== "dropped" || !isKept(verdicts[index - 1])) continue;
    if (blocks[index]!.size > MAX_SOURCE_WORDS) continue;
    let hasSource = false;
    let element = blocks[index]!.container;
    for (let level = 0; level < MAX_PART_LEVELS && element >= 0; level++) {
      if (SOURCES[tag[element]!] === 1) hasSource = true;
      else if (hasSource && QUOTES[tag[element]!] === 1) break;
      element = parent[element]!;
    }
    if (element < 0 || QUOTES[tag[element]!] === 0 || !hasSource) continue;
    if (blockStart[element]! < index && holdsQuote(elements, element, index))
      verdicts[index] = "kept";
  }
}

/** True for a quotation, and for a figure whose block above `index` is one. */
function holdsQuote(
  { tag, blockStart, blockEnd }: Segmentation["elements"],
  element: number,
  index: number,
): boolean {
  if (tag[element] === QUOTE) return true;
  for (let inner = element + 1; inner < tag.length && blockStart[inner]! < index; inner++)
    if (tag[inner] === QUOTE && blockEnd[inner] === index) return true;
  return false;
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
  for (let level = 0; level < MAX_PART_LEVELS && node !== null && isTag(node); level++) {
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
