import { findIncomplete, type Capture } from "../capture.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { parsedOf } from "./unsupported.ts";

/**
 * Why the capture holds only a part of what was asked for: the body ended early, or pages of a document could not be read.
 * Pages beyond the caller's own `maxPages` are not missing. Undefined when nothing is.
 */
export function findMissing(
  capture: Capture,
  options: Pick<ScrapeOptions, "parsers">,
): string | undefined {
  const incomplete = findIncomplete(capture);
  if (incomplete !== undefined) return incomplete.replace(/\.$/, "");
  const file = parsedOf(capture, options);
  if (file?.totalPages === undefined) return undefined;
  const pdf = options.parsers.find(({ type }) => type === "pdf");
  const maxPages = pdf?.type === "pdf" ? (pdf.maxPages ?? Infinity) : Infinity;
  const wanted = Math.min(maxPages, file.totalPages);
  // Mode fast leaves out the text of pictures because the caller wants it so.
  const isFast = pdf?.type === "pdf" && pdf.mode === "fast";
  const isRead = (status: string): boolean => status === "ok" || (isFast && status === "partial");
  const read = file.pages.filter(({ status }) => isRead(status)).length;
  return read < wanted ? `${read} of ${wanted} pages were read completely` : undefined;
}
