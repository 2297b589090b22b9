// The page model: the visible page as a tree with facts. Rules, extractors and language models
// refer to its nodes; values are copied from it, never written by a model.
import { readGrids, type Grid } from "./grids.ts";
import { NodeTree } from "./node-tree.ts";
import { readPairs, type Pair } from "./pairs.ts";
import { readRecordSets, type RecordSet } from "./records.ts";
import { readSections, type Section } from "./sections.ts";

/** Each part is computed on first access. */
export class PageModel extends NodeTree {
  #pairs: readonly Pair[] | undefined;
  #grids: readonly Grid[] | undefined;
  #records: readonly RecordSet[] | undefined;
  #sections: readonly Section[] | undefined;

  /** Labels with their values. */
  get pairs(): readonly Pair[] {
    this.#pairs ??= readPairs(this);
    return this.#pairs;
  }

  /** Tables with spans filled in and headers found. */
  get grids(): readonly Grid[] {
    this.#grids ??= readGrids(this);
    return this.#grids;
  }

  /** Groups of sibling parts with the same structure. */
  get recordSets(): readonly RecordSet[] {
    this.#records ??= readRecordSets(this, this.sections);
    return this.#records;
  }

  /** Headings with the content below them. */
  get sections(): readonly Section[] {
    this.#sections ??= readSections(this);
    return this.#sections;
  }
}
