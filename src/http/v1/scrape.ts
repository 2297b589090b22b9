import type { Document } from "../../contract/page/document.ts";
import type { V1ScrapeOptions } from "../../contract/v1/v1-scrape.ts";
import type { Call, Handlers } from "../route.ts";
import { createScrapeHandlers, type ScrapeRouteParts } from "../v2/scrape.ts";
import { toV1Handlers } from "./to-v1-handlers.ts";

export function createV1ScrapeHandlers(parts: ScrapeRouteParts): Handlers {
  return {
    ...toV1Handlers(createScrapeHandlers(parts)),
    "POST /v1/scrape": async ({ body, identity, request, signal }: Call<V1ScrapeOptions>) => {
      const { options, jsonNames } = body;
      const base = parts.address(request, "");
      const context = { identity, requestId: request.id, base, signal, explain: false };
      const result = await parts.scrape(options, { ...context, apiVersion: "v1" });
      const data = toV1Document(result.document, jsonNames);
      const isOwnSite = options.origin.includes("website");
      return { success: true, data, ...(isOwnSite ? { scrape_id: result.scrapeId } : {}) };
    },
  };
}

/** Extracted data is returned under the names of the requested formats. */
export function toV1Document(document: Document, names: readonly ("json" | "extract")[]): Document {
  if (document.json === undefined) return document;
  const { json, ...rest } = document;
  return { ...rest, ...Object.fromEntries(names.map((name) => [name, json])) } as Document;
}
