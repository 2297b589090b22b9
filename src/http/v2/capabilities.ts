import { describeCapabilities, type Circumstances } from "../../scrape/capabilities.ts";
import type { Handlers } from "../route.ts";

/** Asked anew by each request: a browser can go while the server runs. */
export function capabilityHandlers(circumstances: () => Promise<Circumstances>): Handlers {
  return { "GET /v2/capabilities": async () => describeCapabilities(await circumstances()) };
}
