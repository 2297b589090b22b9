// The signing secret of an account's webhooks, through the same routes as keys.
import type { Config } from "../../config.ts";
import { withAdmin } from "./keys.ts";

export type WebhookSecretOptions = {
  readonly account: string;
  readonly rotate?: boolean;
  readonly json?: boolean;
};

/** `quarry webhooks secret`: prints the secret; `--rotate` creates a new one first. */
export async function printWebhookSecret(
  config: Config,
  { account, rotate, json }: WebhookSecretOptions,
): Promise<void> {
  const path = `/admin/accounts/${encodeURIComponent(account)}/webhook-secret`;
  await withAdmin(config, async (ask) => {
    const answer =
      rotate === true ? await ask("POST", `${path}/rotate`, {}) : await ask("GET", path);
    const { secret } = answer as { readonly secret: string };
    process.stdout.write(json === true ? `${JSON.stringify({ secret })}\n` : `${secret}\n`);
  });
}
