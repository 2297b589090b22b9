import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { RequestError } from "../errors.ts";
import { refuseHtmlFormats } from "./check-support.ts";

/**
 * Rejects page-only options for a file. Throws SCRAPE_ACTIONS_NOT_SUPPORTED and the codes that
 * formats declare.
 */
export function refuseFile({ actions, formats }: Pick<ScrapeOptions, "actions" | "formats">): void {
  if (actions.length > 0)
    throw new RequestError(
      "SCRAPE_ACTIONS_NOT_SUPPORTED",
      "Actions run on web pages; this URL leads to a PDF or another file.",
    );
  refuseHtmlFormats(formats, "this URL leads to a file");
}
