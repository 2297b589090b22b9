// A part removed from a page, as reported by `--explain`. Every step that removes nodes uses this
// shape.

import type { Element } from "domhandler";

/** A removal with its element, for callers that still have the tree. */
export type RemovedElement = Removal & { readonly element?: Element };

/** A removed element: the step and rule that removed it, its path and its word count. */
export type Removal = {
  /** The step, such as "exclude-tags", "concealed" or "main-content". */
  readonly step: string;
  /** The rule within the step: a selector, an attribute or a feature name. */
  readonly rule: string;
  /** Path of the element, such as `body > div#page > aside.menu`. */
  readonly path: string;
  readonly words: number;
  /** The first characters of its text. */
  readonly sample: string;
  /** Confidence of the step, if it scores. */
  readonly score?: number;
};
