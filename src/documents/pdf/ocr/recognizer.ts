// Character recognition (Tesseract) in page images.
import { LiteParse, type LiteParseConfig } from "@llamaindex/liteparse";
import { toPdfPage } from "../to-pdf-page.ts";
import type { PdfPage, Ruling, Word } from "../page-text.ts";
import { decodePng, type Raster } from "./raster.ts";
import { readScan, type Scan } from "./read-scan.ts";

export type OcrOptions = {
  /** Folder with the trained data. */
  readonly folder: string;
  /** Tesseract language names joined by "+", such as "eng+deu". */
  readonly languages: string;
};

export type Recognizer = {
  /** Recognizes a page of a PDF, in its units. */
  readPage(pdf: Buffer, page: PdfPage): Promise<Scan>;
  /** Recognizes an image file, in points at 150 pixels per inch. */
  readPicture(file: Buffer): Promise<Scan & { readonly width: number; readonly height: number }>;
};

export const READ_TEXT: Partial<LiteParseConfig> = {
  outputFormat: "json",
  imageMode: "off",
  ocrEnabled: false,
  quiet: true,
  extractTextMetadata: true,
  emitWordBoxes: true,
  extractVectorGraphics: true,
  extractAnnotations: true,
  extractStructureTree: true,
  includeComplexity: true,
  continueOnPageError: true,
  numWorkers: 1,
};
const OCR_DPI = 150;

export function createRecognizer(ocr: OcrOptions): Recognizer {
  const parser = new LiteParse({
    ...READ_TEXT,
    ocrEnabled: true,
    tessdataPath: ocr.folder,
    ocrLanguage: ocr.languages,
    dpi: OCR_DPI,
  });
  const recognize = async (picture: Buffer, { width }: Raster): Promise<readonly Word[]> => {
    const [read] = (await parser.parse(picture)).pages;
    return read === undefined ? [] : toPdfPage(read).words.map(scaleBox(width / read.width));
  };
  return {
    async readPage(pdf, page) {
      const picture = await draw(pdf, page.number);
      const scan = await readScan(picture, OCR_DPI, recognize);
      return finish(scan, page.width / picture.width);
    },
    async readPicture(file) {
      const picture = await draw(file, 1);
      const scale = 72 / OCR_DPI;
      const scan = await readScan(picture, OCR_DPI, recognize);
      return {
        ...finish(scan, scale),
        width: picture.width * scale,
        height: picture.height * scale,
      };
    },
  };
}

async function draw(file: Buffer, number: number): Promise<Raster> {
  const drawing = new LiteParse({ ocrEnabled: false, quiet: true, dpi: OCR_DPI });
  const [drawn] = await drawing.screenshot(file, [number]);
  const picture = drawn === undefined ? undefined : decodePng(drawn.imageBuffer);
  if (picture === undefined) throw new Error("The page cannot be drawn.");
  return picture;
}

function finish({ words, horizontals, verticals }: Scan, scale: number): Scan {
  const shrink = ({ at, from, to }: Ruling): Ruling => ({
    at: at * scale,
    from: from * scale,
    to: to * scale,
  });
  return {
    words: words.map(scaleBox(scale)),
    horizontals: horizontals.map(shrink),
    verticals: verticals.map(shrink),
  };
}

const scaleBox =
  (scale: number) =>
  (word: Word): Word => ({
    ...word,
    x0: word.x0 * scale,
    x1: word.x1 * scale,
    y0: word.y0 * scale,
    y1: word.y1 * scale,
    face: { ...word.face, size: word.face.size * scale },
  });
