// Checks whether the requested formats can be made of a body, with a clear error if not.
import type { Capture, ParsedFile } from "../capture.ts";
import { findFormat, type Format } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { RequestError, TargetError } from "../errors.ts";
import { whyUnavailable } from "../formats/unavailable.ts";
import { pageKind } from "../formats/page-kind.ts";
import { ABSENT_OPTIONS } from "./capabilities.ts";

/** Throws NOT_IMPLEMENTED with the first format this server cannot make. */
export function checkFormats(formats: readonly Format[]): void {
  for (const { type } of formats) {
    const reason = whyUnavailable(type);
    if (reason !== undefined) throw new RequestError("NOT_IMPLEMENTED", reason);
  }
}

/**
 * Throws NOT_IMPLEMENTED for redactPII, because the caller must not get the unredacted page.
 * Returns warnings about options without effect.
 */
export function checkOptions({
  redactPII,
  onlyCleanContent,
}: Pick<ScrapeOptions, "redactPII" | "onlyCleanContent">): string[] {
  if (redactPII !== false) throw new RequestError("NOT_IMPLEMENTED", ABSENT_OPTIONS.redactPII);
  return onlyCleanContent ? [ABSENT_OPTIONS.onlyCleanContent] : [];
}

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a file that cannot be turned into a requested format,
 * and SCRAPE_BRANDING_NOT_SUPPORTED for branding of anything but HTML. Error pages always pass,
 * because the caller has to see their status.
 */
export function checkFileType(capture: Capture, options: ScrapeOptions): void {
  if (capture.statusCode >= 400) return;
  const kind = pageKind(capture.mimeType);
  if (kind !== "html" && findFormat(options.formats, "branding") !== undefined) {
    throw new TargetError(
      "SCRAPE_BRANDING_NOT_SUPPORTED",
      `Branding is read from HTML pages only; ${capture.finalUrl} is ${capture.mimeType}.`,
    );
  }
  if (parsedOf(capture, options) !== undefined) return;
  // The audio format accepts pure media files.
  if (kind === "binary" && options.formats.every(({ type }) => type === "audio")) return;
  if (kind === "image" && findFormat(options.formats, "rawBase64") === undefined) {
    throw unsupported(
      capture,
      capture.mimeType === "image/svg+xml"
        ? "ask for the rawBase64 format to get the image itself"
        : "ask for the rawBase64 format to get the image itself, or name the image parser to have its text recognised",
    );
  }
  if (kind === "pdf" && options.parsers.length > 0) {
    throw unsupported(
      capture,
      "name the pdf parser, or send an empty parsers array to get the file as base64",
    );
  }
  if (kind === "binary")
    throw unsupported(capture, "text, HTML, JSON, XML, PDF, office files and images are handled");
}

/** Returns the parsed file, unless the caller wants the file itself. */
export function parsedOf(
  { parsed, mimeType }: Capture,
  { parsers }: Pick<ScrapeOptions, "parsers">,
): ParsedFile | undefined {
  return mimeType === "application/pdf" && !parsers.some(({ type }) => type === "pdf")
    ? undefined
    : parsed;
}

function unsupported(capture: Capture, advice: string): TargetError {
  return new TargetError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    `This server cannot process ${capture.mimeType} files such as ${capture.finalUrl}: ${advice}.`,
  );
}
