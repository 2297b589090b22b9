// Checks whether the requested formats can be made of a body, with a clear error if not.
import type { Capture, ParsedFile } from "../capture.ts";
import type { Format } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { listIgnoredGovernance } from "../contract/request/caller.ts";
import { RequestError, TargetError } from "../errors.ts";
import { listDeclared } from "../formats/index.ts";
import { detectPageKind } from "../formats/page/page-kind.ts";
import { ABSENT_OPTIONS } from "./capabilities.ts";

/** Throws NOT_IMPLEMENTED with the first format this server cannot make. */
export function checkFormats(formats: readonly Format[]): void {
  for (const { declaration } of listDeclared(formats))
    if (declaration.unavailable !== undefined)
      throw new RequestError("NOT_IMPLEMENTED", declaration.unavailable);
}

/**
 * Throws NOT_IMPLEMENTED for redactPII, because the caller must not get the unredacted page.
 * Returns warnings about options without effect.
 */
export function checkOptions(options: OptionsWithoutEffect): string[] {
  if (options.redactPII !== false)
    throw new RequestError("NOT_IMPLEMENTED", ABSENT_OPTIONS.redactPII);
  const warnings = listIgnoredGovernance(options);
  if (options.onlyCleanContent) warnings.push(ABSENT_OPTIONS.onlyCleanContent);
  if (options.safeMode === true)
    warnings.push("safeMode is ignored: this server has no safe mode.");
  if (options.useMock !== undefined)
    warnings.push("useMock is ignored: pages are fetched, never simulated.");
  if (options.domainTools === true)
    warnings.push("domainTools is ignored: this server has no tool catalogue.");
  return warnings;
}

type OptionsWithoutEffect = Pick<
  ScrapeOptions,
  | "redactPII"
  | "onlyCleanContent"
  | "safeMode"
  | "useMock"
  | "domainTools"
  | "threatProtection"
  | "auditMetadata"
>;

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR for a file that cannot be turned into a requested format,
 * and the code that a format declares for anything but HTML. Error pages always pass, because the
 * caller has to see their status.
 */
export function checkFileType(capture: Capture, options: ScrapeOptions): void {
  if (capture.statusCode >= 400) return;
  const kind = detectPageKind(capture.mimeType);
  if (kind !== "html")
    refuseHtmlFormats(options.formats, `${capture.finalUrl} is ${capture.mimeType}`);
  if (findParsed(capture, options) !== undefined) return;
  const takes = listDeclared(options.formats).map(({ declaration }) => declaration.bodies?.takes);
  if (kind === "binary" && takes.every((taken) => taken === kind)) return;
  if (kind === "image" && !takes.includes(kind)) {
    throw createUnsupportedError(
      capture,
      capture.mimeType === "image/svg+xml"
        ? "ask for the rawBase64 format to get the image itself"
        : "ask for the rawBase64 format to get the image itself, or name the image parser to have its text recognized",
    );
  }
  if (kind === "pdf" && options.parsers.length > 0) {
    throw createUnsupportedError(
      capture,
      "name the pdf parser, or send an empty parsers array to get the file as base64",
    );
  }
  if (kind === "binary")
    throw createUnsupportedError(
      capture,
      "text, HTML, JSON, XML, PDF, office files and images are handled",
    );
}

/** Throws the code that the first such format declares for anything but HTML. */
export function refuseHtmlFormats(formats: readonly Format[], reason: string): void {
  for (const { declaration } of listDeclared(formats))
    if (declaration.bodies?.htmlOnly !== undefined)
      throw new TargetError(
        declaration.bodies.htmlOnly,
        `The ${declaration.name} format is read from HTML pages only; ${reason}.`,
      );
}

/** Returns the parsed file, unless the caller wants the file itself. */
export function findParsed(
  { parsed, mimeType }: Capture,
  { parsers }: Pick<ScrapeOptions, "parsers">,
): ParsedFile | undefined {
  return mimeType === "application/pdf" && !parsers.some(({ type }) => type === "pdf")
    ? undefined
    : parsed;
}

function createUnsupportedError(capture: Capture, advice: string): TargetError {
  return new TargetError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    `This server cannot process ${capture.mimeType} files such as ${capture.finalUrl}: ${advice}.`,
  );
}
