// The engine for files: parses what another engine fetched. Files are recognized by their bytes,
// not by name or label.
import { findIncomplete, type Capture, type ParsedFile } from "../capture.ts";
import type { Config } from "../config.ts";
import type { Parser } from "../contract/page/parsers.ts";
import type { Deadline } from "../deadline.ts";
import { findOfficeKind, findOfficeKindByName } from "../documents/office/kinds.ts";
import { createOcrData, type OcrData } from "../documents/ocr-data.ts";
import { createDocumentPool, type DocumentPool } from "../documents/pool.ts";
import { limitDocumentProcesses } from "../documents/process-limits.ts";
import type { ParseProgress, ParseWork } from "../documents/protocol.ts";
import { LimitError, TargetError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { getOcrFolder } from "../store/database/data-folder.ts";

export type DocumentOptions = {
  readonly parsers: readonly Parser[];
  /** Languages of the text as BCP 47 tags. */
  readonly languages: readonly string[];
};

export type DocumentEngine = {
  /** True if this engine handles the capture. */
  suits(capture: Capture, options: DocumentOptions): boolean;
  /**
   * Parses the file of a capture. Throws SCRAPE_UNSUPPORTED_FILE_ERROR (encrypted, damaged, too
   * large inside), SCRAPE_PDF_OCR_REQUIRED, SCRAPE_PDF_INSUFFICIENT_TIME_ERROR, SCRAPE_TIMEOUT.
   */
  parse(
    capture: Capture,
    options: DocumentOptions,
    deadline: Deadline,
    listener?: ProgressListener,
  ): Promise<Capture>;
};

/** Receives progress while long PDFs are parsed. */
export type ProgressListener = {
  readonly onProgress: (progress: ParseProgress) => void;
  /** Minimum interval between two reports about a file. */
  readonly everyMs: number;
};

type DocumentParts = {
  readonly pool: DocumentPool;
  readonly ocr: OcrData;
  readonly listener?: ProgressListener | undefined;
};

/** Maximum pages of a PDF when the caller sets no number. */
const MAX_PAGES = 10_000;
/** Time reserved for layout and formats: a share of the remaining time, within bounds. */
const RESERVE = { share: 0.15, minMs: 150, maxMs: 3_000 } as const;
const PICTURES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/tiff",
  "image/gif",
  "image/bmp",
  "image/x-ms-bmp",
]);

/** Opens the engine. Its processes start with the first file; the opener closes it. */
export function openDocumentEngine(
  config: Pick<Config, "dataDir" | "documentMemoryMiB" | "ocrLanguages">,
  listener?: ProgressListener,
): DocumentEngine & { close(): Promise<void> } {
  const pool = createDocumentPool(limitDocumentProcesses(config.documentMemoryMiB));
  const ocr = createOcrData(getOcrFolder(config), config.ocrLanguages);
  return { ...createDocumentEngine({ pool, ocr, listener }), close: () => pool.close() };
}

export function createDocumentEngine({ pool, ocr, listener }: DocumentParts): DocumentEngine {
  return {
    suits: (capture, options) =>
      capture.parsed === undefined && findKind(capture, options) !== undefined,
    async parse(capture, options, deadline, callerListener) {
      const kind = findKind(capture, options);
      if (kind === undefined || capture.parsed !== undefined) return capture;
      const warnings: string[] = [];
      const work = await toWork(capture, kind, options, deadline, { ocr, warnings });
      if (work === undefined) return capture;
      let progress: ParseProgress | undefined;
      const started = performance.now();
      const reporters = [createReporter(listener), createReporter(callerListener)];
      const note = (made: ParseProgress): void => {
        progress = made;
        for (const tell of reporters) tell(made);
      };
      const file = await pool.parse(work, deadline, note).catch((error: unknown) => {
        if (kind === "pdf" && isTimeout(error))
          throw createTimeoutError(deadline, progress, performance.now() - started);
        throw withMissing(error, capture);
      });
      const parsed: ParsedFile = { ...file, warnings: [...warnings, ...file.warnings] };
      return { ...capture, engine: "document", parsed };
    },
  };
}

const LOG_EVERY_MS = 10_000;

