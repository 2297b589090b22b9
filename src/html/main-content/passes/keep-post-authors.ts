// A post needs its author and time. Both are short, and the model mistakes them for boilerplate.
import { isTag, type Element } from "domhandler";
import { readAttribute } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { isKept, type Verdict } from "./verdict.ts";
import {
  MAX_MARK_LEVELS,
  MAX_NAME_WORDS,
  MAX_POST_LEVELS,
  MAX_TIME_WORDS,
  MIN_POST_WORDS,
} from "./thresholds.ts";

const AUTHOR =
  /(?:^|[\s_-])(?:authors?|user-?names?|posters?|members?|creator|byline|nick(?:name)?|hnuser)(?:$|[\s_-])/i;
const TIME = /(?:^|[\s_-])(?:date|time|timestamp|posted|published|age)(?:$|[\s_-])/i;

type Mark = "author" | "time";

/** Keeps the first author and the first time in every kept post. For pages that are threads. */
export function keepPostAuthors(
  page: Segmentation,
  facts: ElementFacts,
  verdicts: Verdict[],
): void {
  const { blocks } = page;
  // A mark that occurs once on a page does not belong to a thread.
  const places = new Map<string, number[]>();
  const placeByBlock = blocks.map((block, index) => {
    const mark = classifyMark(page, block);
    if (mark === undefined) return undefined;
    const place = `${mark} ${facts.path[block.container]!}`;
    const members = places.get(place);
    if (members === undefined) places.set(place, [index]);
    else members.push(index);
    return place;
  });
  const kept = new Float64Array(blocks.length + 1);
  blocks.forEach(({ size }, index) => {
    kept[index + 1] = kept[index]! + (verdicts[index] === "kept" ? size : 0);
  });
  const headed = new Set<string>();
  placeByBlock.forEach((place, index) => {
    if (place === undefined || places.get(place)!.length < 2) return;
    const own = isKept(verdicts[index]) ? blocks[index]!.size : 0;
    const post = findPostAround(page, index, kept, own);
    if (post < 0 || holdsAnother(page, post, index, places.get(place)!)) return;
    const head = `${post} ${place.slice(0, place.indexOf(" "))}`;
    if (!headed.has(head) && verdicts[index] === "dropped") verdicts[index] = "kept";
    headed.add(head);
  });
}

/** Returns the nearest element around a block that holds other kept text, or -1. */
function findPostAround(
  { blocks, elements }: Segmentation,
  index: number,
  kept: Float64Array,
  own: number,
): number {
  const { parent, blockStart, blockEnd } = elements;
  let element = blocks[index]!.container;
  for (let level = 0; level < MAX_POST_LEVELS && element >= 0; level++) {
    if (kept[blockEnd[element]!]! - kept[blockStart[element]!]! - own >= MIN_POST_WORDS)
      return element;
    element = parent[element]!;
  }
  return -1;
}

/**
 * True if an element contains another member, so it is the whole thread and not one post.
 * `members` is in ascending order.
 */
function holdsAnother(
  { elements: { blockStart, blockEnd } }: Segmentation,
  element: number,
  index: number,
  members: readonly number[],
): boolean {
  let low = 0;
  for (let high = members.length; low < high;) {
    const middle = (low + high) >> 1;
    if (members[middle]! < index) low = middle + 1;
    else high = middle;
  }
  const before = members[low - 1] ?? -1;
  const after = members[low + 1] ?? Number.POSITIVE_INFINITY;
  return before >= blockStart[element]! || after < blockEnd[element]!;
}

function classifyMark(
  { texts }: Segmentation,
  block: Segmentation["blocks"][number],
): Mark | undefined {
  if (block.container < 0 || block.size > MAX_TIME_WORDS) return undefined;
  let node: Element["parent"] = texts[block.textStart]!.parent;
  for (let level = 0; level < MAX_MARK_LEVELS && node !== null && isTag(node); level++) {
    const names = `${readAttribute(node, "class")} ${readAttribute(node, "itemprop")} ${readAttribute(node, "rel")}`;
    if (node.name === "time" || TIME.test(names)) return "time";
    if (block.size <= MAX_NAME_WORDS && AUTHOR.test(names)) return "author";
    node = node.parent;
  }
  return undefined;
}
