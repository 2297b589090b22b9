// Loads the service in steps. Modules are loaded and run in one go, however many they are, and nothing else happens in the
// process meanwhile: between the steps the listener answers who asks whether it is alive, and signals are heard.
import { setImmediate as turn } from "node:timers/promises";
import type * as Service from "./service.ts";

/** What brings most with it, from the lowest floor up. */
export const STEPS: readonly (() => Promise<unknown>)[] = [
  () => import("../metrics.ts"),
  () => import("zod"),
  () => import("../contract/endpoints/endpoints.ts"),
  () => import("../egress/dispatchers.ts"),
  () => import("../jobs/create-jobs.ts"),
  () => import("../crawl/crawling.ts"),
  () => import("../search/searching.ts"),
  () => import("../interact/interact.ts"),
  () => import("../agent/agenting.ts"),
  () => import("../http/server.ts"),
  () => import("../http/handlers.ts"),
  () => import("../app.ts"),
];

/** In each one connection is accepted, and what came on those before is read and answered; an empty one costs next to nothing. */
const TURNS = 20;

export async function loadService(): Promise<typeof Service> {
  for (const step of STEPS) {
    for (let turns = 0; turns < TURNS; turns++) await turn();
    await step();
  }
  return await import("./service.ts");
}
