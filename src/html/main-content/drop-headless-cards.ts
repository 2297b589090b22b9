// Drops teaser cards below a text whose headline was dropped while their other lines were kept. A
// teaser without its headline is useless.
import type { ElementFacts } from "./element-facts.ts";
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Minimum share of link characters in a headline, and its minimum words. */
const MIN_LINK_ONLY = 0.85;
const MIN_WORDS = 4;
/**
 * Minimum number of cards without headline, and their minimum share of all cards with kept text,
 * for a teaser row.
 */
const MIN_TORN = 3;
const MIN_OTHER_SHARE = 0.6;

type Row = { torn: number; whole: number; size: number };

/** Drops the rest of cards without headline if most of the page's kept text is elsewhere. */
export function dropHeadlessCards(
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
      block.linkCharacters >= MIN_LINK_ONLY * block.characters
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
      row.torn >= MIN_OTHER_SHARE * (row.torn + row.whole) &&
      row.size < kept - row.size
    )
      for (const index of blocks) verdicts[index] = "dropped";
}
