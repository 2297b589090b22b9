// Averages blocks with the same position in repeated structures: the prices of all cards, the names
// above all posts, the first cells of all rows. It works in log odds, so that a sure member counts
// more than a doubtful one.
import type { ElementFacts } from "../blocks/element-facts.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import { GROUP_NAMES } from "../blocks/name-groups.ts";
import {
  MAX_ITEM_DISTANCE,
  MAX_LOG_ODDS,
  MAX_WEIGHT_WORDS,
  CARD_MEAN_WEIGHT,
  MIN_CARD_MEMBERS,
} from "./thresholds.ts";

const ITEM = GROUP_NAMES.indexOf("tag-item");

type Group = { sum: number; weight: number; count: number };

/**
 * Returns the probabilities after averaging similar blocks of repeated siblings and list items.
 * `card` gives each element's repeated sibling, or -1; other blocks keep their probability.
 */
export function joinGroups(
  page: Segmentation,
  facts: ElementFacts,
  card: Int32Array,
  asked: Float64Array,
): Float64Array {
  const { blocks } = page;
  const joined = asked.slice();
  const odds = new Float64Array(blocks.length);
  const groups: (Group | undefined)[] = [];
  const byPath = new Map<number, Group>();
  for (let index = 0; index < blocks.length; index++) {
    const { container, size } = blocks[index]!;
    if (container < 0 || (card[container]! < 0 && !isInItem(facts, container))) {
      groups.push(undefined);
      continue;
    }
    const path = facts.path[container]!;
    let group = byPath.get(path);
    if (group === undefined) {
      group = { sum: 0, weight: 0, count: 0 };
      byPath.set(path, group);
    }
    const weight = Math.min(size, MAX_WEIGHT_WORDS) + 0.5;
    odds[index] = logOdds(asked[index]!);
    group.sum += odds[index]! * weight;
    group.weight += weight;
    group.count++;
    groups.push(group);
  }
  for (let index = 0; index < blocks.length; index++) {
    const group = groups[index];
    if (group === undefined || group.count < MIN_CARD_MEMBERS) continue;
    const own = odds[index]!;
    joined[index] = 1 / (1 + Math.exp(-own - CARD_MEAN_WEIGHT * (group.sum / group.weight - own)));
  }
  return joined;
}

/** True for an element close inside a list item. Items of several short lists are similar too. */
const isInItem = (facts: ElementFacts, element: number): boolean =>
  facts.distance[element * GROUP_NAMES.length + ITEM]! <= MAX_ITEM_DISTANCE;

function logOdds(probability: number): number {
  const odds = Math.log(probability / (1 - probability));
  return Math.min(Math.max(odds, -MAX_LOG_ODDS), MAX_LOG_ODDS);
}
