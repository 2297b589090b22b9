// A page as lines with references for a language model, counted in tokens. Created in a worker
// thread.
import type { NumberOrder } from "../../html/metadata/date-text.ts";
import { resolveUrl } from "../../html/links/base-url.ts";
import { readPageLines, type PageLine } from "../../page-model/page-lines.ts";
import type { Findings } from "../json/declared/findings.ts";
import { readDataLines } from "../json/declared/data-lines.ts";
import { estimateTokens } from "./page-as-data.ts";

export type CountedLine = PageLine & {
  readonly tokens: number;
  /** Machine-readable data. */
  readonly isData: boolean;
};

export type ModelPage = {
  readonly lines: readonly CountedLine[];
  /** Pieces of the page beyond the limits; they are in no line. */
  readonly left: number;
  /** Base of relative addresses. */
  readonly base: string;
  readonly order: NumberOrder;
};

type CountTokens = (text: string) => number;

/**
 * Call it before anything prunes the page. `text` is the content as Markdown; undefined for an HTML
 * page.
 */
export function toModelPage(
  findings: Findings,
  { base, text }: { readonly base: string; readonly text?: string | undefined },
  countTokens: CountTokens = estimateTokens,
): ModelPage {
  const { model, order } = findings;
  const data = readDataLines(findings);
  const shown =
    text === undefined && model !== undefined
      ? readPageLines(model, { resolve: (written) => resolveUrl(written, base) })
      : readTextLines(text ?? "");
  const count = (line: PageLine, isData: boolean): CountedLine => ({
    ...line,
    tokens: countTokens(line.text) + 1,
    isData,
  });
  return {
    lines: [
      ...data.lines.map((line) => count(line, true)),
      ...shown.lines.map((line) => count(line, false)),
    ],
    left: data.left + shown.left,
    base,
    order,
  };
}

const MAX_LINE = 1_500;
const MAX_LINES = 40_000;

/** Lines of a text without a page model, such as the Markdown of a PDF file. */
function readTextLines(text: string): { lines: readonly PageLine[]; left: number } {
  const lines: PageLine[] = [];
  let left = 0;
  for (const written of text.split("\n")) {
    if (written.trim() === "") continue;
    const level = /^(#{1,6})\s/.exec(written)?.[1]?.length ?? 0;
    for (let from = 0; from < written.length; from += MAX_LINE) {
      if (lines.length >= MAX_LINES) {
        left += 1;
        break;
      }
      const words = written.slice(from, from + MAX_LINE).trim();
      const ref = `t${lines.length + 1}`;
      lines.push({ text: `${ref} ${words}`, places: [{ ref, words }], level, isAside: false });
    }
  }
  return { lines, left };
}
