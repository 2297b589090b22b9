// Keeps the price of the product that a page is about. It is a short line among buttons and
// ratings, and reference texts often leave it out, so the model doubts it.
import { tagNumber } from "../../parse/tag-numbers.ts";
import { blockText, type Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { PART } from "./page-parts.ts";
import type { TitledParts } from "./settle-region.ts";
import { MAX_PRICE_DISTANCE, MAX_PRICE_WORDS, MIN_PRICE_SHARE } from "./thresholds.ts";
import { isKept, type Verdict } from "./verdict.ts";

const BUTTON = tagNumber("button");
const CODE =
  "\\p{Sc}|CHF|EUR|USD|GBP|CAD|AUD|PLN|SEK|NOK|DKK|CZK|HUF|RON|INR|kr|zł|Kč|Ft|lei|руб|円|元";
const AMOUNT = new RegExp(`(?:${CODE})\\s?\\d[\\d.,'’]*|\\d[\\d.,'’]*\\s?(?:${CODE})`, "gu");

/**
 * Keeps the first lines below the title that are mostly an amount of money, unless a kept line
 * there states one.
 */
export function keepPrice(
  page: Segmentation,
  facts: ElementFacts,
  { blocks: parts, title }: TitledParts,
  verdicts: Verdict[],
): void {
  const { blocks, elements } = page;
  if (title < 0 || !isKept(verdicts[title])) return;
  let words = 0;
  let first = -1;
  for (let index = title + 1; index <= title + MAX_PRICE_DISTANCE.blocks; index++) {
    const block = blocks[index];
    if (block === undefined || words > MAX_PRICE_DISTANCE.words) break;
    words += block.size;
    const { container } = block;
    // Other headings start other items. A slogan above the product's name may be its title too.
    if (facts.level[container]! > 1) break;
    const isLine =
      block.size <= MAX_PRICE_WORDS &&
      parts[index] === PART.none &&
      elements.tag[container] !== BUTTON &&
      isAmount(blockText(page, block));
    if (isLine && isKept(verdicts[index])) return;
    if (isLine && first < 0) first = index;
  }
  if (first < 0) return;
  // A reduced price has two lines.
  for (let index = first; index <= first + 1; index++)
    if (verdicts[index] === "dropped" && isAmount(blockText(page, blocks[index]!)))
      verdicts[index] = "kept";
}

/** True if amounts of money are much of a text. */
function isAmount(text: string): boolean {
  const stated = text.match(AMOUNT)?.join("").length ?? 0;
  return stated > 0 && stated >= MIN_PRICE_SHARE * text.replaceAll(/\s/g, "").length;
}
