// Drops what follows an article where reading modes end it: lists of other articles look like its
// text. The element that they choose is the top candidate with its siblings (the idea of
// Readability).
import { blockText, type Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import type { KindOfPage } from "./page-kind.ts";
import type { TopCandidate } from "./top-candidate.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber } from "../parse/tag-numbers.ts";

/** Pages of which the model is surer have nothing to drop. */
const MAX_CONFIDENCE = 0.95;
/** Minimum probability of an article; less in scripts that the model has hardly seen. */
const MIN_ARTICLE_PROBABILITY = 0.6;
const MIN_FOREIGN_ARTICLE_PROBABILITY = 0.7;
/** Minimum size of the article, and share of it that was kept. */
const MIN_SIZE = 150;
const MIN_KEPT = 0.8;
/** Everything that was kept is at least this many times as long. */
const MIN_RATIO = 1.5;
/** Minimum drop in probability after the article, and minimum share of the text that follows it. */
const MIN_DROP = 0.15;
const MIN_AFTER = 0.5;
/** Readability's rules for siblings: share of the top score; length and links of a paragraph. */
const MIN_SIBLING_SCORE_SHARE = 0.2;
const PARAGRAPH = { characters: 80, linkShare: 0.25 };
const P = tagNumber("p");
/** Maximum characters read to detect the script. */
const MAX_SAMPLE = 2_000;

export type ArticlePage = {
  readonly kind: KindOfPage;
  readonly declaresArticle: boolean;
  readonly confidence: number;
  readonly top: TopCandidate;
  readonly probabilities: Float64Array;
  readonly verdicts: Verdict[];
};

/** Drops kept blocks outside the article, except the main heading. */
export function dropAfterArticle(
  page: Segmentation,
  facts: ElementFacts,
  { kind, declaresArticle, confidence, top, probabilities, verdicts }: ArticlePage,
): void {
  const isArticle = kind.kind === "article" || declaresArticle;
  if (top.top < 0 || !isArticle || confidence >= MAX_CONFIDENCE) return;
  const isIn = markCandidateBlocks(page, facts, top);
  const [inside, outside] = [createSum(), createSum()];
  const last = isIn.lastIndexOf(1);
  let [own, after] = [0, 0];
  for (let index = 0; index < isIn.length; index++) {
    const { size } = page.blocks[index]!;
    if (isIn[index] === 1) own += size;
    if (!isKept(verdicts[index])) continue;
    const sum = isIn[index] === 1 ? inside : outside;
    sum.size += size;
    sum.wanted += size * probabilities[index]!;
    if (index > last) after += size;
  }
  if (own < MIN_SIZE || inside.size < own * MIN_KEPT || outside.size < own * (MIN_RATIO - 1))
    return;
  if (after < outside.size * MIN_AFTER) return;
  if (inside.wanted / inside.size - outside.wanted / outside.size < MIN_DROP) return;
  if (
    !declaresArticle &&
    kind.probability < MIN_ARTICLE_PROBABILITY &&
    (confidence >= MIN_FOREIGN_ARTICLE_PROBABILITY || isLatin(page, isIn))
  )
    return;
  for (let index = 0; index < isIn.length; index++)
    if (isIn[index] === 0 && isKept(verdicts[index]) && !isTitle(page, facts, index))
      verdicts[index] = "foreign";
}

const createSum = (): { size: number; wanted: number } => ({ size: 0, wanted: 0 });

const isTitle = ({ blocks }: Segmentation, { level }: ElementFacts, index: number): boolean =>
  level[blocks[index]!.container] === 1;

/** Marks the blocks of the top candidate and of its siblings that belong to it. */
function markCandidateBlocks(
  page: Segmentation,
  facts: ElementFacts,
  top: TopCandidate,
): Uint8Array {
  const { blockStart, blockEnd, parent, end, tag } = page.elements;
  const isIn = new Uint8Array(page.blocks.length);
  isIn.fill(1, blockStart[top.top], blockEnd[top.top]);
  const up = parent[top.top]!;
  if (up < 0) return isIn;
  for (let element = up + 1; element < end[up]!; element = end[element]!) {
    const isAlike =
      facts.own[element] === facts.own[top.top] &&
      facts.classes[element] === facts.classes[top.top];
    const score = top.score[element]! + (isAlike ? top.topScore * MIN_SIBLING_SCORE_SHARE : 0);
    const isParagraph =
      tag[element] === P &&
      facts.characters[element]! > PARAGRAPH.characters &&
      facts.linkCharacters[element]! < facts.characters[element]! * PARAGRAPH.linkShare;
    if (isParagraph || score >= Math.max(1, top.topScore * MIN_SIBLING_SCORE_SHARE))
      isIn.fill(1, blockStart[element], blockEnd[element]);
  }
  return isIn;
}

/** True if most letters of the article are Latin. */
function isLatin(page: Segmentation, isIn: Uint8Array): boolean {
  let sample = "";
  for (let index = 0; index < isIn.length && sample.length < MAX_SAMPLE; index++)
    if (isIn[index] === 1) sample += blockText(page, page.blocks[index]!).slice(0, MAX_SAMPLE);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}
