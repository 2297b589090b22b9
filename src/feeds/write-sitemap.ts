// Sitemaps and their indexes (https://www.sitemaps.org/protocol.html).
import { escapeXml } from "../runtime/escape-xml.ts";

export const SITEMAP_TYPE = "application/xml; charset=utf-8";

/** Maximum URLs of one sitemap, by the protocol. */
export const MAX_SITEMAP_URLS = 50_000;

export type SitemapEntry = {
  readonly url: string;
  /** ISO 8601 date of the last change. */
  readonly changed?: string | undefined;
};

const START = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** A day, or a time with an offset, as the W3C date format demands. */
const W3C_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Yields the document in pieces. */
export async function* writeSitemap(
  groups: AsyncIterable<readonly SitemapEntry[]>,
): AsyncGenerator<string> {
  yield `${START}\n<urlset xmlns="${NAMESPACE}">\n`;
  for await (const group of groups) if (group.length > 0) yield group.map(writeUrl).join("");
  yield "</urlset>\n";
}

function writeUrl({ url, changed }: SitemapEntry): string {
  const lastmod =
    changed !== undefined && W3C_DATE.test(changed) ? `<lastmod>${changed}</lastmod>` : "";
  return `  <url><loc>${escapeXml(url)}</loc>${lastmod}</url>\n`;
}

export const writeSitemapIndex = (parts: readonly string[]): string =>
  `${START}\n<sitemapindex xmlns="${NAMESPACE}">\n${parts
    .map((url) => `  <sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`)
    .join("")}</sitemapindex>\n`;
