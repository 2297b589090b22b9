// Text that most pages of a site repeat inside their content, such as newsletter pitches, cookie
// notes and author bios. A single page cannot reveal it, but a crawl can: it counts the blocks that
// the model keeps and returns those found on most pages. This module lists and drops them.
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";

/**
 * Hashes of blocks that the pages of a site repeat, based on the latest pages; may grow and shrink.
 */
export type KnownBlocks = Int32Array;

/** Shared text of a page and its site. */
export type SiteText = {
  /** Distinct blocks that the model keeps, including those dropped as site text. */
  readonly blocks: KnownBlocks;
  /** Blocks dropped because most pages of the site contain them. */
  readonly dropped?: { readonly texts: number; readonly words: number };
};

/**
 * Minimum words of a block that is dropped on its own. Shorter ones are dropped with their
 * container or section.
 */
const MIN_LONG_WORDS = 8;
/** Maximum share of the page to drop. Pages that are all alike are not boilerplate. */
const MAX_DROPPED = 0.5;
/** Maximum blocks to list from the start and from the end of a page. */
const MAX_LISTED = 300;

const KIND_NEVER = 0;
const KIND_SHORT = 1;
const KIND_HEADING = 2;
const KIND_LONG = 3;

/** Returns how each block may be dropped. Code, cells and the main heading repeat for a reason. */
function classifyBlocks({ blocks, elements }: Segmentation, { level }: ElementFacts): Uint8Array {
  const { nodes, blockStart, blockEnd } = elements;
  const kinds = new Uint8Array(blocks.length);
  blocks.forEach(({ container, size }, index) => {
    const of = level[container] ?? 0;
    kinds[index] =
      of === 1
        ? KIND_NEVER
        : of > 1
          ? KIND_HEADING
          : size >= MIN_LONG_WORDS
            ? KIND_LONG
            : KIND_SHORT;
  });
  nodes.forEach(({ name }, element) => {
    if (name === "pre" || name === "td" || name === "th" || name === "math")
      kinds.fill(KIND_NEVER, blockStart[element], blockEnd[element]);
  });
  return kinds;
}

/**
 * Lists the kept blocks and drops those that the site repeats, in place. Linear in blocks and
 * elements.
 */
export function dropSiteBlocks(
  page: Segmentation,
  facts: ElementFacts,
  verdicts: Verdict[],
  known: KnownBlocks,
): SiteText {
  const kinds = classifyBlocks(page, facts);
  const blocks = listBlocks(page, verdicts, kinds);
  if (known.length === 0) return { blocks };
  const drops = chooseDrops(page, verdicts, kinds, new Set(known));
  let words = 0;
  let all = 0;
  let texts = 0;
  page.blocks.forEach(({ size }, index) => {
    if (!isKept(verdicts[index])) return;
    all += size;
    if (drops[index] === 0) return;
    texts += 1;
    words += size;
  });
  if (texts === 0 || words > all * MAX_DROPPED) return { blocks };
  drops.forEach((drop, index) => {
    if (drop === 1 && isKept(verdicts[index])) verdicts[index] = "site";
  });
  return { blocks, dropped: { texts, words: Math.round(words) } };
}

function listBlocks(
  { blocks }: Segmentation,
  verdicts: readonly Verdict[],
  kinds: Uint8Array,
): KnownBlocks {
  const seen = new Set<number>();
  const list: number[] = [];
  blocks.forEach(({ hash }, index) => {
    if (kinds[index] === KIND_NEVER || !isKept(verdicts[index]) || seen.has(hash)) return;
    seen.add(hash);
    list.push(hash);
  });
  const told = Int32Array.from(list);
  if (told.length <= 2 * MAX_LISTED) return told;
  return Int32Array.of(...told.subarray(0, MAX_LISTED), ...told.subarray(-MAX_LISTED));
}

/**
 * Drops long texts on their own; short ones and headings with an element that would become empty,
 * or with the text below.
 */
function chooseDrops(
  { blocks, elements }: Segmentation,
  verdicts: readonly Verdict[],
  kinds: Uint8Array,
  known: ReadonlySet<number>,
): Uint8Array {
  const count = blocks.length;
  const drops = new Uint8Array(count);
  const kept = new Int32Array(count + 1);
  const repeated = new Int32Array(count + 1);
  const long = new Int32Array(count + 1);
  blocks.forEach(({ hash }, index) => {
    const isHere = isKept(verdicts[index]);
    const isKnown = isHere && kinds[index] !== KIND_NEVER && known.has(hash);
    if (isKnown && kinds[index] === KIND_LONG) drops[index] = 1;
    kept[index + 1] = kept[index]! + Number(isHere);
    repeated[index + 1] = repeated[index]! + Number(isKnown);
    long[index + 1] = long[index]! + drops[index]!;
  });
  if (long[count] === 0) return drops;
  const { nodes, blockStart, blockEnd } = elements;
  for (let element = 0; element < nodes.length; element++) {
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (long[to] === long[from] || kept[to]! - kept[from]! > repeated[to]! - repeated[from]!)
      continue;
    for (let index = from; index < to; index++) if (isKept(verdicts[index])) drops[index] = 1;
  }
  let isLeft = false;
  let isTorn = false;
  for (let index = count - 1; index >= 0; index--) {
    if (!isKept(verdicts[index])) continue;
    if (kinds[index] === KIND_HEADING) {
      if (isTorn && !isLeft && known.has(blocks[index]!.hash)) drops[index] = 1;
      else [isLeft, isTorn] = [false, false];
    } else if (drops[index] === 1) isTorn = true;
    else isLeft = true;
  }
  return drops;
}
