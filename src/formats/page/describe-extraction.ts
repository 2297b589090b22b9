// Describes an extraction for the page's metadata.
import type { Extraction } from "../../contract/page/metadata.ts";
import { MIN_KIND_PROBABILITY } from "../../contract/page/page-kinds.ts";
import type { TextSize } from "../../html/clean/measure-text.ts";
import type { MainContentSummary } from "../../html/main-content/find-main-content.ts";
import { estimateTokens } from "../../ranking/estimate-tokens.ts";

/** Builds the summary. `markdown` is missing if no format asked for it. */
export function describeExtraction(
  { words, characters, linkCharacters }: TextSize,
  markdown: string | undefined,
  found: MainContentSummary | undefined,
): Extraction {
  const kind = findKind(found);
  return {
    ...(found === undefined ? {} : { confidence: toHundredths(found.confidence) }),
    ...(kind === undefined ? {} : { pageKind: kind }),
    words,
    ...(markdown === undefined
      ? {}
      : { estimatedTokens: estimateTokens(markdown, characters + words) }),
    linkShare: characters === 0 ? 0 : toHundredths(linkCharacters / characters),
  };
}

function findKind(found: MainContentSummary | undefined): Extraction["pageKind"] {
  if (found === undefined) return undefined;
  if (found.level === "generator") return found.kind;
  return found.kind.probability < MIN_KIND_PROBABILITY ? undefined : found.kind.kind;
}

const toHundredths = (value: number): number =>
  Math.round(Math.min(Math.max(value, 0), 1) * 100) / 100;
