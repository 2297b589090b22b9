import type { Segmentation } from "../blocks/blocks.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Maximum distance between a title and its text. */
export type MaxDistance = { readonly blocks: number; readonly words: number };

/** True if the title at `index` is above kept text within the usual distance. */
export function isAboveText(
  { blocks }: Segmentation,
  index: number,
  verdicts: readonly Verdict[],
  usual: MaxDistance,
): boolean {
  let words = 0;
  for (let next = index + 1; next <= index + usual.blocks && next < verdicts.length; next++) {
    if (isKept(verdicts[next])) return true;
    words += blocks[next]!.size;
    if (words > usual.words) return false;
  }
  return false;
}
