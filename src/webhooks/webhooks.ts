// Creates the webhook room: the targets of job events, and the deliverer.
import { randomBytes } from "node:crypto";
import type { Config } from "../config.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Store } from "../store/store.ts";
import { createDeliverer, type Deliverer } from "./deliverer.ts";
import { createWebhookSecrets, type WebhookSecrets } from "./secrets.ts";
import { createSender } from "./send.ts";
import { checkWebhook, resolveWebhook } from "./resolve-webhook.ts";

export type WebhooksParts = {
  readonly store: Pick<Store, "deliveries" | "results" | "webhookSecrets"> & {
    readonly keys: Pick<Store["keys"], "ensureAccount">;
  };
  readonly egress: Egress;
  readonly config: Pick<Config, "webhookUrl" | "webhookSecret" | "userAgent">;
  /** True if other processes send from the same database. */
  readonly shared: boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type Webhooks = Deliverer & {
  /**
   * Returns the caller's webhook, or the deployment's, or null, in its stored form with the secret
   * encrypted. Throws BAD_REQUEST for a forbidden address.
   */
  resolve(given: Webhook | null, jobId: string): Promise<Webhook | null>;
  readonly secrets: WebhookSecrets;
};

/** The caller closes it; the store and the egress must stay open until then. */
export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { store, egress, config, shared, log, metrics } = parts;
  const secrets = createWebhookSecrets({
    store: store.webhookSecrets,
    firstAccount: () => store.keys.ensureAccount(),
    configured: config.webhookSecret?.reveal(),
  });
  const deliverer = createDeliverer({
    deliveries: store.deliveries,
    results: store.results,
    send: createSender({ egress, userAgent: config.userAgent }),
    secretOf: (delivery) => secrets.findForDelivery(delivery),
    log,
    metrics,
    shared,
    worker: `webhooks ${process.pid} ${randomBytes(4).toString("hex")}`,
  });
  return {
    ...deliverer,
    async resolve(given, jobId) {
      const webhook = resolveWebhook(given, { defaultUrl: config.webhookUrl, jobId });
      if (webhook === undefined) return null;
      // The operator's own target is checked at each delivery only, because a caller cannot change
      // it.
      if (webhook === given) await checkWebhook(webhook, egress);
      deliverer.expect();
      return await secrets.seal({ ...webhook, isDefault: webhook.isDefault ?? false }, jobId);
    },
    secrets,
  };
}
