// Serper: POST /search, /news and /images with the key in X-API-KEY (https://serper.dev).
import type { FoundResult, ProviderRequest, SearchProvider, Source } from "../provider.ts";
import type { Ask } from "./ask.ts";
import { findAddress, toFields, toFieldsList, toNumber, toText, type Fields } from "./fields.ts";
import { toTextQuery } from "./text-query.ts";

export const SERPER_URL = "https://google.serper.dev";

const PATHS: Readonly<Record<Source, string>> = { web: "search", news: "news", images: "images" };
const LISTS: Readonly<Record<Source, string>> = { web: "organic", news: "news", images: "images" };

/** Serper returns about ten results at a time, regardless of `num`. */
const MAX_PAGES = 10;
const FULL_PAGE = 8;

export function createSerper(base: URL, key: string, ask: Ask): SearchProvider {
  const headers = { "x-api-key": key };
  return {
    name: "serper",
    async search(request, deadline) {
      const { source, limit } = request;
      const url = new URL(`${base.pathname.replace(/\/$/, "")}/${PATHS[source]}`, base);
      const results: FoundResult[] = [];
      for (let page = 1; page <= MAX_PAGES && results.length < limit; page++) {
        const body = { ...buildBody(request), ...(page > 1 ? { page } : {}) };
        const answer = toFields(await ask({ url, body, headers }, deadline));
        const found = toFieldsList(answer[LISTS[source]]).flatMap((entry) =>
          toFound(entry, source),
        );
        results.push(...found);
        if (found.length < FULL_PAGE) break;
      }
      return { results: results.slice(0, limit), warnings: [] };
    },
  };
}

function buildBody(request: ProviderRequest): object {
  const { limit, country, language, location, tbs, isSafe } = request;
  return {
    q: toTextQuery(request),
    num: limit,
    gl: country,
    hl: language,
    ...(location === undefined ? {} : { location }),
    ...(tbs === undefined ? {} : { tbs }),
    ...(isSafe === true ? { safe: "active" } : {}),
  };
}

function toFound(entry: Fields, source: Source): FoundResult[] {
  const url = findAddress(entry["link"]);
  if (url === undefined) return [];
  const imageUrl = findAddress(entry["imageUrl"], entry["thumbnailUrl"]);
  if (source === "images" && imageUrl === undefined) return [];
  return [
    {
      url,
      title: toText(entry["title"]),
      description: toText(entry["snippet"]),
      date: toText(entry["date"]),
      imageUrl,
      imageWidth: toNumber(entry["imageWidth"]),
      imageHeight: toNumber(entry["imageHeight"]),
    },
  ];
}
