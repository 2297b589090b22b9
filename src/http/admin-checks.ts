// Reports on the running server for its operator: `quarry doctor`, `quarry egress` and the console.
import type { FastifyInstance } from "fastify";
import { describeSettings, type Config } from "../config.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { parseHostPort, type HostPort } from "../egress/host-port.ts";
import type { EgressExplanation } from "../egress/gate.ts";
import type { AdminGuard } from "./admin-guard.ts";
import { runChecks, type Check } from "./health.ts";

export type AdminChecks = {
  readonly guard: AdminGuard;
  readonly egress: { explain(hostname: string, port: number): Promise<EgressExplanation> };
  readonly config: Config;
  readonly checks: readonly Check[];
};

export function serveAdminChecks(server: FastifyInstance, parts: AdminChecks): void {
  const { guard, egress, config, checks } = parts;
  const guarded = { onRequest: guard };
  server.get("/admin/diagnosis", guarded, async () => {
    const [diagnosis, failures] = await Promise.all([diagnose(config), runChecks(checks)]);
    const failed = failures.map(({ name, reason }) => `${name}: ${reason}`);
    return {
      success: true,
      data: { ...diagnosis, problems: [...failed, ...diagnosis.problems] },
    };
  });
  server.get("/admin/settings", guarded, async () => ({
    success: true,
    data: describeSettings(config),
  }));
  server.get<{ Querystring: { host?: string } }>("/admin/egress", guarded, async (request) => {
    const { hostname, port }: HostPort = parseHostPort(request.query.host ?? "");
    return { success: true, data: await egress.explain(hostname, port) };
  });
}
