// Converts a PDF to pages: embedded text first, text recognition in page images only if needed or
// requested.
import { LiteParse, type PageComplexityStats, type ParsedPage } from "@llamaindex/liteparse";
import { TargetError } from "../../errors.ts";
import { toPdfPage } from "./to-pdf-page.ts";
import type { PdfPage, Word } from "./page-text.ts";
import { ReadBudget } from "./read-budget.ts";
import { createRecognizer, type OcrOptions, READ_TEXT, type Recognizer } from "./ocr/recognizer.ts";

export type PdfReadOptions = {
  readonly mode: "fast" | "auto" | "ocr";
  readonly maxPages: number;
  readonly ocr: OcrOptions | undefined;
  /** Time budget in milliseconds. Pages not read by then are omitted. */
  readonly budgetMs: number;
  /**
   * The layout step for the pages. It is timed once in long files to estimate how much time it
   * needs.
   */
  readonly layOut?: (pages: readonly PdfPage[]) => void;
  /** Reports progress at intervals. */
  readonly onProgress?: (progress: { pagesDone: number; pagesWanted: number }) => void;
  /**
   * Called when the time is up during a page whose recognition cannot be stopped and still uses a
   * CPU.
   */
  readonly onAbandoned?: () => void;
};

export type PdfReading = {
  readonly pages: readonly PdfPage[];
  /** Pages with missing text. */
  readonly wanting: ReadonlyMap<number, "partial" | "failed">;
  readonly totalPages: number;
  readonly warnings: readonly string[];
};

const PAGES_PER_BATCH = 16;
/** A page with up to this much text beside its image (a stamp, a page number) is still a scan. */
const MAX_SCAN_CHARACTERS = 120;
/** Minimum area of letters drawn as shapes, in square points. */
const MIN_DRAWN_AREA = 2_000;

/**
 * Reads up to `maxPages` pages. Throws SCRAPE_UNSUPPORTED_FILE_ERROR for an encrypted or damaged
 * file, SCRAPE_PDF_OCR_REQUIRED in mode fast if no page has text, and
 * SCRAPE_PDF_INSUFFICIENT_TIME_ERROR if the time does not suffice for a single page.
 */
export async function readPdf(bytes: Uint8Array, options: PdfReadOptions): Promise<PdfReading> {
  const reader = new PdfReader(bytes, options);
  return await reader.read();
}

