import { describeCapabilities, type Circumstances } from "../../scrape/capabilities.ts";
import type { Handlers } from "../route.ts";

/** Evaluated per request, because a browser can disappear while the server runs. */
export function createCapabilityHandlers(circumstances: () => Promise<Circumstances>): Handlers {
  return { "GET /v2/capabilities": async () => describeCapabilities(await circumstances()) };
}
