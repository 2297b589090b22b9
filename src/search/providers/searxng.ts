// SearXNG: GET /search with format=json (https://docs.searxng.org/dev/search_api.html).
import type { FoundResult, ProviderRequest, SearchProvider, Source } from "../provider.ts";
import type { Ask } from "./ask.ts";
import { findAddress, toFields, toFieldsList, toText } from "./fields.ts";
import { toTextQuery } from "./text-query.ts";

const CATEGORY: Readonly<Record<Source, string>> = {
  web: "general",
  news: "news",
  images: "images",
};
/**
 * Result pages have ten or more entries, depending on the engines. Later pages have no new results.
 */
const MAX_PAGES = 10;

export function createSearxng(base: URL, ask: Ask): SearchProvider {
  return {
    name: "searxng",
    async search(request, deadline) {
      const results: FoundResult[] = [];
      const seen = new Set<string>();
      const warnings: string[] = [];
      for (let page = 1; page <= MAX_PAGES && results.length < request.limit; page++) {
        const answer = toFields(await ask({ url: buildAddress(base, request, page) }, deadline));
        const before = results.length;
        for (const entry of toFieldsList(answer["results"])) {
          const found = toFound(entry, request.source);
          if (found === undefined || seen.has(toKey(found))) continue;
          seen.add(toKey(found));
          results.push(found);
        }
        if (page === 1)
          warnings.push(...listFaults(answer["unresponsive_engines"], results.length));
        if (results.length === before) break;
      }
      return { results: results.slice(0, request.limit), warnings };
    },
  };
}

const toKey = ({ url, imageUrl }: FoundResult): string => imageUrl ?? url;

function buildAddress(base: URL, request: ProviderRequest, page: number): URL {
  const url = new URL(`${base.pathname.replace(/\/(?:search)?$/, "")}/search`, base);
  const { range, isSafe, language } = request;
  const country = request.country.toUpperCase();
  url.searchParams.set("q", toTextQuery(request));
  url.searchParams.set("format", "json");
  url.searchParams.set("categories", CATEGORY[request.source]);
  url.searchParams.set("language", language.includes("-") ? language : `${language}-${country}`);
  url.searchParams.set("pageno", String(page));
  if (range.unit !== undefined)
    url.searchParams.set("time_range", range.unit === "hour" ? "day" : range.unit);
  if (isSafe !== undefined) url.searchParams.set("safesearch", isSafe ? "2" : "0");
  return url;
}

function toFound(
  entry: Readonly<Record<string, unknown>>,
  source: Source,
): FoundResult | undefined {
  const url = findAddress(entry["url"]);
  if (url === undefined) return undefined;
  const imageUrl = findAddress(entry["img_src"], entry["thumbnail_src"], entry["thumbnail"]);
  if (source === "images" && imageUrl === undefined) return undefined;
  const [, width, height] = /^(\d+)\s*[x×]\s*(\d+)/.exec(toText(entry["resolution"]) ?? "") ?? [];
  return {
    url,
    title: toText(entry["title"]),
    description: toText(entry["content"]),
    date: toText(entry["publishedDate"]) ?? toText(entry["pubdate"]),
    imageUrl,
    imageWidth: width === undefined ? undefined : Number(width),
    imageHeight: height === undefined ? undefined : Number(height),
  };
}

/** Engines that did not answer; reported when there are few results. */
function listFaults(engines: unknown, count: number): string[] {
  if (!Array.isArray(engines) || engines.length === 0 || count > 0) return [];
  const names = engines.map((entry) => (Array.isArray(entry) ? entry.join(": ") : String(entry)));
  return [`Search engines that did not answer: ${names.slice(0, 5).join(", ").slice(0, 300)}.`];
}
