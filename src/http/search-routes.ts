// Searches and extractions under both versions of the API.
import { extractHandlers, type ExtractRouteParts } from "./v2/extract.ts";
import { searchHandlers, type SearchRouteParts } from "./v2/search.ts";
import type { Handlers } from "./route.ts";
import { createV1SearchHandlers } from "./v1/search.ts";

export type SearchRoutesParts = SearchRouteParts & ExtractRouteParts;

export const searchRoutes = (parts: SearchRoutesParts): Handlers => ({
  ...searchHandlers(parts),
  ...createV1SearchHandlers(parts),
  ...extractHandlers(parts),
});
