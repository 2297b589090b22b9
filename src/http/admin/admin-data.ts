// The running server's part of `quarry backup`, `export` and `gc`.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../errors.ts";
import type { Store } from "../../store/store.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { registerAdminRoutes } from "./admin-routes.ts";

export type GcReport = Awaited<ReturnType<Store["collectGarbage"]>>;

export type AdminDataParts = {
  readonly guard: AdminGuard;
  readonly store: () => Promise<Pick<Store, "collectGarbage" | "copyDatabase">>;
};

export function serveAdminData(server: FastifyInstance, { guard, store }: AdminDataParts): void {
  registerAdminRoutes(server, guard, {
    "POST /admin/gc": async () => await (await store()).collectGarbage(),
    "POST /admin/snapshot": async () => {
      const folder = await (await store()).copyDatabase();
      if (folder === undefined)
        throw new RequestError("BAD_REQUEST", "Only an embedded database is copied like this.");
      return { folder };
    },
  });
}
