// Recognizes a compressed sitemap as a start URL. It is not a page, but the seeder reads it.
import { QuarryError } from "../../errors.ts";
import type { PageOutcome } from "../../store/jobs/finish.ts";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import { isSitemapPath } from "../../url/file-type.ts";
import type { StoredOptions } from "../stored-options.ts";

/**
 * Returns whether the page's body or error means that it is a compressed sitemap, which the seeder
 * reads.
 */
export function isCompressedSitemap(
  { source, url }: Pick<LeasedPage, "source" | "url">,
  { crawl }: Pick<StoredOptions, "crawl">,
  came: unknown,
): boolean {
  if (source !== "start" || crawl === undefined || crawl.sitemap === "skip") return false;
  if (!isSitemapPath(URL.parse(url)?.pathname ?? "")) return false;
  if (came instanceof Uint8Array) return came[0] === 0x1f && came[1] === 0x8b;
  return came instanceof QuarryError && came.code === "SCRAPE_UNSUPPORTED_FILE_ERROR";
}

export const COMPRESSED_SITEMAP: PageOutcome = {
  type: "refused",
  refusal: { fate: "fileType", reason: "a compressed sitemap; the URLs that it lists were read" },
  credits: 0,
};
