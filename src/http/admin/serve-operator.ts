// The routes under /admin, all behind the same checks.
import type { FastifyInstance } from "fastify";
import { serveAdminChecks, type AdminChecks } from "./admin-checks.ts";
import { serveAdminData, type AdminDataParts } from "./admin-data.ts";
import { serveAdminHistory, type AdminHistoryParts } from "./admin-history.ts";
import { createAdminGuard, type AdminGuardParts } from "./admin-guard.ts";
import { serveWebhookSecrets, type AdminWebhooksParts } from "./admin-webhooks.ts";
import { serveAdmin, type AdminParts } from "./admin.ts";

export type OperatorParts = AdminGuardParts &
  Omit<AdminParts, "guard"> &
  Omit<AdminChecks, "guard"> &
  Omit<AdminDataParts, "guard"> &
  Omit<AdminHistoryParts, "guard"> &
  AdminWebhooksParts;

export function serveOperator(server: FastifyInstance, parts: OperatorParts): void {
  const guard = createAdminGuard(parts);
  serveAdmin(server, { ...parts, guard });
  serveAdminChecks(server, { ...parts, guard });
  serveAdminData(server, { ...parts, guard });
  serveAdminHistory(server, { ...parts, guard });
  serveWebhookSecrets(server, parts);
}
