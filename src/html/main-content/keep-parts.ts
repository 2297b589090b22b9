// Small parts that belong to kept text and say little by themselves: the title of an admonition, the question above an answer
// that folds, the footnotes that kept text refers to.
import { isTag, type Text } from "domhandler";
import { isAdmonitionTitle, isNoteId, referenceLabel } from "../note-marks.ts";
import { attributeOf, foldSpace, textOf } from "../tree.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

const LABELS: ReadonlySet<string> = new Set(["summary", "legend"]);
/** Elements looked at above a block for one that labels, and above a text for a link. */
const LEVELS = 4;
/** Longer notes, in words, are sections of their own. */
const LONGEST_NOTE = 200;
const NOTE_ROLES: ReadonlySet<string> = new Set(["doc-footnote", "doc-endnote", "note"]);

/** Keeps dropped labels right above kept text. */
export function keepLabels({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  const { nodes, parent } = elements;
  for (let index = blocks.length - 2; index >= 0; index--) {
    if (verdicts[index] !== "dropped" || !isKept(verdicts[index + 1])) continue;
    let element = blocks[index]!.container;
    for (let level = 0; level < LEVELS && element >= 0; level++) {
      const node = nodes[element]!;
      if (LABELS.has(node.name) || isAdmonitionTitle(attributeOf(node, "class"))) {
        verdicts[index] = "kept";
        break;
      }
      element = parent[element]!;
    }
  }
}

/** Keeps dropped footnotes that kept text refers to. */
export function keepNotes(page: Segmentation, verdicts: Verdict[]): void {
  const notes = droppedNotes(page, verdicts);
  if (notes.size === 0) return;
  const { blockStart, blockEnd } = page.elements;
  page.blocks.forEach(({ textStart, textEnd }, index) => {
    if (!isKept(verdicts[index])) return;
    for (let text = textStart; text < textEnd; text++) {
      const note = notes.get(referredId(page.texts[text]!));
      if (note === undefined) continue;
      for (let at = blockStart[note]!; at < blockEnd[note]!; at++)
        if (verdicts[at] === "dropped") verdicts[at] = "kept";
    }
  });
}

function droppedNotes(page: Segmentation, verdicts: readonly Verdict[]): Map<string, number> {
  const { nodes, blockStart, blockEnd } = page.elements;
  const notes = new Map<string, number>();
  nodes.forEach((node, element) => {
    const id = attributeOf(node, "id");
    const from = blockStart[element]!;
    if (id === "" || from === blockEnd[element] || verdicts[from] !== "dropped") return;
    if (!isNoteId(id) && !NOTE_ROLES.has(attributeOf(node, "role"))) return;
    let size = 0;
    for (let index = from; index < blockEnd[element]!; index++) size += page.blocks[index]!.size;
    if (size <= LONGEST_NOTE) notes.set(id, element);
  });
  return notes;
}

/** The id a text refers to, where it is the mark of a footnote; "" otherwise. */
function referredId(text: Text): string {
  let node = text.parent;
  for (let level = 0; level < LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "a") {
      const href = attributeOf(node, "href");
      const at = href.indexOf("#");
      return at >= 0 && referenceLabel(foldSpace(textOf(node, 40))) !== undefined
        ? href.slice(at + 1)
        : "";
    }
    node = node.parent;
  }
  return "";
}
