// What is set alike is meant alike: the prices of all cards, the names above all posts, the first cells of all rows draw each
// other's probabilities together. Done in log odds, so that a sure member pulls more than a doubtful one.
import type { ElementFacts } from "./element-facts.ts";
import type { Segmentation } from "./blocks.ts";
import { GROUP_NAMES } from "./name-groups.ts";

/** How far a member is drawn towards the mean of the blocks that stand at its place in the other cards. */
const PULL = 0.7;
const ITEM = GROUP_NAMES.indexOf("tag-item");
const NEAR_ITEM = 3;
/** Fewer than this are no group. */
const MIN_MEMBERS = 3;
/** A member of more words than this has no more say. */
const MAX_SAY = 50;
/** Log odds are kept within this, or one block that is quite sure would speak for all. */
const SUREST = 7;

type Group = { sum: number; weight: number; count: number };

/**
 * The probabilities after like blocks of repeated siblings and of list items have been drawn together. `card` names for each element the repeated
 * sibling it stands in, -1 for none; blocks elsewhere keep what they have.
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
    const weight = Math.min(size, MAX_SAY) + 0.5;
    odds[index] = logOdds(asked[index]!);
    group.sum += odds[index]! * weight;
    group.weight += weight;
    group.count++;
    groups.push(group);
  }
  for (let index = 0; index < blocks.length; index++) {
    const group = groups[index];
    if (group === undefined || group.count < MIN_MEMBERS) continue;
    const own = odds[index]!;
    joined[index] = 1 / (1 + Math.exp(-own - PULL * (group.sum / group.weight - own)));
  }
  return joined;
}

/** True for what stands near enough inside an item of a list: items of several short lists are like each other, too. */
const isInItem = (facts: ElementFacts, element: number): boolean =>
  facts.distance[element * GROUP_NAMES.length + ITEM]! <= NEAR_ITEM;

function logOdds(probability: number): number {
  const odds = Math.log(probability / (1 - probability));
  return Math.min(Math.max(odds, -SUREST), SUREST);
}
