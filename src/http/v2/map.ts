import type { MapOptions } from "../../contract/page/map.ts";
import type { MapSite } from "../../crawl/job.ts";
import type { Call, Handlers } from "../route.ts";

export function createMapHandlers(mapSite: MapSite): Handlers {
  return {
    "POST /v2/map": async ({ body, identity, request, signal }: Call<MapOptions>) => {
      const caller = { identity, requestId: request.id, signal };
      const { id, links, warning } = await mapSite(body, caller);
      return { success: true, id, links, ...(warning === undefined ? {} : { warning }) };
    },
  };
}
