// The running server's part of `quarry backup`, `export` and `gc`.
import type { FastifyInstance } from "fastify";
import { RequestError } from "../errors.ts";
import type { Store } from "../store/store.ts";
import type { AdminGuard } from "./admin-guard.ts";

export type GcReport = Awaited<ReturnType<Store["collectGarbage"]>>;

export type AdminDataParts = {
  readonly guard: AdminGuard;
  readonly store: () => Promise<Pick<Store, "collectGarbage" | "copyDatabase">>;
};

export function serveAdminData(server: FastifyInstance, { guard, store }: AdminDataParts): void {
  const guarded = { onRequest: guard };
  server.post("/admin/gc", guarded, async () => ({
    success: true,
    data: await (await store()).collectGarbage(),
  }));
  server.post("/admin/snapshot", guarded, async () => {
    const folder = await (await store()).copyDatabase();
    if (folder === undefined)
      throw new RequestError("BAD_REQUEST", "Only an embedded database is copied like this.");
    return { success: true, data: { folder } };
  });
}
