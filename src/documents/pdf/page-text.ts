// What a PDF page brings to the layout: words with their places and faces, ruled lines, link areas, tags. Lengths are points
// (1/72 inch), the origin is the top left corner of the page as it is shown.

export type Face = {
  readonly font: string;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Of what was recognised: width of its strokes against the usual one of the page. */
  readonly weight?: number;
};

export type Box = {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
};

export type Word = Box & {
  readonly text: string;
  readonly face: Face;
  /** Words of one run stand on one line with spaces between them. */
  readonly run: number;
  /** Marked content identifier of a tagged page. */
  readonly tag: number | undefined;
  /** 0 to 1 for text that was recognised in a picture; undefined for embedded text. */
  readonly confidence: number | undefined;
};

/** A ruled line, horizontal or vertical, as its rectangle without thickness. */
export type Ruling = { readonly at: number; readonly from: number; readonly to: number };

export type LinkArea = Box & { readonly href: string };

/** An element of a tagged page's structure tree (ISO 32000-2, 14.7). */
export type TagElement = {
  readonly type: string;
  readonly tags: readonly number[];
  readonly altText: string;
  readonly columns: number;
  readonly rows: number;
  readonly children: readonly TagElement[];
};

export type PdfPage = {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly horizontals: readonly Ruling[];
  readonly verticals: readonly Ruling[];
  readonly links: readonly LinkArea[];
  readonly tags: readonly TagElement[];
};

/** A page with what the layout has to know of the whole document. */
export type PageInDocument = PdfPage & {
  /** Words of the document and how often each occurs. */
  readonly vocabulary: ReadonlyMap<string, number>;
};

export const unite = (boxes: readonly Box[]): Box => {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (box.x0 < x0) x0 = box.x0;
    if (box.y0 < y0) y0 = box.y0;
    if (box.x1 > x1) x1 = box.x1;
    if (box.y1 > y1) y1 = box.y1;
  }
  return { x0, y0, x1, y1 };
};

/** The middle value, 0 of nothing. */
export function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number;
}
