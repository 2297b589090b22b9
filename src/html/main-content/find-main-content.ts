// Finds the main content of a page. Known generators put it in a fixed place. Any other page is
// split into blocks, the model rates each, and blocks that are not chosen are pruned.
import type { Document } from "domhandler";
import { findMakers } from "../generators/find-generator.ts";
import { keepContent } from "../generators/keep-content.ts";
import type { PageKind } from "../../contract/page/page-kinds.ts";
import { readThread } from "../threads/find-thread.ts";
import { writePostDates } from "../threads/write-post-dates.ts";
import { keepThread } from "../threads/keep-thread.ts";
import type { BlockNote } from "../clean/overlay.ts";
import type { ProductFact } from "../evidence/product-data.ts";
import type { RemovedElement } from "../clean/removal.ts";
import { addProductFacts } from "./add-product-facts.ts";
import {
  chooseBlocks,
  isDeclaredArticle,
  toSureKind,
  type Choice,
} from "./passes/choose-blocks.ts";
import { DEFAULT_STRICTNESS } from "./passes/thresholds.ts";
import type { Segmentation } from "./blocks/blocks.ts";
import { isKept } from "./passes/verdict.ts";
import { computeFeatures, FEATURE_NAMES } from "./features/features.ts";
import kindsFile from "./model/kinds.json" with { type: "json" };
import { createPredictor, type Predictor, type TreeModel } from "./model/model.ts";
import { readPageHints, type PageHints } from "../evidence/page-hints.ts";
import {
  correctKind,
  createKindReader,
  computeKindFeatures,
  classifyRole,
  type KindModel,
  type KindOfPage,
  type KindReader,
} from "./model/page-kind.ts";
import { analyzePage } from "./features/page-view.ts";
import { unpackTables, type PackedTables, type WordTables } from "./features/word-table.ts";
import wordsFile from "./features/words.json" with { type: "json" };
import modelFile from "./model/model.json" with { type: "json" };
import { pruneTree, removeUnshown, describeRule } from "./prune.ts";
import { dropSiteBlocks, type KnownBlocks, type SiteText } from "./passes/site-blocks.ts";

export type MainContentOptions = {
  /** Address of the page. The last part of its path hints at the kind of page. */
  readonly url: string;
  /** Hints from the head, if it is no longer in the tree. */
  readonly hints?: PageHints;
  /** Reports what was removed. */
  readonly explain?: boolean;
  /** Called with every block, in order, after the model has chosen. */
  readonly onBlock?: ((note: BlockNote) => void) | undefined;
  /** 1 weighs lost and extra text equally; higher values keep less, lower values keep more. */
  readonly strictness?: number;
  /**
   * In a crawl: blocks to drop because most pages of the site repeat them. If set, the page's own
   * blocks are returned too.
   */
  readonly known?: KnownBlocks | undefined;
  /** Texts that the caller's actions put on the page, see `CaptureEvidence`. */
  readonly appeared?: readonly string[] | undefined;
};

/** The main content: found by the page's generator if it is known, else by the model. */
export type MainContent = ByGenerator | ByModel;

/** The content at the place where the page's generator puts it. */
export type ByGenerator = {
  readonly level: "generator";
  /** Name of the generator (src/html/generators/). */
  readonly generator: string;
  readonly kind: PageKind;
  /** Expected F1 of the selection, 0 to 1: the mean of such pages. */
  readonly confidence: number;
  /** The removed parts, if requested. */
  readonly removals: readonly RemovedElement[];
};

export type ByModel = {
  /** The removed parts, if requested. */
  readonly removals: readonly RemovedElement[];
  /**
   * "model" if the model chose; "whole-page" if there was nothing to choose from or no confidence.
   */
  readonly level: "model" | "whole-page";
  /** The detected kind of page. */
  readonly kind: KindOfPage;
  /** The requested `strictness`. */
  readonly strictness: number;
  /** Minimum probability of kept blocks. */
  readonly cut: number;
  /** Expected F1 of the selection, 0 to 1. */
  readonly confidence: number;
  readonly keptWords: number;
  readonly words: number;
  /** Product facts from linked data that were missing in the text and are now appended to it. */
  readonly added: readonly ProductFact[];
  /** Set if `known` was given and the model chose. */
  readonly site?: SiteText | undefined;
};

/** Summary of the detection without the removed parts; shown by --explain. */
export type MainContentSummary = Omit<ByGenerator, "removals"> | Omit<ByModel, "removals" | "site">;

