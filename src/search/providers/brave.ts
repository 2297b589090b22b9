// Brave Search: GET /res/v1/{web,news,images}/search
// (https://api-dashboard.search.brave.com/app/documentation).
import type { FoundResult, ProviderRequest, SearchProvider, Source } from "../provider.ts";
import type { TimeRange } from "../time-range.ts";
import type { Ask } from "./ask.ts";
import { findAddress, toFields, toFieldsList, toNumber, toText, type Fields } from "./fields.ts";
import { toTextQuery } from "./text-query.ts";

export const BRAVE_URL = "https://api.search.brave.com";

/** Results per request, and the number of result pages. */
const PAGING: Readonly<Record<Source, { readonly size: number; readonly pages: number }>> = {
  web: { size: 20, pages: 10 },
  news: { size: 50, pages: 10 },
  images: { size: 100, pages: 1 },
};
const MAX_QUERY_CHARACTERS = 400;

export function createBrave(base: URL, key: string, ask: Ask): SearchProvider {
  const headers = { "x-subscription-token": key };
  return {
    name: "brave",
    async search(request, deadline) {
      const { size, pages } = PAGING[request.source];
      const results: FoundResult[] = [];
      for (let page = 0; page < pages && results.length < request.limit; page++) {
        const url = buildAddress(base, request, page);
        const found = readResults(toFields(await ask({ url, headers }, deadline)), request.source);
        results.push(...found);
        if (found.length < Math.min(size, request.limit)) break;
      }
      const isCut = toTextQuery(request).length > MAX_QUERY_CHARACTERS;
      const warnings = isCut
        ? [
            `Brave accepts queries of up to ${MAX_QUERY_CHARACTERS} characters; the rest was cut off.`,
          ]
        : [];
      return { results: results.slice(0, request.limit), warnings };
    },
  };
}

function buildAddress(base: URL, request: ProviderRequest, page: number): URL {
  const { source, range, isSafe, language } = request;
  const { size } = PAGING[source];
  const url = new URL(`${base.pathname.replace(/\/$/, "")}/res/v1/${source}/search`, base);
  const count = Math.min(size, request.limit);
  url.searchParams.set("q", toTextQuery(request).slice(0, MAX_QUERY_CHARACTERS));
  url.searchParams.set("count", String(count));
  url.searchParams.set("country", request.country.toUpperCase());
  url.searchParams.set("search_lang", (language.split("-")[0] ?? "").toLowerCase());
  if (PAGING[source].pages > 1) url.searchParams.set("offset", String(page));
  if (source === "web") url.searchParams.set("result_filter", "web");
  const freshness = toFreshness(range);
  if (freshness !== undefined && source !== "images") url.searchParams.set("freshness", freshness);
  // Image search has no moderate level.
  if (isSafe !== undefined) url.searchParams.set("safesearch", isSafe ? "strict" : "off");
  return url;
}

const UNITS = { hour: "pd", day: "pd", week: "pw", month: "pm", year: "py" } as const;

function toFreshness({ unit, since, until }: TimeRange): string | undefined {
  if (unit !== undefined) return UNITS[unit];
  if (since === undefined && until === undefined) return undefined;
  return `${formatDay(since ?? 0)}to${formatDay(until ?? Date.now())}`;
}

const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

function readResults(answer: Fields, source: Source): FoundResult[] {
  const list = source === "web" ? toFields(answer["web"])["results"] : answer["results"];
  return toFieldsList(list).flatMap((entry): FoundResult[] => {
    const url = findAddress(entry["url"]);
    if (url === undefined) return [];
    const title = toText(entry["title"]);
    if (source === "images") {
      const properties = toFields(entry["properties"]);
      const imageUrl = findAddress(properties["url"], toFields(entry["thumbnail"])["src"]);
      if (imageUrl === undefined) return [];
      const imageWidth = toNumber(properties["width"]);
      return [{ url, title, imageUrl, imageWidth, imageHeight: toNumber(properties["height"]) }];
    }
    const description = toText(entry["description"]);
    const imageUrl = findAddress(toFields(entry["thumbnail"])["src"]);
    return [{ url, title, description, date: toText(entry["age"]), imageUrl }];
  });
}
