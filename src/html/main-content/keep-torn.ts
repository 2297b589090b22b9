// What stands between kept texts of one part of the page belongs to them: the list that a colon announces, a heading among the items
// of an article, the words under its picture, the sentence that leads into a listing. A reader misses them more than one such is too much.
import type { Segmentation } from "./blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

/** Elements that texts are set in; what holds these is a part of the page. */
const SETTING = tagSet(
  "p pre blockquote h1 h2 h3 h4 h5 h6 ul ol li dl dt dd figure figcaption code " +
    "table thead tbody tr th td",
);
const SETTING_LEVELS = 8;
const BOUNDS = tagSet("nav aside footer form body html");
const PARAGRAPH = tagNumber("p");
const LISTING = tagNumber("pre");
/** More than this between two texts, in blocks and words, stands for itself. */
const MAX_BLOCKS = 6;
const MAX_WORDS = 80;
const MIN_WORDS = 2;
const MAX_LINKED = 0.5;
/** The share of the cut that the likeliest of them must reach. */
const LIKELY = 0.25;

/** Turns "dropped" into "kept" for what is torn out of kept text. Judged from the first block to the last; linear in blocks. */
export function keepTorn(
  page: Segmentation,
  probabilities: Float64Array,
  cut: number,
  verdicts: Verdict[],
): void {
  for (let from = 0; from < verdicts.length; from++) {
    if (verdicts[from] !== "dropped") continue;
    const part = partOf(page, from);
    if (part < 0) continue;
    let to = from + 1;
    while (to < verdicts.length && verdicts[to] === "dropped" && partOf(page, to) === part) to++;
    const isTorn =
      isBeside(page, verdicts, to, part) &&
      (isBeside(page, verdicts, from - 1, part) || leadsIn(page, from, to));
    if (isTorn && mayStay(page, probabilities, cut * LIKELY, from, to))
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
  return isKept(verdicts[index]) && partOf(page, index) === part;
}

/** The part of the page that a text stands in; -1 for a text that is set in nothing, and for bounds. */
function partOf({ blocks, elements }: Segmentation, index: number): number {
  const { tag, parent } = elements;
  let element = blocks[index]!.container;
  let level = 0;
  while (element >= 0 && level < SETTING_LEVELS && SETTING[tag[element]!] === 1) {
    element = parent[element]!;
    level++;
  }
  return level > 0 && element >= 0 && BOUNDS[tag[element]!] === 0 ? element : -1;
}

/** Whether a single paragraph stands right above a listing. */
function leadsIn({ blocks, elements }: Segmentation, from: number, to: number): boolean {
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
