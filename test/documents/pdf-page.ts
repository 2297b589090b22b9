// Builds pages as the PDF reader returns them, from lines; for layout tests.
import type { Face, PdfPage, Word } from "../../src/documents/pdf/page-text.ts";

export type TextAt = {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly bold?: boolean;
  readonly mono?: boolean;
  readonly tag?: number;
};

/** Monospace: a character is half as wide as the type size. */
export function buildWords(lines: readonly TextAt[]): Word[] {
  return lines.flatMap(({ x, y, text, size = 10, bold = false, mono = false, tag }, run) => {
    const face: Face = { font: "Test", size, bold, italic: false, mono };
    return [...text.matchAll(/\S+/gu)].map((match): Word => ({
      text: match[0],
      x0: x + match.index * size * 0.5,
      x1: x + (match.index + match[0].length) * size * 0.5,
      y0: y - size,
      y1: y,
      face,
      run,
      tag,
      confidence: undefined,
    }));
  });
}

export function buildPdfPage(lines: readonly TextAt[], more: Partial<PdfPage> = {}): PdfPage {
  return {
    number: 1,
    width: 600,
    height: 800,
    words: buildWords(lines),
    horizontals: [],
    verticals: [],
    links: [],
    tags: [],
    ...more,
  };
}

/** Lines below each other. */
export const column = (
  x: number,
  y: number,
  texts: readonly string[],
  more: Partial<TextAt> = {},
): TextAt[] => texts.map((text, at) => ({ x, y: y + at * 12, text, ...more }));
