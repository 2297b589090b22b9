// Lines between paragraphs that link to other articles: "Read more: …", "Lire aussi : …", and such
// words above a list of links. They look like paragraphs but are not part of the text.
import { isCallToAction } from "./call-to-action.ts";
import type { Block } from "../blocks/block-text.ts";
import { blockText, type Segmentation } from "../blocks/blocks.ts";
import pointerWords from "../../evidence/pointer-words.json" with { type: "json" };
import { isKept, type Verdict } from "./verdict.ts";
import { tagSet } from "../../parse/tag-numbers.ts";
import {
  MAX_APPEAL_WORDS,
  MAX_LABEL_WORDS,
  MAX_LINES_WORDS,
  MAX_PARAGRAPH_DISTANCE,
  MAX_POINTER_WORDS,
  MIN_LEAD_LINES_SHARE,
  MIN_LINKED,
  MIN_LINK_ONLY,
  MIN_PARAGRAPH_WORDS,
} from "./thresholds.ts";

/**
 * Opening words of such lines by language. "See also" and "further reading" are missing on purpose:
 * they belong to the text.
 */
const POINTER = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${Object.values(pointerWords).join("|")})(?![\\p{L}\\p{N}])`,
  "iu",
);
const COLONS: ReadonlySet<number> = new Set([58, 0xff1a]);
/** Elements that contain such lines. */
const LINES = tagSet("p div li blockquote aside section h2 h3 h4 h5 h6");

/** Drops kept lines that link elsewhere next to kept paragraphs. */
export function dropRelatedLinks(page: Segmentation, verdicts: Verdict[]): void {
  const { blocks } = page;
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index]!;
    if (!isKept(verdicts[index]) || block.size > MAX_LINES_WORDS || !isLine(page, block)) continue;
    const isLong = block.size > MAX_POINTER_WORDS;
    const leads =
      block.linkCharacters >= (isLong ? MIN_LEAD_LINES_SHARE : MIN_LINKED) * block.characters;
    if (isLong && !leads) continue;
    const next = blocks[index + 1];
    const isLabel =
      block.size <= MAX_LABEL_WORDS &&
      ((next !== undefined && isLinks(next)) ||
        (COLONS.has(block.last) && !isKept(verdicts[index + 1])));
    const mayAppeal = !isLong && (block.linkCharacters > 0 || block.size <= MAX_APPEAL_WORDS);
    if (!(leads || isLabel || mayAppeal) || !isBelowKeptParagraph(blocks, verdicts, index))
      continue;
    const text = blockText(page, block);
    if (mayAppeal && isCallToAction(text)) {
      verdicts[index] = "pointer";
      continue;
    }
    if (!(leads || isLabel)) continue;
    // A label may end its line without a space: "DON'T MISS<br>Boats are back".
    if (!POINTER.test(text) && !POINTER.test(page.texts[block.textStart]!.data)) continue;
    verdicts[index] = "pointer";
    if (leads) continue;
    for (let at = index + 1; at < blocks.length && isLinks(blocks[at]!); at++)
      if (isKept(verdicts[at])) verdicts[at] = "pointer";
  }
}

const isLinks = ({ characters, linkCharacters }: Block): boolean =>
  linkCharacters > 0 && linkCharacters >= MIN_LINK_ONLY * characters;

function isLine({ elements }: Segmentation, { container }: Block): boolean {
  return container >= 0 && LINES[elements.tag[container]!] === 1;
}

/** True if a kept paragraph comes right before, so the line is in or below an article. */
function isBelowKeptParagraph(
  blocks: readonly Block[],
  verdicts: readonly Verdict[],
  index: number,
): boolean {
  for (let at = index - 1; at >= 0 && at >= index - MAX_PARAGRAPH_DISTANCE; at--)
    if (isKept(verdicts[at]) && blocks[at]!.size >= MIN_PARAGRAPH_WORDS && !isLinks(blocks[at]!))
      return true;
  return false;
}
