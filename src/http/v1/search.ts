import type { Document } from "../../contract/page/document.ts";
import type { SearchOptions } from "../../contract/page/search.ts";
import type { Call, Handlers } from "../route.ts";
import type { SearchRouteParts } from "../v2/search.ts";
import { toV1Document } from "./scrape.ts";

/** /v1 returns one list of pages where /v2 has a list per source. */
export function createV1SearchHandlers({ search, address }: SearchRouteParts): Handlers {
  return {
    "POST /v1/search": async ({ body, identity, request, signal }: Call<SearchOptions>) => {
      const base = address(request, "");
      const caller = { identity, requestId: request.id, base, signal, apiVersion: "v1" as const };
      const { data, warning } = await search(body, caller);
      const items = (data.web ?? []).map((item) => toV1Item(item));
      return { success: true, data: items, ...(warning === undefined ? {} : { warning }) };
    },
  };
}

/**
 * Title and description are always present. The requested name is unknown, so extracted data has
 * both.
 */
function toV1Item(item: Readonly<Record<string, unknown>>): object {
  const { position: _, category: __, ...rest } = item;
  const found = { title: "", description: "", ...rest };
  return toV1Document(found as unknown as Document, ["json", "extract"]);
}
