import type { SearchOptions } from "../../contract/page/search.ts";
import type { Search } from "../../search/search.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";

export type SearchRouteParts = { readonly search: Search; readonly address: PublicAddress };

export function createSearchHandlers({ search, address }: SearchRouteParts): Handlers {
  return {
    "POST /v2/search": async ({ body, identity, request, signal }: Call<SearchOptions>) => {
      const base = address(request, "");
      const result = await search(body, { identity, requestId: request.id, base, signal });
      return { success: true, ...result };
    },
  };
}
