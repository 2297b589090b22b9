// Removes running headers, footers and page numbers, which repeat at the edges of pages.
import type { PdfPage, Word } from "../page-text.ts";
import { toPieces, type Piece } from "./lines.ts";

/** Height of the page edge, as a share of the page, that can contain furniture. */
const EDGE_SHARE = 0.11;
const PAGE_NUMBER =
  /^(?:[-–—|•\s]*(?:page|seite|página|pagina|pág\.?|p\.)?\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:\/|of|von|de|di|sur)\s*\d{1,4})?[-–—|•\s]*)$/i;

const isPageNumber = (text: string): boolean => text.length <= 100 && PAGE_NUMBER.test(text);

/** Returns the pages without the words of running headers, footers and page numbers. */
export function removeFurniture<Page extends PdfPage>(pages: readonly Page[]): Page[] {
  const lines = pages.map((page) => listEdgeLines(page));
  const seen = new Map<string, Set<number>>();
  for (const [at, edges] of lines.entries())
    for (const edge of edges) {
      const on = seen.get(edge.key) ?? new Set();
      on.add(at);
      seen.set(edge.key, on);
    }
  return pages.map((page, at) => {
    const dropped = new Set<Word>();
    for (const edge of lines[at] ?? []) {
      const repeats = (seen.get(edge.key)?.size ?? 0) >= computeMinRepeats(pages.length);
      if (repeats || (edge.outermost && isPageNumber(edge.text)))
        for (const word of edge.piece.words) dropped.add(word);
    }
    if (dropped.size === 0) return page;
    return { ...page, words: page.words.filter((word) => !dropped.has(word)) };
  });
}

/** Left and right pages may differ, and title pages have none. */
const computeMinRepeats = (pages: number): number =>
  pages < 2 ? Infinity : Math.max(2, Math.ceil(pages * 0.3));

type Edge = {
  readonly piece: Piece;
  readonly text: string;
  readonly key: string;
  readonly outermost: boolean;
};

function listEdgeLines(page: PdfPage): Edge[] {
  const near = page.words.filter(
    ({ y0, y1 }) => y1 < EDGE_SHARE * page.height || y0 > (1 - EDGE_SHARE) * page.height,
  );
  const pieces = toPieces(near);
  const [top, bottom] = [
    Math.min(...pieces.map(({ y0 }) => y0)),
    Math.max(...pieces.map(({ y1 }) => y1)),
  ];
  return pieces.map((piece) => {
    const text = piece.words.map((word) => word.text).join(" ");
    const isTop = piece.y1 < EDGE_SHARE * page.height;
    const place = Math.round((isTop ? piece.y0 : page.height - piece.y1) / 6);
    return {
      piece,
      text,
      key: `${isTop ? "top" : "bottom"} ${place} ${text.replace(/\d+/g, "#").replace(/\b[ivxl]+$/i, "#")}`,
      outermost: isTop ? piece.y0 < top + 3 : piece.y1 > bottom - 3,
    };
  });
}
