// Keeps the text of frames that show a document of the page's own site: it belongs to the page, but
// looks like another page to the model.
import { readAttribute } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import { PART, type PageParts } from "./page-parts.ts";
import { isKept, type Verdict } from "./verdict.ts";

/** Frames without their own document are filled by scripts, such as advertisements. */
const FILLED = /^(?:about|javascript):/i;

/** Keeps the blocks of such frames, except those that are clearly no content. */
export function keepFrames(
  { elements }: Segmentation,
  parts: PageParts,
  verdicts: Verdict[],
): void {
  const { nodes, blockStart, blockEnd } = elements;
  for (let element = 0; element < nodes.length; element++) {
    const node = nodes[element]!;
    if (blockStart[element] === blockEnd[element]) continue;
    if (readAttribute(node, "data-original-tag") !== "iframe") continue;
    const source = readAttribute(node, "src");
    const isOwn = source === "" ? readAttribute(node, "srcdoc") !== "" : !FILLED.test(source);
    if (!isOwn) continue;
    for (let index = blockStart[element]!; index < blockEnd[element]!; index++)
      if (parts.blocks[index] === PART.none && !isKept(verdicts[index])) verdicts[index] = "kept";
  }
}
