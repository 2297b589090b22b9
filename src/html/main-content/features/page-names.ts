// Names of a page's elements as hashes for lookups in a learned table.
import { isTag, type ParentNode } from "domhandler";
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";

/** Names in lists. Elements with the same attributes share lists. */
export type PageNames = {
  /**
   * Hashes of the names of all lists, and the start of each list; one entry longer than the lists.
   */
  readonly hashes: Int32Array;
  readonly listStart: readonly number[];
  /**
   * Lists of each element's tag and attributes, and their start; one entry longer than the
   * elements.
   */
  readonly own: readonly number[];
  readonly ownStart: readonly number[];
  /**
   * Lists of the inline elements around each block's first text, and their start; one entry longer
   * than the blocks.
   */
  readonly inline: readonly number[];
  readonly inlineStart: readonly number[];
  /** For each element the recorded parent, or -1. */
  readonly parent: readonly number[];
  /** For each block its container, or -1. */
  readonly container: readonly number[];
};

/** Maximum inline elements around a block's first text. */
const MAX_INLINE_LEVELS = 6;

/** Collects the names of all recorded elements and of those around all blocks. */
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
    for (let level = 0; level < MAX_INLINE_LEVELS; level++) {
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
