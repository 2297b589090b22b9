import { findFormat } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { RequestError, TargetError } from "../errors.ts";

/**
 * Rejects page-only options for a file. Throws SCRAPE_ACTIONS_NOT_SUPPORTED,
 * SCRAPE_BRANDING_NOT_SUPPORTED.
 */
export function refuseFile({ actions, formats }: Pick<ScrapeOptions, "actions" | "formats">): void {
  if (actions.length > 0)
    throw new RequestError(
      "SCRAPE_ACTIONS_NOT_SUPPORTED",
      "Actions run on web pages; this URL leads to a PDF or another file.",
    );
  if (findFormat(formats, "branding") !== undefined)
    throw new TargetError(
      "SCRAPE_BRANDING_NOT_SUPPORTED",
      "The branding format is read from HTML pages; this URL leads to a file.",
    );
}
