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
  MAX_HEADING_LINES,
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

/** Drops a main heading that repeats the one right above it, as for small screens. */
export function dropTwinHeadings(
  { blocks }: Segmentation,
  { level }: ElementFacts,
  verdicts: Verdict[],
): void {
  let last = -1;
  for (let index = 0; index < blocks.length; index++) {
    if (!isKept(verdicts[index])) continue;
    const { container, hash } = blocks[index]!;
    const isTwin =
      last >= 0 &&
      level[container] === 1 &&
      level[blocks[last]!.container] === 1 &&
      hash === blocks[last]!.hash;
    if (isTwin) verdicts[index] = "repeated";
    else last = index;
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
    const { level: of, end } = findHeading(page, level, index);
    if (of === 0 || of > MAX_TITLE_LEVEL) continue;
    let text = "";
    for (let at = index; at < end; at++) text += extractLetters(readTextWithoutRuby(page, at));
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

/**
 * Finds the heading that begins with a block, by tag or role: its level, 0 for none, and the end of
 * its lines.
 */
function findHeading(
  { blocks, elements }: Segmentation,
  level: Uint8Array,
  index: number,
): { readonly level: number; readonly end: number } {
  const { nodes, parent, blockStart, blockEnd } = elements;
  let element = blocks[index]!.container;
  for (let step = 0; step < MAX_HEADING_LEVELS && element >= 0; step++) {
    const end = blockEnd[element]!;
    if (blockStart[element] !== index || end - index > MAX_HEADING_LINES) break;
    if (level[element]! > 0) return { level: level[element]!, end };
    const node = nodes[element]!;
    if (mayHaveUncommon(node) && readAttribute(node, "role") === "heading")
      return { level: Number.parseInt(readAttribute(node, "aria-level"), 10) || 2, end };
    element = parent[element]!;
  }
  return { level: 0, end: index };
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
