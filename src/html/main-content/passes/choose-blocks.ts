// Turns the model's probabilities into a selection of blocks. The steps run in this order:
//
//  1. Join: blocks at one place of similar cards share their evidence, as do cells of a data table.
//  2. Cut: the threshold with the highest expected F-measure; lower on a page that stays unclear.
//  3. Repeats: second copies of page parts go.
//  4. Insets: tables, code, quotations and formulas inside kept text stay.
//  5. Threads: comments, and the author and the time of each post, stay.
//  6. Small parts: terms, labels, sources of quotations, heads of items, footnotes and lists stay with
//     the text that needs them.
//  7. Pointers: lines that lead from an article to others go.
//  8. Headings: they follow their text; the page's title stays.
//  9. Satellites: other articles, lists after the article, newsletter forms and other items go.
// 10. Region: the facts inside the region of the main item stay; so do its price, frames and new text.
//
// Steps 3 to 8 look at blocks and their neighbours, 9 and 10 at the whole page. Headings come after
// everything that they could stand above. `npm run eval:ablate` measures what each pass earns on
// pages that it was not tuned on. A pass that earns less than .0005 stays only for a reason that no
// set measures: structure and comments (4 to 6), what references leave out
// (docs/decisions/0028-titles-and-heads.md), and what needs a browser: frames, new text, appended
// articles. Thresholds: thresholds.ts.
import type { PageKind } from "../../../contract/page/page-kinds.ts";
import { cutPage, type CutChoice } from "./choose-cut.ts";
import { chooseHeadings } from "./choose-headings.ts";
import { dropAfterArticle } from "./drop-after-article.ts";
import { dropOtherArticles } from "./drop-other-articles.ts";
import { dropRelatedLinks } from "./drop-related-links.ts";
import { dropRepeated } from "./drop-repeated.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { fillGaps } from "./fill-gaps.ts";
import { joinGroups } from "./join-groups.ts";
import { findDataTables, joinTables } from "./join-tables.ts";
import { keepAppeared } from "./keep-appeared.ts";
import { keepComments } from "./keep-comments.ts";
import { keepFrames } from "./keep-frames.ts";
import { keepInsets, keepTerms } from "./keep-insets.ts";
import { keepLists } from "./keep-lists.ts";
import { keepItemHeads } from "./keep-item-heads.ts";
import { keepLabels, keepNotes, keepSources } from "./keep-parts.ts";
import { keepPostAuthors } from "./keep-post-authors.ts";
import { keepPrice } from "./keep-price.ts";
import { dropTwinHeadings, keepTitle, keepWholeHeadings } from "./keep-title.ts";
import { MIN_KIND_PROBABILITY } from "../../../contract/page/page-kinds.ts";
import type { KindOfPage } from "../model/page-kind.ts";
import type { PageHints } from "../../evidence/page-hints.ts";
import type { PageView } from "../features/page-view.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import { dropParts, findPageParts, settleRegion, type TitledParts } from "./settle-region.ts";
import type { Verdict } from "./verdict.ts";
import { MIN_SURE_CONFIDENCE, UNSURE_STRICTNESS_FACTOR, DEFAULT_STRICTNESS } from "./thresholds.ts";

/** Facts about the page other than its blocks. */
export type KnownPage = {
  readonly url: string;
  /** Title of the document. */
  readonly title: string;
  readonly kind: KindOfPage;
  /** The page declares itself an article, both in linked data and to networks. */
  readonly declaresArticle?: boolean;
  /** Linked data describes one product. */
  readonly declaresProduct?: boolean;
  /** Beginnings of texts that the caller's actions put on the page. */
  readonly appeared?: readonly string[] | undefined;
  readonly strictness?: number;
};

export type Choice = CutChoice & {
  readonly verdicts: Verdict[];
  /** Probabilities after step 1. */
  readonly probabilities: Float64Array;
};

/** State of the selection, which the passes change in `verdicts`. */
export type Selection = Choice & {
  readonly page: Segmentation;
  readonly facts: ElementFacts;
  readonly view: ChosenView;
  readonly known: KnownPage;
  /** The kind of page, if it is sure. */
  readonly sure: PageKind | undefined;
  readonly tables: readonly number[];
  readonly isCell: Uint8Array;
  /** Parts of the page by their purpose, and its title; computed once. */
  readonly parts: () => TitledParts;
};

type ChosenView = Pick<PageView, "segmentation" | "elements" | "repetition" | "top">;

/** A change of verdicts that can be left out, see `bench/eval/ablate.ts`. */
export type Pass = {
  readonly step: number;
  readonly name: string;
  readonly run: (selection: Selection) => void;
};

const definePass = (step: number, name: string, run: Pass["run"]): Pass => ({ step, name, run });

