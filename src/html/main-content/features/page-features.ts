// Features of the whole page, the same for all its blocks.
import { COUNTED_TAGS, computeShare } from "./page-facts.ts";
import type { PageView } from "./page-view.ts";

/** Feature names, in the order of `computePageFeatures`. */
export const PAGE_NAMES: readonly string[] = [
  "page-size",
  "page-blocks",
  "page-links",
  "page-prose",
  "page-largest",
  "page-currencies",
  "page-linked-headings",
  "page-media",
  "page-data-type",
  "slug-hyphens",
  "slug-length",
  "top-share",
  "top-prose-share",
  "top-links",
  "half-share",
  ...COUNTED_TAGS.map((name) => `page-${name}`),
];

/** Returns one number for each of `PAGE_NAMES`. */
export function computePageFeatures({ page, elements, top, segmentation }: PageView): number[] {
  const { blocks, media } = segmentation;
  const winner = top.top;
  return [
    page.size,
    blocks.length,
    page.linkShare,
    page.proseShare,
    page.largest,
    computeShare(page.currencies, blocks.length),
    page.linkedHeadingShare,
    media.length,
    page.linkedDataType,
    page.slugHyphens,
    page.slugLength,
    winner < 0 ? 0 : computeShare(elements.size[winner]!, page.size),
    winner < 0 ? 0 : computeShare(elements.prose[winner]!, page.proseBefore[blocks.length]!),
    winner < 0 ? 0 : computeShare(elements.linkCharacters[winner]!, elements.characters[winner]!),
    top.half < 0 ? 0 : computeShare(elements.size[top.half]!, page.size),
    ...page.tags,
  ];
}
