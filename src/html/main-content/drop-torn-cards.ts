// Teasers of other pages below a text: cards of one make, of which the headline is dropped and the lines under it are kept, since
// they read like the text. Nobody wants a teaser without its headline.
import type { ElementFacts } from "./element-facts.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** The share of characters in links that makes a line a headline, and its fewest words. */
const NOTHING_ELSE = 0.85;
const MIN_WORDS = 4;
/** Fewer torn cards than this, or a smaller share of those of which anything is kept, are no row of teasers. */
const MIN_TORN = 3;
const MOST = 0.6;

type Row = { torn: number; whole: number; size: number };

/** Drops what is left of torn cards where most of the page's kept text stands elsewhere. */
export function dropTornCards(
  page: Segmentation,
  facts: ElementFacts,
  card: Int32Array,
  verdicts: Verdict[],
): void {
  const cards = new Map<number, { row: Row; isTorn: boolean; blocks: number[] }>();
  const rows = new Map<number, Row>();
  let kept = 0;
  for (let index = 0; index < page.blocks.length; index++) {
    const block = page.blocks[index]!;
    const { container, size, words } = block;
    const around = container < 0 ? -1 : card[container]!;
    if (isKept(verdicts[index])) kept += size;
    if (around < 0) continue;
    let found = cards.get(around);
    if (found === undefined) {
      const key = Math.imul(page.elements.parent[around]! + 2, 0x9e3779b1) ^ facts.own[around]!;
      let row = rows.get(key);
      if (row === undefined) {
        row = { torn: 0, whole: 0, size: 0 };
        rows.set(key, row);
      }
      found = { row, isTorn: false, blocks: [] };
      cards.set(around, found);
    }
    if (isKept(verdicts[index])) found.blocks.push(index);
    else if (
      found.blocks.length === 0 &&
      verdicts[index] === "dropped" &&
      words >= MIN_WORDS &&
      block.linkCharacters >= NOTHING_ELSE * block.characters
    )
      found.isTorn = true;
  }
  for (const { row, isTorn, blocks } of cards.values()) {
    if (blocks.length === 0) continue;
    if (isTorn) row.torn++;
    else row.whole++;
    for (const index of blocks) row.size += page.blocks[index]!.size;
  }
  for (const { row, blocks } of cards.values())
    if (
      row.torn >= MIN_TORN &&
      row.torn >= MOST * (row.torn + row.whole) &&
      row.size < kept - row.size
    )
      for (const index of blocks) verdicts[index] = "dropped";
}
