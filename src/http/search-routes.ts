// Searches and extractions under both versions of the API.
import { createExtractHandlers, type ExtractRouteParts } from "./v2/extract.ts";
import { createSearchHandlers, type SearchRouteParts } from "./v2/search.ts";
import type { Handlers } from "./route.ts";
import { createV1SearchHandlers } from "./v1/search.ts";

export type SearchRoutesParts = SearchRouteParts & ExtractRouteParts;

export const createSearchRoutes = (parts: SearchRoutesParts): Handlers => ({
  ...createSearchHandlers(parts),
  ...createV1SearchHandlers(parts),
  ...createExtractHandlers(parts),
});
