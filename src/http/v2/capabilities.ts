import { describeCapabilities, type Circumstances } from "../../scrape/capabilities.ts";
import type { Handlers } from "../route.ts";

export function capabilityHandlers(circumstances: Circumstances): Handlers {
  return { "GET /v2/capabilities": async () => describeCapabilities(circumstances) };
}
