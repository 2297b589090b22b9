// Webhook signing secrets of accounts, for callers who may read the data folder (see admin.ts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../../errors.ts";
import type { WebhookSecrets } from "../../webhooks/secrets.ts";
import { registerAdminRoutes, type AdminCall } from "./admin-routes.ts";
import { readBearerKey, isSameSecret } from "../middleware/authenticate.ts";

export type AdminWebhooksParts = {
  readonly webhooks: () => Promise<{ readonly secrets: WebhookSecrets }>;
  readonly adminToken: string;
};

type Call = AdminCall<unknown, unknown, { readonly account: string }>;

export function serveWebhookSecrets(
  server: FastifyInstance,
  { webhooks, adminToken }: AdminWebhooksParts,
): void {
  const guard = async (request: FastifyRequest): Promise<void> => {
    if (!isSameSecret(readBearerKey(request.headers.authorization), adminToken))
      throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
  };
  const path = "/admin/accounts/:account/webhook-secret";
  registerAdminRoutes(server, guard, {
    [`GET ${path}`]: async ({ params }: Call) => ({
      secret: await (await webhooks()).secrets.ofAccount(params.account),
    }),
    [`POST ${path}/rotate`]: async ({ params }: Call) => ({
      secret: await (await webhooks()).secrets.rotate(params.account),
    }),
  });
}
