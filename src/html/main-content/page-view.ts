// One look at a page: its blocks and everything the features of a block are read from.
import type { Document } from "domhandler";
import { knownText } from "./block-text.ts";
import { segment, type Block, type Segmentation } from "./blocks.ts";
import { gatherElementFacts, type ElementFacts } from "./element-facts.ts";
import { gatherPageFacts, type PageFacts } from "./page-facts.ts";
import { readPageHints, type PageHints } from "./page-hints.ts";
import { findRepetition, type Repetition } from "./repetition.ts";
import { findTopCandidate, type TopCandidate } from "./top-candidate.ts";

export type PageView = {
  readonly segmentation: Segmentation;
  readonly elements: ElementFacts;
  readonly page: PageFacts;
  readonly repetition: Repetition;
  readonly top: TopCandidate;
};
/** A named number that the model may ask for about a block. */
export type Feature = readonly [
  name: string,
  of: (view: PageView, index: number, block: Block, element: number) => number,
];

/** Looks at a page once; the features of its blocks are read off this view. */
export function viewPage(
  root: Document,
  options: { readonly url: string; readonly hints?: PageHints },
): PageView {
  const hints = options.hints ?? readPageHints(root);
  const segmentation = segment(root, knownText(hints.title, hints.description, hints.body));
  const elements = gatherElementFacts(segmentation);
  const page = gatherPageFacts(segmentation, elements, options.url, hints);
  return {
    segmentation,
    elements,
    page,
    repetition: findRepetition(segmentation, elements),
    top: findTopCandidate(segmentation, elements),
  };
}

/** Logarithm that is 0 for 0. */
export const log = (value: number): number => Math.log1p(Math.max(value, 0));

/** The block at an index, if there is one. */
export const blockAt = (view: PageView, index: number): Block | undefined =>
  view.segmentation.blocks[index];
