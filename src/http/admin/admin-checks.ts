// Reports on the running server for its operator: `quarry doctor`, `quarry egress` and the console.
import type { FastifyInstance } from "fastify";
import { describeSettings, type Config } from "../../config.ts";
import { diagnose } from "../../diagnosis/diagnose.ts";
import { parseHostPort, type HostPort } from "../../egress/host-port.ts";
import type { EgressExplanation } from "../../egress/gate.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { registerAdminRoutes, type AdminCall } from "./admin-routes.ts";
import { runChecks, type Check } from "../health.ts";

export type AdminChecks = {
  readonly guard: AdminGuard;
  readonly egress: { explain(hostname: string, port: number): Promise<EgressExplanation> };
  readonly config: Config;
  readonly checks: readonly Check[];
};

export function serveAdminChecks(server: FastifyInstance, parts: AdminChecks): void {
  const { guard, egress, config, checks } = parts;
  registerAdminRoutes(server, guard, {
    "GET /admin/diagnosis": async () => {
      const [diagnosis, failures] = await Promise.all([diagnose(config), runChecks(checks)]);
      const failed = failures.map(({ name, reason }) => `${name}: ${reason}`);
      return { ...diagnosis, problems: [...failed, ...diagnosis.problems] };
    },
    "GET /admin/settings": async () => describeSettings(config),
    "GET /admin/egress": async ({ query }: AdminCall<unknown, { readonly host: string }>) => {
      const { hostname, port }: HostPort = parseHostPort(query.host);
      return await egress.explain(hostname, port);
    },
  });
}
