// Weighted votes for colors. Similar colors count as one.
import { type Color, measureDistance, toHex } from "./color.ts";

/** Colors closer than this are the same, only rounded or mixed differently. */
const MAX_SAME_DISTANCE = 0.02;

export const isSame = (first: Color, second: Color): boolean =>
  measureDistance(first, second) < MAX_SAME_DISTANCE;

export type Tally = { readonly color: Color; readonly weight: number };

export class Ballot {
  /** By color and reason: maximum weight and count. */
  readonly #votes = new Map<string, { color: Color; weight: number; times: number }>();

  /** Adds a vote. Votes of one reason for one color count once, and slightly more if repeated. */
  add(color: Color | undefined, weight: number, reason: string): void {
    if (color === undefined || weight <= 0) return;
    const key = `${toHex(color)} ${reason}`;
    const vote = this.#votes.get(key);
    if (vote === undefined) this.#votes.set(key, { color, weight, times: 1 });
    else {
      vote.times += 1;
      vote.weight = Math.max(vote.weight, weight);
    }
  }

  /** Returns the colors by descending weight. Each represents the similar ones counted with it. */
  count(): Tally[] {
    const exact = new Map<string, { color: Color; weight: number }>();
    for (const { color, weight, times } of this.#votes.values()) {
      const total = weight * (1 + 0.1 * Math.min(5, times - 1));
      const hex = toHex(color);
      const known = exact.get(hex);
      if (known === undefined) exact.set(hex, { color, weight: total });
      else known.weight += total;
    }
    const findHeaviest = (list: { color: Color; weight: number }[]): typeof list =>
      list.toSorted((a, b) => b.weight - a.weight || (toHex(a.color) < toHex(b.color) ? -1 : 1));
    const groups: { color: Color; weight: number }[] = [];
    for (const entry of findHeaviest([...exact.values()])) {
      const group = groups.find(({ color }) => isSame(color, entry.color));
      if (group === undefined) groups.push({ ...entry });
      else group.weight += entry.weight;
    }
    return findHeaviest(groups);
  }

  findWinner(): Color | undefined {
    return this.count()[0]?.color;
  }
}
