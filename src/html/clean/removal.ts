// One thing that was taken out of a page, told to `--explain`. Every step that removes nodes reports in this shape.

import type { Element } from "domhandler";

/** A removal with what was removed, where that is one element: for whoever still has the tree. */
export type Removed = Removal & { readonly element?: Element };

/** A removed element: which step took it out, by which rule, where it stood and how many words went with it. */
export type Removal = {
  /** The step, such as "exclude-tags", "concealed" or "main-content". */
  readonly step: string;
  /** The rule within the step: a selector, an attribute, the name of a feature. */
  readonly rule: string;
  /** Where the element stood, as in `body > div#page > aside.menu`. */
  readonly path: string;
  readonly words: number;
  /** The first characters of its text. */
  readonly sample: string;
  /** How sure the step was, when it scores. */
  readonly score?: number;
};