/** Steps 3 to 10. */
export const PASSES: readonly Pass[] = [
  definePass(3, "drop-repeated", ({ page, isCell, verdicts }) => {
    dropRepeated(page, isCell, verdicts);
  }),
  definePass(4, "fill-gaps", ({ page, tables, probabilities, innerCut, verdicts }) => {
    fillGaps(page, tables, probabilities, innerCut, verdicts);
  }),
  definePass(4, "keep-insets", (own) => {
    keepInsets(own.page, own.facts, own.tables, own);
  }),
  definePass(5, "keep-comments", ({ page, facts, sure, probabilities, innerCut, verdicts }) => {
    if (sure === "forum") keepComments(page, facts, probabilities, innerCut, verdicts);
  }),
  definePass(5, "keep-post-authors", ({ page, facts, sure, verdicts }) => {
    if (sure === "forum") keepPostAuthors(page, facts, verdicts);
  }),
  definePass(6, "keep-terms", ({ page, verdicts }) => {
    keepTerms(page, verdicts);
  }),
  definePass(6, "keep-labels", ({ page, verdicts }) => {
    keepLabels(page, verdicts);
  }),
  definePass(6, "keep-sources", ({ page, verdicts }) => {
    keepSources(page, verdicts);
  }),
  definePass(6, "keep-item-heads", ({ page, view, parts, cut, probabilities, verdicts }) => {
    const { card } = view.repetition;
    keepItemHeads(page, { card, parts: parts(), cut, probabilities, verdicts });
  }),
  definePass(6, "keep-notes", ({ page, facts, verdicts }) => {
    keepNotes(page, facts, verdicts);
  }),
  definePass(6, "keep-lists", ({ page, facts, parts, cut, probabilities, verdicts }) => {
    keepLists(page, facts, { parts: parts(), cut, probabilities, verdicts });
  }),
  definePass(7, "drop-related-links", ({ page, verdicts }) => {
    dropRelatedLinks(page, verdicts);
  }),
  definePass(8, "choose-headings", (own) => {
    chooseHeadings(own.page, own.facts, own);
  }),
  definePass(8, "keep-title", ({ page, facts, sure, known, verdicts }) => {
    keepTitle(page, facts, { title: known.title, isArticle: sure === "article" }, verdicts);
  }),
  definePass(8, "settle-headings", ({ page, facts, verdicts }) => {
    keepWholeHeadings(page, facts, verdicts);
    dropTwinHeadings(page, facts, verdicts);
  }),
  definePass(9, "drop-other-articles", ({ page, facts, sure, known: { url, title }, verdicts }) => {
    if (sure === "forum") return;
    const isArticle = sure === undefined || sure === "article";
    dropOtherArticles(page, facts, { url, title, isArticle }, verdicts);
  }),
  definePass(9, "drop-after-article", ({ page, facts, view: { top }, known, ...own }) => {
    const { kind, declaresArticle = false } = known;
    const confidence = own.expected;
    dropAfterArticle(page, facts, { ...own, kind, declaresArticle, top, confidence });
  }),
  definePass(9, "drop-parts", ({ page, parts, sure, probabilities, verdicts }) => {
    dropParts(page, parts(), sure, probabilities, verdicts);
  }),
  definePass(10, "settle-region", ({ page, facts, parts, sure, probabilities, verdicts }) => {
    settleRegion(page, facts, { parts: parts(), kind: sure, probabilities, verdicts });
  }),
  definePass(10, "keep-price", ({ page, facts, parts, sure, known, verdicts }) => {
    if (sure === "product" || known.declaresProduct === true)
      keepPrice(page, facts, parts(), verdicts);
  }),
  definePass(10, "keep-frames", ({ page, parts, verdicts }) => {
    keepFrames(page, parts(), verdicts);
  }),
  definePass(10, "keep-appeared", ({ page, parts, known: { appeared }, verdicts }) => {
    if (appeared !== undefined) keepAppeared(page, parts(), appeared, verdicts);
  }),
];

/** The joins of step 1, which bench/eval/ablate.ts can leave out. */
export const JOINS = ["join-groups", "join-tables"] as const;
export type Join = (typeof JOINS)[number];

/** Returns the kind of page if it is sure enough to apply its rules. */
export const toSureKind = ({ kind, probability }: KindOfPage): PageKind | undefined =>
  probability < MIN_KIND_PROBABILITY ? undefined : kind;

const ARTICLE_TYPE = /^(?:News|Blog|Tech|Opinion|Analysis|Reportage)?(?:Article|Posting)$/;

/** True if linked data and the Open Graph type both declare an article. */
export const isDeclaredArticle = ({ openGraphType, dataTypes }: PageHints): boolean =>
  openGraphType === "article" && [...dataTypes].some((type) => ARTICLE_TYPE.test(type));

/**
 * Chooses the blocks to keep from the model's probabilities. The passes run in the given order.
 */
export function chooseBlocks(
  view: ChosenView,
  asked: Float64Array,
  known: KnownPage,
  { passes = PASSES, joins = JOINS }: { passes?: readonly Pass[]; joins?: readonly Join[] } = {},
): Choice {
  const { segmentation: page, elements: facts } = view;
  const tables = findDataTables(page, facts);
  let probabilities = asked;
  if (joins.includes("join-groups"))
    probabilities = joinGroups(page, facts, view.repetition.card, probabilities);
  if (joins.includes("join-tables")) probabilities = joinTables(page, tables, probabilities);
  const sizes = Float64Array.from(page.blocks, ({ size }) => size);
  const strictness = known.strictness ?? DEFAULT_STRICTNESS;
  const first = cutPage(probabilities, sizes, strictness);
  const cut =
    first.expected < MIN_SURE_CONFIDENCE
      ? {
          ...cutPage(probabilities, sizes, strictness * UNSURE_STRICTNESS_FACTOR),
          expected: first.expected,
        }
      : first;
  const isCell = new Uint8Array(page.blocks.length);
  for (const table of tables)
    isCell.fill(1, page.elements.blockStart[table], page.elements.blockEnd[table]);
  const verdicts: Verdict[] = [];
  for (let index = 0; index < page.blocks.length; index++)
    verdicts.push(
      probabilities[index]! >= (isCell[index] === 1 ? cut.innerCut : cut.cut) ? "kept" : "dropped",
    );
  let parts: TitledParts | undefined;
  const selection: Selection = {
    ...cut,
    verdicts,
    probabilities,
    page,
    facts,
    view,
    known,
    sure: toSureKind(known.kind),
    tables,
    isCell,
    parts: () => (parts ??= findPageParts(page, facts, known.title)),
  };
  for (const { run } of passes) run(selection);
  return { ...cut, verdicts, probabilities };
}