/** Mean F1 of pages of known generators, and of threads of known forum software. */
const GENERATOR_CONFIDENCE = 0.95;
const THREAD_CONFIDENCE = 0.88;

/** A selection with lower confidence is not better than the whole page. */
const MIN_CONFIDENCE = 0.05;

/** The trained data: words, the forest for blocks, and the forests for page kinds. */
export type TrainedModels = {
  readonly tables: WordTables;
  readonly predict: Predictor;
  readonly kindOf: KindReader;
};

let shipped: TrainedModels | undefined;

/**
 * Reduces the tree in place to its main content and returns what was removed. Deterministic; linear
 * in the size of the page. Never removes all text: a page that the model cannot rate stays whole.
 */
export function findMainContent(root: Document, options: MainContentOptions): MainContent {
  shipped ??= {
    tables: unpackTables(wordsFile satisfies PackedTables),
    predict: createPredictor(modelFile satisfies TreeModel, FEATURE_NAMES),
    kindOf: createKindReader(kindsFile satisfies KindModel),
  };
  return findMainContentWith(shipped, root, options);
}

/** Same as `findMainContent`, with the given trained data. */
export function findMainContentWith(
  learned: TrainedModels,
  root: Document,
  options: MainContentOptions,
): MainContent {
  const hints = options.hints ?? readPageHints(root);
  const { generated, forums } = findMakers(root, hints.generator);
  const { explain = false, onBlock } = options;
  if (generated !== undefined) {
    const removals = keepContent(generated, { url: options.url, explain, onBlock });
    return {
      level: "generator",
      generator: generated.generator.name,
      kind: "documentation",
      confidence: GENERATOR_CONFIDENCE,
      removals,
    };
  }
  for (const software of forums) {
    const thread = readThread(root, software);
    if (thread === undefined) continue;
    const removals = keepThread(root, thread, { explain, onBlock });
    return {
      level: "generator",
      generator: software.name,
      kind: "forum",
      confidence: THREAD_CONFIDENCE,
      removals,
    };
  }
  return chooseByModel(learned, root, { ...options, hints });
}

function chooseByModel(
  { tables, predict, kindOf }: TrainedModels,
  root: Document,
  options: MainContentOptions & { readonly hints: PageHints },
): ByModel {
  const { url, hints, strictness = DEFAULT_STRICTNESS, appeared } = options;
  const view = analyzePage(root, { url, hints });
  const { segmentation, elements } = view;
  const words = Math.round(view.page.size);
  const kind = {
    ...correctKind(kindOf(computeKindFeatures(view, url, hints)), hints),
    role: classifyRole(url, hints),
  };
  const choice = chooseBlocks(view, predict(computeFeatures(view, tables)), {
    url,
    title: hints.title,
    kind,
    declaresArticle: isDeclaredArticle(hints),
    declaresProduct: hints.products.length === 1,
    strictness,
    appeared,
  });
  const site =
    options.known && dropSiteBlocks(segmentation, elements, choice.verdicts, options.known);
  const keptWords = Math.round(sumKeptSize(segmentation.blocks, choice));
  const seen = { kind, strictness, cut: choice.cut, confidence: choice.expected, words };
  if (keptWords === 0 || choice.expected < MIN_CONFIDENCE) {
    removeUnshown(root);
    return { ...seen, level: "whole-page", keptWords: words, removals: [], added: [] };
  }
  if (options.onBlock !== undefined) noteBlocks(segmentation, choice, options.onBlock);
  const removals = pruneTree(root, segmentation, elements, choice, options.explain === true);
  if (toSureKind(kind) === "forum") writePostDates(root);
  const added = toSureKind(kind) === "product" ? addProductFacts(root, segmentation, hints) : [];
  return { ...seen, level: "model", keptWords, site, removals, added };
}

function noteBlocks(page: Segmentation, choice: Choice, note: (note: BlockNote) => void): void {
  page.blocks.forEach(({ textStart, textEnd }, index) => {
    note({
      texts: page.texts.slice(textStart, textEnd),
      isKept: isKept(choice.verdicts[index]),
      rule: describeRule(choice.verdicts[index], choice.cut),
      score: choice.probabilities[index] ?? 0,
    });
  });
}

function sumKeptSize(blocks: readonly { readonly size: number }[], choice: Choice): number {
  let size = 0;
  for (let index = 0; index < blocks.length; index++)
    if (isKept(choice.verdicts[index])) size += blocks[index]!.size;
  return size;
}
