import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";
import type { Vault } from "../database/vault.ts";

export type WebhookSecretStore = {
  /** Returns the account's secret; undefined when there is none. */
  load(accountId: string): Promise<string | undefined>;
  /**
   * Returns the account's secret, or stores that of `create` if there is none. All processes get
   * the same one.
   */
  loadOrCreate(accountId: string, create: () => string): Promise<string>;
  /** Replaces the account's secret. */
  save(accountId: string, secret: string): Promise<void>;
  /** Finds the account with this id or name and returns its id. */
  findAccount(account: string): Promise<string | undefined>;
  /** Encrypts the secret of one job's webhook as text to store with the job. */
  seal(secret: string, jobId: string): Promise<string>;
  open(sealed: string, jobId: string): Promise<string>;
};

/**
 * Stores the secrets that sign webhook deliveries, encrypted: a copy of the database alone does not
 * reveal them.
 */
export function createWebhookSecretStore(kysely: Kysely<Tables>, vault: Vault): WebhookSecretStore {
  const toAccountContext = (accountId: string): string => `webhook secret of account ${accountId}`;
  const toJobContext = (jobId: string): string => `webhook secret of job ${jobId}`;

  async function load(accountId: string): Promise<string | undefined> {
    const row = await kysely
      .selectFrom("webhook_secrets")
      .select("sealed")
      .where("account_id", "=", accountId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return Buffer.from(await vault.open(row.sealed, toAccountContext(accountId))).toString("utf8");
  }

  async function insert(accountId: string, secret: string, replaces: boolean): Promise<void> {
    const sealed = await vault.seal(Buffer.from(secret), toAccountContext(accountId));
    const values = { account_id: accountId, sealed, saved_at: Date.now() };
    const { account_id: _, ...update } = values;
    await kysely
      .insertInto("webhook_secrets")
      .values(values)
      .onConflict((conflict) =>
        replaces ? conflict.column("account_id").doUpdateSet(update) : conflict.doNothing(),
      )
      .execute();
  }

  return {
    load,
    async loadOrCreate(accountId, create) {
      const found = await load(accountId);
      if (found !== undefined) return found;
      const made = create();
      await insert(accountId, made, false);
      return (await load(accountId)) ?? made;
    },
    save: (accountId, secret) => insert(accountId, secret, true),
    async findAccount(account) {
      const row = await kysely
        .selectFrom("accounts")
        .select("id")
        .where(UUID.test(account) ? "id" : "name", "=", account)
        .executeTakeFirst();
      return row?.id;
    },
    async seal(secret, jobId) {
      const sealed = await vault.seal(Buffer.from(secret), toJobContext(jobId));
      return Buffer.from(sealed).toString("base64");
    },
    async open(sealed, jobId) {
      const opened = await vault.open(Buffer.from(sealed, "base64"), toJobContext(jobId));
      return Buffer.from(opened).toString("utf8");
    },
  };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
