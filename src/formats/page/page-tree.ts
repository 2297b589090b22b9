// The tree of a page for formats in any order: some read the page as it was parsed, others its
// content, which is cut out of the tree.
import type { Document } from "domhandler";
import { copyTree } from "../../html/parse/copy-tree.ts";

export class PageTree {
  readonly #parse: () => Document;
  #tree: Document | undefined;
  #isShared = false;

  constructor(parse: () => Document) {
    this.#parse = parse;
  }

  /** Returns the tree for reading at once: the next `take` may change it. */
  peek(): Document {
    this.#tree ??= this.#parse();
    return this.#tree;
  }

  /** Returns the tree for reading. It never changes. */
  share(): Document {
    this.#isShared = true;
    return this.peek();
  }

  /**
   * Returns a tree that the caller may change. Copies a shared tree. An unshared tree is handed
   * over, which avoids the copy for most requests; later callers parse the page again.
   */
  take(): Document {
    const tree = this.peek();
    if (this.#isShared) return copyTree(tree);
    this.#tree = undefined;
    return tree;
  }
}
