// Finds the main content of a page: cut into blocks, ask the model about each, choose, prune.
import type { Document } from "domhandler";
import type { BlockNote } from "../overlay.ts";
import type { Removed } from "../removal.ts";
import { chooseBlocks, type Choice } from "./choose-blocks.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept } from "./verdict.ts";
import { computeFeatures, FEATURE_NAMES } from "./features.ts";
import { createPredictor, type Predictor, type TreeModel } from "./model.ts";
import type { PageHints } from "../page-hints.ts";
import { viewPage } from "./page-view.ts";
import modelFile from "./model.json" with { type: "json" };
import { pruneTree, removeUnshown, ruleOf } from "./prune.ts";
import { dropSiteBlocks, type KnownBlocks, type SiteText } from "./site-blocks.ts";

export type MainContentOptions = {
  /** Address of the page; the last part of its path says something about the kind of page. */
  readonly url: string;
  /** What the page's head says, when it is gone from the tree. */
  readonly hints?: PageHints;
  /** Whether to tell what went. */
  readonly explain?: boolean;
  /** Told of every block, in order, when the model has chosen. */
  readonly onBlock?: ((note: BlockNote) => void) | undefined;
  /** 1 weighs loss and surplus alike; above 1 keeps less, below 1 keeps more. */
  readonly strictness?: number;
  /** In a crawl: what most pages of the site repeat so far, to be dropped. Then the page's own blocks are told. */
  readonly known?: KnownBlocks | undefined;
};

export type MainContent = {
  /** What went, when asked for. */
  readonly removals: readonly Removed[];
  /** "model" when the model chose; "whole-page" when it had nothing to choose from or was sure of nothing. */
  readonly level: "model" | "whole-page";
  /** Probability from which blocks were kept. */
  readonly cut: number;
  /** The F1 the model expects of its choice, 0 to 1. */
  readonly confidence: number;
  readonly keptWords: number;
  readonly words: number;
  /** Where `known` was given and the model chose. */
  readonly site?: SiteText | undefined;
};

export const DEFAULT_STRICTNESS = 0.75;
/** A choice below this is no better than the page as a whole. */
const LEAST_CONFIDENCE = 0.05;

let shipped: Predictor | undefined;

/**
 * Reduces the tree in place to its main content and tells what went. Deterministic; linear in the size of the page. Never takes all of
 * the text: a page about which the model knows nothing stays whole.
 */
export function findMainContent(root: Document, options: MainContentOptions): MainContent {
  shipped ??= createPredictor(modelFile satisfies TreeModel, FEATURE_NAMES);
  return findMainContentWith(shipped, root, options);
}

/** As `findMainContent`, with a given model. */
export function findMainContentWith(
  predict: Predictor,
  root: Document,
  options: MainContentOptions,
): MainContent {
  const view = viewPage(root, options);
  const { segmentation, elements } = view;
  const words = Math.round(view.page.size);
  const choice = chooseBlocks(
    segmentation,
    elements,
    predict(computeFeatures(view)),
    options.strictness ?? DEFAULT_STRICTNESS,
  );
  const site =
    options.known && dropSiteBlocks(segmentation, elements, choice.verdicts, options.known);
  const keptWords = Math.round(sizeOfKept(segmentation.blocks, choice));
  const seen = { cut: choice.cut, confidence: choice.expected, words };
  if (keptWords === 0 || choice.expected < LEAST_CONFIDENCE) {
    removeUnshown(root);
    return { ...seen, level: "whole-page", keptWords: words, removals: [] };
  }
  if (options.onBlock !== undefined) noteBlocks(segmentation, choice, options.onBlock);
  return {
    ...seen,
    level: "model",
    keptWords,
    site,
    removals: pruneTree(root, segmentation, elements, choice, options.explain === true),
  };
}

function noteBlocks(page: Segmentation, choice: Choice, note: (note: BlockNote) => void): void {
  page.blocks.forEach(({ textStart, textEnd }, index) => {
    note({
      texts: page.texts.slice(textStart, textEnd),
      isKept: isKept(choice.verdicts[index]),
      rule: ruleOf(choice.verdicts[index], choice.cut),
      score: choice.probabilities[index] ?? 0,
    });
  });
}

function sizeOfKept(blocks: readonly { readonly size: number }[], choice: Choice): number {
  let size = 0;
  blocks.forEach((block, index) => {
    if (isKept(choice.verdicts[index])) size += block.size;
  });
  return size;
}
