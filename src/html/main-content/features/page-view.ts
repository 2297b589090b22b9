// View of a page: its blocks and everything that features are computed from.
import type { Document } from "domhandler";
import { buildKnownText } from "../blocks/block-text.ts";
import { segmentPage, type Segmentation } from "../blocks/blocks.ts";
import { gatherElementFacts, type ElementFacts } from "../blocks/element-facts.ts";
import type { PageTokens } from "./evidence.ts";
import { gatherPageFacts, type PageFacts } from "./page-facts.ts";
import { gatherNames } from "./page-names.ts";
import { gatherWords } from "./page-words.ts";
import { readPageHints, type PageHints } from "../../evidence/page-hints.ts";
import { findRepetition, type Repetition } from "./repetition.ts";
import { findTopCandidate, type TopCandidate } from "./top-candidate.ts";

export type PageView = {
  readonly segmentation: Segmentation;
  readonly elements: ElementFacts;
  readonly page: PageFacts;
  readonly repetition: Repetition;
  readonly top: TopCandidate;
  /** Signs that are looked up in the learned tables. */
  readonly signs: PageTokens;
};
/** Features computed from the same facts. */
export type Family = {
  readonly names: readonly string[];
  /** Writes the numbers of every block into its row from column `first`. Rows are `width` wide. */
  readonly write: (view: PageView, rows: Float32Array, width: number, first: number) => void;
};

/** Analyzes a page once. The features of its blocks are computed from this view. */
export function analyzePage(
  root: Document,
  options: { readonly url: string; readonly hints?: PageHints },
): PageView {
  const hints = options.hints ?? readPageHints(root);
  const segmentation = segmentPage(root, buildKnownText(hints.title, hints.description));
  const elements = gatherElementFacts(segmentation);
  const page = gatherPageFacts(segmentation, elements, options.url, hints);
  return {
    segmentation,
    elements,
    page,
    repetition: findRepetition(segmentation, elements),
    top: findTopCandidate(segmentation, elements),
    signs: {
      names: gatherNames(segmentation, elements),
      words: gatherWords(segmentation, elements),
    },
  };
}
