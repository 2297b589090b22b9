// Keeps the heading that matches the page title. Pages are identified by it. The training data of
// articles counts only the text below, so the model alone would drop it.
import { isTag } from "domhandler";
import { mayHaveUncommon } from "../../parse/nodes.ts";
import { readAttribute } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isAboveText } from "./is-above-text.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_HEADING_LEVELS,
  MAX_TITLE_LEVEL,
  MAX_TITLE_DISTANCE,
  MAX_TITLE_WORDS,
  MIN_TITLE_INSIDE,
  MIN_TITLE_START,
} from "./thresholds.ts";

/** Separates the page's name from site and section in a title. */
const SEPARATOR = /\s[|–—·•«»:~-]+\s|[|｜»«]|\s[-–—]+|[-–—]\s/;

/**
 * Keeps the dropped heading that matches the page's `title`, if kept text follows it. An article's
 * title may have other words than its page: its only main heading is kept too.
 */
export function keepTitle(
  page: Segmentation,
  facts: ElementFacts,
  { title, isArticle }: { readonly title: string; readonly isArticle: boolean },
  verdicts: Verdict[],
): void {
  const matching = findTitleHeading(page, facts, title);
  const index = matching < 0 && isArticle ? findOnlyHeading(page, facts) : matching;
  if (
    index < 0 ||
    verdicts[index] !== "dropped" ||
    !isAboveText(page, index, verdicts, MAX_TITLE_DISTANCE)
  )
    return;
  const { hash } = page.blocks[index]!;
  for (let at = 0; at < verdicts.length; at++)
    if (page.blocks[at]!.hash === hash && isKept(verdicts[at])) return;
  verdicts[index] = "kept-heading";
}

/** Keeps all lines of a heading if one is kept. */
export function keepWholeHeadings(
  { elements }: Segmentation,
  { level }: ElementFacts,
  verdicts: Verdict[],
): void {
  const { blockStart, blockEnd } = elements;
  for (let element = 0; element < level.length; element++) {
    const [from, to] = [blockStart[element]!, blockEnd[element]!];
    if (level[element] === 0 || to - from < 2 || !verdicts.slice(from, to).some(isKept)) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept-heading";
  }
}

/** Returns the page's only heading of level 1 if it leads nowhere, or -1. */
function findOnlyHeading({ blocks }: Segmentation, { level }: ElementFacts): number {
  let only = -1;
  for (let index = 0; index < blocks.length; index++) {
    if (level[blocks[index]!.container] !== 1) continue;
    if (only >= 0) return -1;
    only = index;
  }
  return only >= 0 && blocks[only]!.linkCharacters === 0 ? only : -1;
}

/**
 * Returns the block of the heading that matches most of the title, the first of several. Returns -1
 * if there is none or if it may be the site's name.
 */
export function findTitleHeading(
  page: Segmentation,
  { level }: ElementFacts,
  title: string,
): number {
  const whole = extractLetters(title);
  if (whole === "") return -1;
  const parts = title.split(SEPARATOR).map(extractLetters).filter(Boolean);
  let best = -1;
  let said = "";
  for (let index = 0; index < page.blocks.length; index++) {
    const block = page.blocks[index]!;
    if (block.size > MAX_TITLE_WORDS) continue;
    const of = getHeadingLevel(page, level, block.container);
    if (of === 0 || of > MAX_TITLE_LEVEL) continue;
    const text = extractLetters(readTextWithoutRuby(page, index));
    if (text.length <= said.length) continue;
    const isTitle =
      parts.includes(text) ||
      (of === 1 && text.length >= MIN_TITLE_START && whole.startsWith(text)) ||
      (text.length >= MIN_TITLE_INSIDE && whole.includes(text));
    if (!isTitle) continue;
    best = index;
    said = text;
  }
  const isLast = parts.length > 1 && parts.at(-1) === said;
  return isLast && said.length * 2 < whole.length ? -1 : best;
}

/** Returns the heading level of an element by tag or role, if the text fills it; 0 for none. */
function getHeadingLevel({ elements }: Segmentation, level: Uint8Array, container: number): number {
  const { nodes, parent, blockStart, blockEnd } = elements;
  let element = container;
  for (let step = 0; step < MAX_HEADING_LEVELS && element >= 0; step++) {
    if (blockEnd[element]! - blockStart[element]! > 1) return 0;
    if (level[element]! > 0) return level[element]!;
    const node = nodes[element]!;
    if (mayHaveUncommon(node) && readAttribute(node, "role") === "heading")
      return Number.parseInt(readAttribute(node, "aria-level"), 10) || 2;
    element = parent[element]!;
  }
  return 0;
}

const extractLetters = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** Returns a heading's text without ruby readings (`<rt>`), which titles omit. */
function readTextWithoutRuby({ blocks, texts }: Segmentation, index: number): string {
  const { textStart, textEnd } = blocks[index]!;
  let text = "";
  for (let at = textStart; at < textEnd; at++) {
    const { parent, data } = texts[at]!;
    if (parent === null || !isTag(parent) || (parent.name !== "rt" && parent.name !== "rp"))
      text += data;
  }
  return text;
}