class PdfReader {
  readonly #bytes: Buffer;
  readonly #options: PdfReadOptions;
  readonly #time: ReadBudget;
  readonly #pages: PdfPage[] = [];
  readonly #wanting = new Map<number, "partial" | "failed">();
  readonly #warnings: string[] = [];
  readonly #scans: {
    readonly number: number;
    readonly hasText: boolean;
    readonly garbled: boolean;
  }[] = [];
  #totalPages = 0;
  #isClosed = false;
  #recognized = 0;

  constructor(bytes: Uint8Array, options: PdfReadOptions) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#options = options;
    this.#time = new ReadBudget(options.budgetMs);
  }

  async read(): Promise<PdfReading> {
    try {
      await this.#readText();
    } catch (error) {
      throw translate(error);
    }
    if (this.#pages.length > 0 && this.#pages.length === this.#scans.length && this.#time.isOver())
      throw createTimeoutError(this.#options.budgetMs);
    if (this.#options.mode === "fast") this.#skipScans();
    else await this.#recognize();
    if (this.#pages.length === 0) throw createDamagedError("no page is readable");
    this.#isClosed = true;
    return {
      pages: this.#pages,
      wanting: this.#wanting,
      totalPages: this.#totalPages,
      warnings: this.#warnings,
    };
  }

  #reportProgress(): void {
    this.#options.onProgress?.({
      pagesDone: this.#pages.length - this.#scans.length + this.#recognized,
      pagesWanted: Math.min(this.#options.maxPages, this.#totalPages),
    });
  }

  async #readText(): Promise<void> {
    const { maxPages } = this.#options;
    const parser = new LiteParse({ ...READ_TEXT, maxPages });
    for await (const { result, totalPages } of parser.parseBatches(this.#bytes, {
      batchSize: PAGES_PER_BATCH,
    })) {
      this.#totalPages = totalPages;
      for (const page of result.pages) this.#addPage(page);
      for (const { pageNum } of result.pageErrors) this.#wanting.set(pageNum, "failed");
      const wanted = Math.min(maxPages, totalPages);
      this.#reportProgress();
      if (this.#pages.length < wanted && this.#time.mustStopReading(this.#layOut)) {
        this.#warnings.push(
          `The time ran out before the whole PDF was read: ${this.#pages.length} of ${wanted} pages were read.`,
        );
        break;
      }
    }
    const failed = [...this.#wanting.keys()];
    if (failed.length > 0)
      this.#warnings.push(`Damaged pages could not be read: ${listPages(failed)}.`);
  }

  readonly #layOut = (): void => this.#options.layOut?.(this.#pages);

  #addPage(page: ParsedPage): void {
    this.#pages.push(toPdfPage(page));
    const { complexity } = page;
    const garbled = complexity?.isGarbled === true;
    const isScan = complexity !== undefined && (garbled || isPicture(complexity));
    if (isScan || this.#options.mode === "ocr")
      this.#scans.push({
        number: page.pageNum,
        hasText: (complexity?.textLength ?? 0) > 0,
        garbled,
      });
  }

  #skipScans(): void {
    const scans = this.#scans.map(({ number }) => number);
    if (scans.length === 0) return;
    const hasText = this.#pages.some(
      ({ number, words }) => words.length > 0 && !scans.includes(number),
    );
    if (!hasText) {
      throw new TargetError(
        "SCRAPE_PDF_OCR_REQUIRED",
        "The PDF pages are images without text; use mode auto or ocr to recognize it.",
      );
    }
    for (const number of scans) this.#wanting.set(number, "partial");
    this.#warnings.push(`Skipped image-only pages, as in mode fast: ${listPages(scans)}.`);
  }

  async #recognize(): Promise<void> {
    const { ocr } = this.#options;
    if (this.#scans.length === 0) return;
    if (ocr === undefined) {
      for (const { number } of this.#scans) this.#wanting.set(number, "partial");
      this.#warnings.push(
        "Text in pictures could not be recognized: no language data is installed.",
      );
      return;
    }
    const recognizer = createRecognizer(ocr);
    const left: number[] = [];
    for (const scan of this.#scans) {
      if (this.#time.isOver() || !(await this.#waitInTime(this.#recognizePage(recognizer, scan))))
        left.push(scan.number);
      else {
        this.#recognized++;
        this.#reportProgress();
      }
    }
    for (const number of left) this.#wanting.set(number, "partial");
    if (left.length > 0 && this.#pages.every(({ words }) => words.length === 0))
      throw createTimeoutError(this.#options.budgetMs);
    if (left.length > 0)
      this.#warnings.push(
        `The time ran out before the text of pages ${listPages(left)} was recognized.`,
      );
  }

  /** Returns true if the work finished before the time was up. */
  async #waitInTime(work: Promise<void>): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(
      () => resolve(false),
      Math.max(0, this.#time.endsAt - performance.now()),
    );
    const isDone = await Promise.race([work.then(() => true), promise]);
    clearTimeout(timer);
    if (!isDone) this.#options.onAbandoned?.();
    return isDone;
  }

  async #recognizePage(
    recognizer: Recognizer,
    { number, garbled }: { number: number; garbled: boolean },
  ): Promise<void> {
    const at = this.#pages.findIndex((page) => page.number === number);
    const page = this.#pages[at];
    if (page === undefined) return;
    try {
      const scan = await recognizer.readPage(this.#bytes, page);
      if (this.#isClosed) return;
      const replaces = garbled || this.#options.mode === "ocr";
      const kept = replaces ? [] : page.words;
      const added = scan.words.filter((word) => !kept.some((other) => overlaps(word, other)));
      if (added.length === 0 && replaces) return;
      this.#pages[at] = { ...page, ...scan, words: [...kept, ...added], tags: [] };
    } catch {
      if (this.#isClosed) return;
      this.#wanting.set(number, "partial");
      this.#warnings.push(`The text in the picture of page ${number} could not be recognized.`);
    }
  }
}

/** True for a page with hardly any text of its own and content that may be text. */
function isPicture(page: PageComplexityStats): boolean {
  if (!page.needsOcr || page.textLength >= MAX_SCAN_CHARACTERS) return false;
  return (
    page.fullPageImage ||
    page.hasSubstantialImages ||
    page.largestImageCoverage > 0.1 ||
    (page.uncoveredVectorArea ?? 0) > MIN_DRAWN_AREA
  );
}

const overlaps = (one: Word, other: Word): boolean =>
  Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0) > 1 &&
  Math.min(one.y1, other.y1) - Math.max(one.y0, other.y0) > 2;

/** Formats page numbers for display: "1–3, 7". */
function listPages(numbers: readonly number[]): string {
  const parts: { from: number; to: number }[] = [];
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = parts.at(-1);
    if (last !== undefined && number === last.to + 1) last.to = number;
    else parts.push({ from: number, to: number });
  }
  const shown = parts
    .slice(0, 20)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  return shown.join(", ") + (parts.length > 20 ? ", …" : "");
}

const createTimeoutError = (budgetMs: number): TargetError =>
  new TargetError(
    "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
    `Insufficient time to process PDF: ${Math.round(budgetMs)} ms were left for it. Set a longer timeout or a smaller maxPages.`,
  );

function translate(error: unknown): Error {
  if (error instanceof TargetError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/password|encrypt|security/i.test(text))
    return new TargetError(
      "SCRAPE_UNSUPPORTED_FILE_ERROR",
      "The PDF is encrypted: it cannot be read without its password.",
      { cause: error },
    );
  return createDamagedError(text.slice(0, 200), error);
}

const createDamagedError = (why: string, cause?: unknown): TargetError =>
  new TargetError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    `The PDF is damaged and cannot be read (${why}).`,
    { cause },
  );
