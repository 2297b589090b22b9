// Keeps the heading that matches the page title. Forum threads, docs, listings and product pages
// are identified by it. On articles it stays only if the model rates it likely (choose-headings.ts),
// because the training data counts only the text below.
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

/** Keeps the dropped heading that matches the page's `title`, if kept text follows it. */
export function keepTitle(
  page: Segmentation,
  facts: ElementFacts,
  title: string,
  verdicts: Verdict[],
): void {
  const index = findTitleHeading(page, facts, title);
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
