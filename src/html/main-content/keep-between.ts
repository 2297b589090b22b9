// Restores content between kept texts of one page part: the list after a colon, a heading among
// items, a caption, the sentence before a listing. Missing content is worse than extra content.
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

/** Elements that contain text; the element around these is a page part. */
const SETTING = tagSet(
  "p pre blockquote h1 h2 h3 h4 h5 h6 ul ol li dl dt dd figure figcaption code " +
    "table thead tbody tr th td",
);
const MAX_SETTING_LEVELS = 8;
const BOUNDS = tagSet("nav aside footer form body html");
const PARAGRAPH = tagNumber("p");
const LISTING = tagNumber("pre");
/** Maximum blocks and words between two texts. */
const MAX_BLOCKS = 6;
const MAX_WORDS = 80;
const MIN_WORDS = 2;
const MAX_LINKED = 0.5;
/** Minimum fraction of the cut for the likeliest of them. */
const MIN_CUT_FRACTION = 0.25;

/**
 * Changes "dropped" to "kept" for content between kept text. Runs from the first block to the last;
 * linear in blocks.
 */
export function keepBetween(
  page: Segmentation,
  probabilities: Float64Array,
  cut: number,
  verdicts: Verdict[],
): void {
  for (let from = 0; from < verdicts.length; from++) {
    if (verdicts[from] !== "dropped") continue;
    const part = findPart(page, from);
    if (part < 0) continue;
    let to = from + 1;
    while (to < verdicts.length && verdicts[to] === "dropped" && findPart(page, to) === part) to++;
    const isTorn =
      isBeside(page, verdicts, to, part) &&
      (isBeside(page, verdicts, from - 1, part) || isIntroToListing(page, from, to));
    if (isTorn && mayStay(page, probabilities, cut * MIN_CUT_FRACTION, from, to))
      verdicts.fill("kept", from, to);
    from = to - 1;
  }
}

function isBeside(
  page: Segmentation,
  verdicts: readonly Verdict[],
  index: number,
  part: number,
): boolean {
  return isKept(verdicts[index]) && findPart(page, index) === part;
}

/** Returns the page part that contains a text, or -1 if none or out of bounds. */
function findPart({ blocks, elements }: Segmentation, index: number): number {
  const { tag, parent } = elements;
  let element = blocks[index]!.container;
  let level = 0;
  while (element >= 0 && level < MAX_SETTING_LEVELS && SETTING[tag[element]!] === 1) {
    element = parent[element]!;
    level++;
  }
  return level > 0 && element >= 0 && BOUNDS[tag[element]!] === 0 ? element : -1;
}

/** True if a single paragraph is right above a listing. */
function isIntroToListing({ blocks, elements }: Segmentation, from: number, to: number): boolean {
  if (to - from !== 1) return false;
  const tagOf = (index: number): number | undefined => elements.tag[blocks[index]!.container];
  return tagOf(from) === PARAGRAPH && tagOf(to) === LISTING;
}

function mayStay(
  { blocks }: Segmentation,
  probabilities: Float64Array,
  least: number,
  from: number,
  to: number,
): boolean {
  if (to - from > MAX_BLOCKS) return false;
  let words = 0;
  let characters = 0;
  let linked = 0;
  let likeliest = 0;
  for (let index = from; index < to; index++) {
    const block = blocks[index]!;
    words += block.size;
    characters += block.characters;
    linked += block.linkCharacters;
    likeliest = Math.max(likeliest, probabilities[index]!);
  }
  return (
    words >= MIN_WORDS &&
    words <= MAX_WORDS &&
    linked <= MAX_LINKED * characters &&
    likeliest >= least
  );
}
