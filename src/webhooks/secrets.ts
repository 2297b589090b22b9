// Selects the secret that signs a delivery: the webhook's own, or the account's, which is created
// on first use.
import { randomBytes } from "node:crypto";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { RequestError } from "../errors.ts";
import type { WebhookSecretStore } from "../store/accounts/webhook-secrets.ts";
import type { WebhookDelivery } from "../store/jobs/webhook-deliveries.ts";

const SECRET_BYTES = 32;
/** Names the first account in a route. */
const FIRST = "default";

export type WebhookSecrets = {
  /** Throws InternalError when the secret cannot be decrypted. */
  findForDelivery(
    delivery: Pick<WebhookDelivery, "accountId" | "jobId" | "webhook">,
  ): Promise<string>;
  /**
   * Returns the account's secret for its owner. `account` is an id or a name; "default" is the
   * first one. Throws NOT_FOUND.
   */
  ofAccount(account: string): Promise<string>;
  /** The secret of an account by its id. */
  ofAccountId(accountId: string): Promise<string>;
  /** Gives the account a new secret, which signs all later attempts. Throws NOT_FOUND. */
  rotate(account: string): Promise<string>;
  /** Returns the webhook with its secret encrypted, as stored. */
  seal(webhook: Webhook, jobId: string): Promise<Webhook>;
};

export type WebhookSecretsParts = {
  readonly store: WebhookSecretStore;
  readonly firstAccount: () => Promise<string>;
  /** QUARRY_WEBHOOK_SECRET: used for the first account until it is rotated. */
  readonly configured: string | undefined;
};

export function createWebhookSecrets(parts: WebhookSecretsParts): WebhookSecrets {
  const { store, firstAccount, configured } = parts;

  async function load(accountId: string): Promise<string> {
    if (configured !== undefined && accountId === (await firstAccount()))
      return (await store.load(accountId)) ?? configured;
    return await store.loadOrCreate(accountId, createSecret);
  }

  async function find(account: string): Promise<string> {
    if (account === FIRST) return await firstAccount();
    const found = await store.findAccount(account);
    if (found !== undefined) return found;
    throw new RequestError("NOT_FOUND", `There is no account ${account}.`);
  }

  return {
    async findForDelivery({ accountId, jobId, webhook }) {
      if (webhook.sealedSecret !== undefined) return await store.open(webhook.sealedSecret, jobId);
      return await load(accountId);
    },
    ofAccountId: load,
    ofAccount: async (account) => await load(await find(account)),
    async rotate(account) {
      const accountId = await find(account);
      const secret = createSecret();
      await store.save(accountId, secret);
      return secret;
    },
    async seal({ secret, ...webhook }, jobId) {
      if (secret === undefined) return webhook;
      return { ...webhook, sealedSecret: await store.seal(secret, jobId) };
    },
  };
}

const createSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString("base64url")}`;
