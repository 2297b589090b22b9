import { findIncomplete, type Capture } from "../capture.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { findParsed } from "./check-support.ts";

/**
 * Returns why the capture holds only part of the request: the body was truncated, or pages of a
 * document could not be read. Pages beyond the caller's `maxPages` do not count. Undefined when
 * nothing is missing.
 */
export function findMissing(
  capture: Capture,
  options: Pick<ScrapeOptions, "parsers">,
): string | undefined {
  const incomplete = findIncomplete(capture);
  if (incomplete !== undefined) return incomplete.replace(/\.$/, "");
  const file = findParsed(capture, options);
  if (file?.totalPages === undefined) return undefined;
  const pdf = options.parsers.find(({ type }) => type === "pdf");
  const maxPages = pdf?.type === "pdf" ? (pdf.maxPages ?? Infinity) : Infinity;
  const wanted = Math.min(maxPages, file.totalPages);
  // Mode fast omits the text of pictures on request.
  const isFast = pdf?.type === "pdf" && pdf.mode === "fast";
  const isRead = (status: string): boolean => status === "ok" || (isFast && status === "partial");
  const read = file.pages.filter(({ status }) => isRead(status)).length;
  return read < wanted ? `${read} of ${wanted} pages were read completely` : undefined;
}
