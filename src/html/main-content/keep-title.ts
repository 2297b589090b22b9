// The heading that says what the page's title says. Threads, manuals, lists and things on sale are told by it; of articles it stays where
// the model thinks it likely (choose-blocks.ts): what is learned from calls them the text below.
import { isTag } from "domhandler";
import { attributeOf } from "../parse/tree.ts";
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { leadsText, type Between } from "./leads-text.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Headings of the upper levels are looked at, and of so many words. */
const LOWEST_LEVEL = 3;
const LONGEST = 40;
/** What may stand between the title and its text: the votes, dates and buttons of a thread. */
const BETWEEN: Between = { blocks: 20, words: 150 };
/** Elements looked at around a text for a heading. */
const HEADING_LEVELS = 3;
/** Fewest letters of a heading that the title begins with, and of one that stands anywhere in it. */
const MIN_START = 4;
const MIN_INSIDE = 20;
/** What parts the name of a page from that of its site and section. */
const SEPARATOR = /\s[|–—·•«»:~-]+\s|[|｜»«]|\s[-–—]+|[-–—]\s/;

/** Keeps the dropped heading that says the `title` of the page, where kept text follows it. */
export function keepTitle(
  page: Segmentation,
  facts: ElementFacts,
  title: string,
  verdicts: Verdict[],
): void {
  const index = titleHeading(page, facts, title);
  if (index < 0 || verdicts[index] !== "dropped" || !leadsText(page, index, verdicts, BETWEEN))
    return;
  const { hash } = page.blocks[index]!;
  for (let at = 0; at < verdicts.length; at++)
    if (page.blocks[at]!.hash === hash && isKept(verdicts[at])) return;
  verdicts[index] = "kept-heading";
}

/** The block of the heading that says most of the title, the first of several; -1 for none, or where it may be the site's name. */
export function titleHeading(page: Segmentation, { level }: ElementFacts, title: string): number {
  const whole = lettersOf(title);
  if (whole === "") return -1;
  const parts = title.split(SEPARATOR).map(lettersOf).filter(Boolean);
  let best = -1;
  let said = "";
  for (let index = 0; index < page.blocks.length; index++) {
    const block = page.blocks[index]!;
    if (block.size > LONGEST) continue;
    const of = levelOf(page, level, block.container);
    if (of === 0 || of > LOWEST_LEVEL) continue;
    const text = lettersOf(textWithoutReadings(page, index));
    if (text.length <= said.length) continue;
    const isTitle =
      parts.includes(text) ||
      (of === 1 && text.length >= MIN_START && whole.startsWith(text)) ||
      (text.length >= MIN_INSIDE && whole.includes(text));
    if (!isTitle) continue;
    best = index;
    said = text;
  }
  const isLast = parts.length > 1 && parts.at(-1) === said;
  return isLast && said.length * 2 < whole.length ? -1 : best;
}

/** The level of the heading that a text is all of, by its tag or role; 0 for none. */
function levelOf({ elements }: Segmentation, level: Uint8Array, container: number): number {
  const { nodes, parent, blockStart, blockEnd } = elements;
  let element = container;
  for (let step = 0; step < HEADING_LEVELS && element >= 0; step++) {
    if (blockEnd[element]! - blockStart[element]! > 1) return 0;
    if (level[element]! > 0) return level[element]!;
    const node = nodes[element]!;
    if (attributeOf(node, "role") === "heading")
      return Number.parseInt(attributeOf(node, "aria-level"), 10) || 2;
    element = parent[element]!;
  }
  return 0;
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** A heading's text without how its characters are read (`<rt>`), as a title has it. */
function textWithoutReadings({ blocks, texts }: Segmentation, index: number): string {
  const { textStart, textEnd } = blocks[index]!;
  let text = "";
  for (let at = textStart; at < textEnd; at++) {
    const { parent, data } = texts[at]!;
    if (parent === null || !isTag(parent) || (parent.name !== "rt" && parent.name !== "rp"))
      text += data;
  }
  return text;
}
