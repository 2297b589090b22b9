// Drops what follows an article where reading modes end it: lists of other articles look like its
// text. The element that they choose is the top candidate with its siblings (the idea of
// Readability).
import { blockText, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import type { KindOfPage } from "../model/page-kind.ts";
import type { TopCandidate } from "../features/top-candidate.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber } from "../../parse/tag-numbers.ts";
import {
  MAX_ARTICLE_CONFIDENCE,
  MAX_SCRIPT_SAMPLE,
  MIN_AFTER_SHARE,
  MIN_ARTICLE_KEPT,
  MIN_ARTICLE_PROBABILITY,
  MIN_PROBABILITY_DROP,
  MIN_FOREIGN_ARTICLE_PROBABILITY,
  MIN_ARTICLE_RATIO,
  MIN_SIBLING_SCORE_SHARE,
  MIN_ARTICLE_SIZE,
  MIN_SIBLING_PARAGRAPH,
} from "./thresholds.ts";

const PARAGRAPH_TAG = tagNumber("p");

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
  if (top.top < 0 || !isArticle || confidence >= MAX_ARTICLE_CONFIDENCE) return;
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
  if (
    own < MIN_ARTICLE_SIZE ||
    inside.size < own * MIN_ARTICLE_KEPT ||
    outside.size < own * (MIN_ARTICLE_RATIO - 1)
  )
    return;
  if (after < outside.size * MIN_AFTER_SHARE) return;
  if (inside.wanted / inside.size - outside.wanted / outside.size < MIN_PROBABILITY_DROP) return;
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
      tag[element] === PARAGRAPH_TAG &&
      facts.characters[element]! > MIN_SIBLING_PARAGRAPH.characters &&
      facts.linkCharacters[element]! < facts.characters[element]! * MIN_SIBLING_PARAGRAPH.linkShare;
    if (isParagraph || score >= Math.max(1, top.topScore * MIN_SIBLING_SCORE_SHARE))
      isIn.fill(1, blockStart[element], blockEnd[element]);
  }
  return isIn;
}

/** True if most letters of the article are Latin. */
function isLatin(page: Segmentation, isIn: Uint8Array): boolean {
  let sample = "";
  for (let index = 0; index < isIn.length && sample.length < MAX_SCRIPT_SAMPLE; index++)
    if (isIn[index] === 1)
      sample += blockText(page, page.blocks[index]!).slice(0, MAX_SCRIPT_SAMPLE);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin * 2 >= letters;
}
