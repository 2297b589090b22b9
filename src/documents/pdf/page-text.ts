// Input of the layout for a PDF page: words with positions and faces, ruled lines, link areas,
// tags. Lengths are points (1/72 inch) from the top left corner of the page as shown.

export type Face = {
  readonly font: string;
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly mono: boolean;
  /** Stroke width of recognized text, relative to the page's usual one. */
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
  /** Words of one run are on one line with spaces between them. */
  readonly run: number;
  /** Marked content identifier of a tagged page. */
  readonly tag: number | undefined;
  /** 0 to 1 for recognized text; undefined for embedded text. */
  readonly confidence: number | undefined;
};

/** A horizontal or vertical ruled line, as its rectangle without thickness. */
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

/** A page with the document-wide facts for its layout. */
export type PageInDocument = PdfPage & {
  /** Word counts of the document. */
  readonly vocabulary: ReadonlyMap<string, number>;
};

export const joinBoxes = (boxes: readonly Box[]): Box => {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    if (box.x0 < x0) x0 = box.x0;
    if (box.y0 < y0) y0 = box.y0;
    if (box.x1 > x1) x1 = box.x1;
    if (box.y1 > y1) y1 = box.y1;
  }
  return { x0, y0, x1, y1 };
};

/** Returns the median, 0 for an empty list. */
export function computeMedian(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.toSorted((one, other) => one - other)[values.length >> 1] as number;
}
