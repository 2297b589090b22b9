// Finds the main content of a page. A known generator has put it in one place; any other page is cut into blocks, the model is asked
// about each, and what it does not choose is pruned.
import type { Document } from "domhandler";
import { findGenerator } from "../generators/find-generator.ts";
import { keepContent } from "../generators/keep-content.ts";
import type { BlockNote } from "../clean/overlay.ts";
import type { ProductFact } from "../evidence/product-data.ts";
import type { Removed } from "../clean/removal.ts";
import { addProductFacts } from "./add-product-facts.ts";
import { chooseBlocks, type Choice } from "./choose-blocks.ts";
import { DEFAULT_STRICTNESS } from "./choose-cut.ts";
import { dropForeign } from "./drop-foreign.ts";
import { dropTornCards } from "./drop-torn-cards.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept } from "./verdict.ts";
import { computeFeatures, FEATURE_NAMES } from "./features.ts";
import { joinGroups } from "./join-groups.ts";
import kindsFile from "./kinds.json" with { type: "json" };
import { createPredictor, type Predictor, type TreeModel } from "./model.ts";
import { readPageHints, type PageHints } from "../evidence/page-hints.ts";
import {
  createKindReader,
  kindFeatures,
  roleOf,
  type KindModel,
  type KindOfPage,
  type KindReader,
} from "./page-kind.ts";
import { viewPage } from "./page-view.ts";
import { unpackTables, type PackedTables, type WordTables } from "./word-table.ts";
import wordsFile from "./words.json" with { type: "json" };
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

/** What came of a page: by the generator that made it where that is known, else by the model. */
export type MainContent = ByGenerator | ByModel;

/** All that stands where the page's generator puts its content. */
export type ByGenerator = {
  readonly level: "generator";
  /** Its name (src/html/generators/). */
  readonly generator: string;
  /** What went, when asked for. */
  readonly removals: readonly Removed[];
};

export type ByModel = {
  /** What went, when asked for. */
  readonly removals: readonly Removed[];
  /** "model" when the model chose; "whole-page" when it had nothing to choose from or was sure of nothing. */
  readonly level: "model" | "whole-page";
  /** What kind of page it is taken for. */
  readonly kind: KindOfPage;
  /** How strictly it was cut: `strictness` as asked. */
  readonly strictness: number;
  /** Probability from which blocks were kept. */
  readonly cut: number;
  /** The F1 the model expects of its choice, 0 to 1. */
  readonly confidence: number;
  readonly keptWords: number;
  readonly words: number;
  /** What linked data says of a product that its page's text does not, now below the text. */
  readonly added: readonly ProductFact[];
  /** Where `known` was given and the model chose. */
  readonly site?: SiteText | undefined;
};

/** How main content was found, without what went: what --explain tells. */
export type MainContentSummary = Omit<ByGenerator, "removals"> | Omit<ByModel, "removals" | "site">;

/** A choice below this is no better than the page as a whole. */
const MIN_CONFIDENCE = 0.05;

/** A page is cut as its kind wants where the kind is at least this probable. */
const SURE_KIND = 0.5;

/** What was learned: words, the forest for blocks, and those that tell kinds of pages. */
export type Learned = {
  readonly tables: WordTables;
  readonly predict: Predictor;
  readonly kindOf: KindReader;
};

let shipped: Learned | undefined;

/**
 * Reduces the tree in place to its main content and tells what went. Deterministic; linear in the size of the page. Never takes all of
 * the text: a page about which the model knows nothing stays whole.
 */
export function findMainContent(root: Document, options: MainContentOptions): MainContent {
  shipped ??= {
    tables: unpackTables(wordsFile satisfies PackedTables),
    predict: createPredictor(modelFile satisfies TreeModel, FEATURE_NAMES),
    kindOf: createKindReader(kindsFile satisfies KindModel),
  };
  return findMainContentWith(shipped, root, options);
}

/** As `findMainContent`, with what is given as learned. */
export function findMainContentWith(
  learned: Learned,
  root: Document,
  options: MainContentOptions,
): MainContent {
  const hints = options.hints ?? readPageHints(root);
  const generated = findGenerator(root, hints.generator);
  if (generated !== undefined) {
    const { explain = false, onBlock } = options;
    const removals = keepContent(generated, { url: options.url, explain, onBlock });
    return { level: "generator", generator: generated.generator.name, removals };
  }
  return chooseByModel(learned, root, { ...options, hints });
}

function chooseByModel(
  { tables, predict, kindOf }: Learned,
  root: Document,
  options: MainContentOptions & { readonly hints: PageHints },
): ByModel {
  const { url, hints, strictness = DEFAULT_STRICTNESS } = options;
  const view = viewPage(root, { url, hints });
  const { segmentation, elements } = view;
  const words = Math.round(view.page.size);
  const kind = { ...kindOf(kindFeatures(view, url, hints)), role: roleOf(url, hints) };
  const sure = kind.probability < SURE_KIND ? undefined : kind.kind;
  const alone = predict(computeFeatures(view, tables));
  const choice = chooseBlocks(
    segmentation,
    elements,
    joinGroups(segmentation, elements, view.repetition.card, alone),
    strictness,
    sure,
    hints.title,
  );
  if (sure === "article")
    dropTornCards(segmentation, elements, view.repetition.card, choice.verdicts);
  if (sure !== "forum")
    dropForeign(
      segmentation,
      elements,
      { url, title: hints.title, isArticle: sure === undefined || sure === "article" },
      choice.verdicts,
    );
  const site =
    options.known && dropSiteBlocks(segmentation, elements, choice.verdicts, options.known);
  const keptWords = Math.round(sizeOfKept(segmentation.blocks, choice));
  const seen = { kind, strictness, cut: choice.cut, confidence: choice.expected, words };
  if (keptWords === 0 || choice.expected < MIN_CONFIDENCE) {
    removeUnshown(root);
    return { ...seen, level: "whole-page", keptWords: words, removals: [], added: [] };
  }
  if (options.onBlock !== undefined) noteBlocks(segmentation, choice, options.onBlock);
  const removals = pruneTree(root, segmentation, elements, choice, options.explain === true);
  const added = sure === "product" ? addProductFacts(root, segmentation, hints) : [];
  return { ...seen, level: "model", keptWords, site, removals, added };
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
  for (let index = 0; index < blocks.length; index++)
    if (isKept(choice.verdicts[index])) size += blocks[index]!.size;
  return size;
}
