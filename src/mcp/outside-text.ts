// Text of a page outside of its main content: menus, side bars, footers, and whatever the selection
// of the main content left out. It has answers that no section has.
import { QuarryApiError } from "../../client/errors.ts";
import { QuarryError } from "../errors.ts";
import { stripInvisible } from "../runtime/strip-invisible.ts";
import { toWords } from "../ranking/words.ts";
import type { ToolContext } from "./define-tool.ts";
import type { OpenPage } from "./open-page.ts";
import { stripLinks } from "../formats/markdown/strip-links.ts";

/** Below this share of the main content's lines, the cached page is another version of it. */
const MIN_SHARED_LINES = 0.8;

/**
 * Returns the Markdown outside of the main content, from the cached capture of the page: nothing
 * is fetched. Undefined if the cache does not hold the page, or holds another version of it. Has the
 * headings of the main content too if `isHeaded`.
 */
export async function readOutsideText(
  { requestedUrl, markdown }: Pick<OpenPage, "requestedUrl" | "markdown">,
  { client, signal }: ToolContext,
  { scroll = false, isHeaded = true }: { readonly scroll?: boolean; readonly isHeaded?: boolean },
): Promise<string | undefined> {
  try {
    const document = await client.scrape(
      requestedUrl,
      {
        formats: ["markdown"],
        onlyMainContent: false,
        // Asks the cache only.
        minAge: 0,
        ...(scroll ? { scroll: "auto" as const } : {}),
      },
      { signal },
    );
    return subtractLines(stripInvisible(document.markdown ?? ""), markdown, isHeaded);
  } catch (error) {
    // An addition to an answer that is there already.
    if (!signal.aborted && (error instanceof QuarryApiError || error instanceof QuarryError))
      return undefined;
    throw error;
  }
}

/**
 * Returns the lines of `whole` that `main` lacks, with all headings if `isHeaded`. Undefined if
 * `main` is not a part of `whole`.
 */
export function subtractLines(whole: string, main: string, isHeaded = true): string | undefined {
  const known = new Set(main.split("\n").map(normalizeLine));
  known.delete("");
  const found = new Set<string>();
  const left = whole.split("\n").filter((line) => {
    const words = normalizeLine(line);
    if (words === "") return line.trim() === "";
    if (!known.has(words)) return true;
    found.add(words);
    return isHeaded && HEADING.test(line);
  });
  if (found.size < known.size * MIN_SHARED_LINES) return undefined;
  return left.join("\n").replaceAll(/\n{3,}/g, "\n\n");
}

const HEADING = /^#{1,6} /;

/** The same text may be a list item in one of them, and its links may differ. */
const normalizeLine = (line: string): string => toWords(stripLinks(line)).join(" ");
