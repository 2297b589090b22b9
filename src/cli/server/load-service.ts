// Loads the service in steps. Loading modules blocks the event loop; between steps the listener
// answers liveness probes and signals are handled.
import { setImmediate as turn } from "node:timers/promises";
import type * as Service from "./service.ts";

/** The largest modules, from the lowest floor up. */
export const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import("../../metrics.ts"),
  () => import("zod"),
  () => import("../../contract/endpoints/endpoints.ts"),
  () => import("../../egress/dispatchers.ts"),
  () => import("../../jobs/create-jobs.ts"),
  () => import("../../crawl/create-crawl-room.ts"),
  () => import("../../search/create-search-room.ts"),
  () => import("../../interact/interact.ts"),
  () => import("../../agent/create-agent-room.ts"),
  () => import("../../monitors/create-monitor-room.ts"),
  () => import("../../http/server.ts"),
  () => import("../../http/handlers.ts"),
  () => import("../../app.ts"),
];

/** Each turn accepts one connection and handles earlier ones; an idle turn costs almost nothing. */
const MAX_TURNS = 20;

export async function loadService(): Promise<typeof Service> {
  for (const step of STEPS) {
    for (let turns = 0; turns < MAX_TURNS; turns++) await turn();
    await step();
  }
  return await import("./service.ts");
}
