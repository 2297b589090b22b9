// What the elements of a page are called, as hashes that a learned table can be asked for.
import { isTag, type ParentNode } from "domhandler";
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";

/** Names list after list; elements with like attributes share lists. */
export type PageNames = {
  /** Hashes of the names of all lists, and where each list begins; one longer than the lists. */
  readonly hashes: Int32Array;
  readonly listStart: readonly number[];
  /** The lists of the tag and of each of the attributes of each element, and where an element's begin; one longer than the elements. */
  readonly own: readonly number[];
  readonly ownStart: readonly number[];
  /** The lists of the inline elements around each block's first text, and where a block's begin; one longer than the blocks. */
  readonly inline: readonly number[];
  readonly inlineStart: readonly number[];
  /** For each element the recorded element around it, -1 for none. */
  readonly parent: readonly number[];
  /** For each block its container, -1 for none. */
  readonly container: readonly number[];
};

/** Inline elements looked at around a block's first text. */
const INLINE_LEVELS = 6;

/** The names of all recorded elements, and those around all blocks. */
export function gatherNames(
  { elements, blocks, texts }: Segmentation,
  { names: { reader, own, ownStart } }: ElementFacts,
): PageNames {
  const { nodes, parent } = elements;
  const inline: number[] = [];
  const inlineStart = [0];
  const containers: number[] = [];
  for (const { container, textStart } of blocks) {
    containers.push(container);
    const outer = nodes[container];
    let node: ParentNode | null | undefined = texts[textStart]?.parent;
    for (let level = 0; level < INLINE_LEVELS; level++) {
      if (node === null || node === undefined || node === outer || !isTag(node)) break;
      reader.read(node, inline);
      node = node.parent;
    }
    inlineStart.push(inline.length);
  }
  return {
    hashes: reader.hashes.all(),
    listStart: reader.listStart,
    own,
    ownStart,
    inline,
    inlineStart,
    parent,
    container: containers,
  };
}
