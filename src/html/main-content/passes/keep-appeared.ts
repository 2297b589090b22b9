// Keeps the text that a caller's actions put on the page, because it was their purpose.
import { APPEARED_CHARACTERS } from "../../../capture.ts";
import { foldSpace } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import { PART, type PageParts } from "./page-parts.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { MIN_NEW_SHARE } from "./thresholds.ts";

/** Parts that are never content, even if they appeared. */
const UNWANTED: ReadonlySet<number> = new Set([PART.newsletter, PART.consent, PART.share]);

/** Keeps blocks of which at least half appeared. `appeared` holds the beginnings of texts. */
export function keepAppeared(
  { blocks, texts }: Segmentation,
  parts: PageParts,
  appeared: readonly string[],
  verdicts: Verdict[],
): void {
  const beginnings = new Set(appeared);
  for (let index = 0; index < blocks.length; index++) {
    if (isKept(verdicts[index]) || UNWANTED.has(parts.blocks[index]!)) continue;
    const { textStart, textEnd } = blocks[index]!;
    let [all, own] = [0, 0];
    for (let at = textStart; at < textEnd; at++) {
      const text = foldSpace(texts[at]!.data);
      all += text.length;
      if (text !== "" && beginnings.has(text.slice(0, APPEARED_CHARACTERS))) own += text.length;
    }
    if (all > 0 && own >= all * MIN_NEW_SHARE) verdicts[index] = "kept";
  }
}