export const logProgress = (log: Logger): ProgressListener => ({
  onProgress: (progress) => log.info(progress, "a long PDF is being read"),
  everyMs: LOG_EVERY_MS,
});

/**
 * Reports progress at intervals, and the last page if it reported before; fast files are not
 * reported.
 */
function createReporter(listener: ProgressListener | undefined): (progress: ParseProgress) => void {
  let last = performance.now();
  let hasTold = false;
  return (progress) => {
    const isEnd = hasTold && progress.pagesDone >= progress.pagesWanted;
    if (listener === undefined || (!isEnd && performance.now() - last < listener.everyMs)) return;
    last = performance.now();
    hasTold = true;
    listener.onProgress(progress);
  };
}

/** Adds to the error of a damaged file that it is incomplete. */
function withMissing(error: unknown, capture: Capture): unknown {
  const incomplete = findIncomplete(capture);
  if (incomplete === undefined || !(error instanceof TargetError)) return error;
  return new TargetError(error.code, `${incomplete} ${error.message}`, { cause: error });
}

const isTimeout = (error: unknown): boolean =>
  error instanceof LimitError && error.code === "SCRAPE_TIMEOUT";

/** Reports the progress and estimates the remaining time. */
function createTimeoutError(
  { totalMs }: Deadline,
  progress: ParseProgress | undefined,
  tookMs: number,
): TargetError {
  const { pagesDone = 0, pagesWanted = 0 } = progress ?? {};
  const remainingMs =
    pagesDone === 0 ? undefined : (tookMs / pagesDone) * (pagesWanted - pagesDone);
  return new TargetError(
    "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
    `Insufficient time to process PDF within the timeout of ${totalMs} ms${pagesWanted === 0 ? "" : `: ${pagesDone} of ${pagesWanted} pages were done`}. Set a longer timeout or a smaller maxPages.`,
    pagesWanted === 0
      ? {}
      : {
          details: {
            documentPages: pagesWanted,
            pagesDone,
            ...(remainingMs === undefined
              ? {}
              : { estimatedRemainingSeconds: Math.ceil(remainingMs / 1_000) }),
          },
        },
  );
}

type Kind = "pdf" | "image" | "office";

function findKind(capture: Capture, { parsers }: DocumentOptions): Kind | undefined {
  if (capture.statusCode >= 400 || capture.body.byteLength === 0) return undefined;
  const { mimeType } = capture;
  if (mimeType === "application/pdf")
    return parsers.some(({ type }) => type === "pdf") ? "pdf" : undefined;
  if (PICTURES.has(mimeType))
    return parsers.some(({ type }) => type === "image") ? "image" : undefined;
  return findOfficeKind(mimeType) === undefined ? undefined : "office";
}

async function toWork(
  capture: Capture,
  kind: Kind,
  { parsers, languages }: DocumentOptions,
  deadline: Deadline,
  { ocr, warnings }: { ocr: OcrData; warnings: string[] },
): Promise<ParseWork | undefined> {
  const left = deadline.getTimeLeftMs();
  const reserve = Math.min(RESERVE.maxMs, Math.max(RESERVE.minMs, left * RESERVE.share));
  const plain = {
    bytes: capture.body,
    url: capture.finalUrl,
    budgetMs: Math.max(0, left - reserve),
  };
  if (kind === "office") {
    const named = findOfficeKind(capture.mimeType);
    const format = named === "any" ? findOfficeKindByName(capture.finalUrl) : named;
    return { ...plain, kind, format, contentType: capture.contentType };
  }
  const pdf = parsers.find((parser) => parser.type === "pdf");
  const data = pdf?.mode === "fast" && kind === "pdf" ? undefined : await ocr.prepare(languages);
  if (data !== undefined && data.missing.length > 0)
    warnings.push(`No text recognition data for ${data.missing.join(", ")} is installed.`);
  if (kind === "image")
    return data?.ocr === undefined ? undefined : { ...plain, kind, ocr: data.ocr };
  return {
    ...plain,
    kind,
    mode: pdf?.mode ?? "auto",
    maxPages: pdf?.maxPages ?? MAX_PAGES,
    ocr: data?.ocr,
  };
}
