// The load over time, for the console and for the operator's scripts.
import type { FastifyInstance } from "fastify";
import { readLoadHistory, type LoadRange } from "../../diagnosis/load-history.ts";
import type { Store } from "../../store/store.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { registerAdminRoutes, type AdminCall } from "./admin-routes.ts";

export type AdminHistoryParts = {
  readonly guard: AdminGuard;
  readonly store: () => Promise<Pick<Store, "loadSamples">>;
};

export function serveAdminHistory(
  server: FastifyInstance,
  { guard, store }: AdminHistoryParts,
): void {
  registerAdminRoutes(server, guard, {
    "GET /admin/history": async ({ query }: AdminCall<unknown, LoadRange>) =>
      await readLoadHistory((await store()).loadSamples, query),
  });
}
