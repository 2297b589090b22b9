// Reports on the running server for callers who may read its data folder: `quarry doctor` and
// `quarry egress`.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { RequestError } from "../errors.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { parseHostPort, type HostPort } from "../egress/host-port.ts";
import type { EgressExplanation } from "../egress/gate.ts";
import { runChecks, type Check } from "./health.ts";
import { bearerKey, isSameSecret } from "./middleware/authenticate.ts";

export type AdminChecks = {
  readonly adminToken: string;
  readonly egress: { explain(hostname: string, port: number): Promise<EgressExplanation> };
  readonly config: Config;
  readonly checks: readonly Check[];
};

export function serveAdminChecks(server: FastifyInstance, parts: AdminChecks): void {
  const { adminToken, egress, config, checks } = parts;
  const guarded = {
    onRequest: async (request: FastifyRequest): Promise<void> => {
      if (!isSameSecret(bearerKey(request.headers.authorization), adminToken))
        throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
    },
  };
  server.get("/admin/diagnosis", guarded, async () => {
    const [diagnosis, failures] = await Promise.all([diagnose(config), runChecks(checks)]);
    const failed = failures.map(({ name, reason }) => `${name}: ${reason}`);
    return {
      success: true,
      data: { ...diagnosis, problems: [...failed, ...diagnosis.problems] },
    };
  });
  server.get<{ Querystring: { host?: string } }>("/admin/egress", guarded, async (request) => {
    const { hostname, port }: HostPort = parseHostPort(request.query.host ?? "");
    return { success: true, data: await egress.explain(hostname, port) };
  });
}
