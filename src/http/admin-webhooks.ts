// Webhook signing secrets of accounts, for callers who may read the data folder (see admin.ts).
import type { FastifyInstance, FastifyRequest } from "fastify";
import { RequestError } from "../errors.ts";
import type { WebhookSecrets } from "../webhooks/secrets.ts";
import { readBearerKey, isSameSecret } from "./middleware/authenticate.ts";

export type AdminWebhooksParts = {
  readonly webhooks: () => Promise<{ readonly secrets: WebhookSecrets }>;
  readonly adminToken: string;
};

type Route = { Params: { readonly account: string } };

export function serveWebhookSecrets(
  server: FastifyInstance,
  { webhooks, adminToken }: AdminWebhooksParts,
): void {
  const guarded = {
    onRequest: async (request: FastifyRequest): Promise<void> => {
      if (!isSameSecret(readBearerKey(request.headers.authorization), adminToken))
        throw new RequestError("UNAUTHORIZED", "Unauthorized: Invalid token");
    },
  };
  const path = "/admin/accounts/:account/webhook-secret";
  server.get<Route>(path, guarded, async ({ params }) => ({
    success: true,
    data: { secret: await (await webhooks()).secrets.ofAccount(params.account) },
  }));
  server.post<Route>(`${path}/rotate`, guarded, async ({ params }) => ({
    success: true,
    data: { secret: await (await webhooks()).secrets.rotate(params.account) },
  }));
}
