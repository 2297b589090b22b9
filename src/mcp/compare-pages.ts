// Differences between two readings of a page, or of one of its sections.
import { RequestError } from "../errors.ts";
import { buildDiff } from "../formats/change-tracking/diff.ts";
import type { ToolContext } from "./define-tool.ts";
import { parseHandle } from "./handle.ts";
import { openPage, type OpenPage } from "./open-page.ts";
import { requireSection, splitSections, type Section } from "../formats/markdown/sections.ts";

export type PageDifference = {
  /** The unified diff; empty if nothing differs. */
  readonly text: string;
  readonly addedLines: number;
  readonly removedLines: number;
};

/**
 * Compares a page, or its section, with the reading that the handle `since` names. Where only one of
 * the two names a section, the other's section has the same heading. Throws BAD_REQUEST if `since` is
 * no handle, and NOT_FOUND if the reading is gone or one of them lacks the section.
 */
export async function compareWithEarlier(
  page: Pick<OpenPage, "markdown">,
  section: Section | undefined,
  since: string,
  calling: ToolContext,
): Promise<PageDifference> {
  if (parseHandle(since) === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      `since must be the quarry://capture/ handle of an earlier answer, not "${since.slice(0, 100)}".`,
    );
  const earlier = await openPage(since, calling);
  const before =
    earlier.section === undefined
      ? section && requireHeading(earlier.markdown, section, "The earlier reading")
      : requireSection(splitSections(earlier.markdown), earlier.section);
  const after = section ?? (before && requireHeading(page.markdown, before, "The page"));
  const { text } = buildDiff(
    sliceSection(earlier.markdown, before),
    sliceSection(page.markdown, after),
  );
  const lines = text.split("\n");
  return {
    text,
    addedLines: lines.filter((line) => line.startsWith("+")).length,
    removedLines: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** The section with the heading of another reading's section: numbers shift when a page changes. */
function requireHeading(markdown: string, { heading, level }: Section, whose: string): Section {
  const named = splitSections(markdown).filter((section) => section.heading === heading);
  const found = named.find((section) => section.level === level) ?? named[0];
  if (found !== undefined) return found;
  throw new RequestError(
    "NOT_FOUND",
    `${whose} has no section "${heading}". Compare the whole pages: leave section and #SECTION out.`,
  );
}

const sliceSection = (markdown: string, section: Section | undefined): string =>
  section === undefined ? markdown : markdown.slice(section.start, section.wholeEnd);
