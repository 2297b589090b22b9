// Management of accounts and keys: through the running server when there is one (it holds the lock of the data folder), else directly
// in this process, over the same routes.
import { createApp } from "../app.ts";
import type { Config } from "../config.ts";
import { QuarryError } from "../errors.ts";
import type { KeyView } from "../http/admin.ts";
import { createLogger } from "../log.ts";
import { findServer } from "../store/server-file.ts";
import type { AccountRecord, KeyLimits } from "../store/accounts.ts";
import { insideFetch } from "./connect.ts";
import { toPlainLine } from "./terminal-text.ts";

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

export type LimitOptions = {
  readonly credits?: number;
  readonly requestsPerMinute?: number;
  readonly concurrency?: number;
};

export type AccountOptions = LimitOptions & { readonly indexPages?: number };

export type KeyOptions = LimitOptions & {
  readonly account?: string;
  readonly scope?: string[];
  readonly allowHost?: string[];
  readonly expires?: number;
};

const toLimits = (options: LimitOptions) => ({
  creditBudget: options.credits ?? null,
  requestsPerMinute: options.requestsPerMinute ?? null,
  concurrency: options.concurrency ?? null,
});

export async function createAccount(
  config: Config,
  name: string,
  options: AccountOptions,
): Promise<void> {
  const body = { name, ...toLimits(options), indexPages: options.indexPages ?? null };
  await withAdmin(config, async (ask) => {
    const { id } = (await ask("POST", "/admin/accounts", body)) as AccountRecord;
    process.stdout.write(`${id}\n`);
    process.stderr.write(
      `Account ${toPlainLine(name)} created. quarry keys create NAME --account ${id} makes a key for it.\n`,
    );
  });
}

export async function listAccounts(config: Config): Promise<void> {
  await withAdmin(config, async (ask) => {
    const accounts = (await ask("GET", "/admin/accounts")) as AccountRecord[];
    if (accounts.length === 0)
      process.stdout.write("There are no accounts. quarry accounts create NAME makes one.\n");
    for (const account of accounts) process.stdout.write(`${describeAccount(account)}\n`);
  });
}

export async function setAccountDisabled(
  config: Config,
  account: string,
  isDisabled: boolean,
): Promise<void> {
  const action = isDisabled ? "disable" : "enable";
  await withAdmin(config, async (ask) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/${action}`;
    const { name } = (await ask("POST", path)) as AccountRecord;
    process.stdout.write(
      isDisabled
        ? `The account ${toPlainLine(name)} is disabled: its keys are refused and its jobs were stopped.\n`
        : `The account ${toPlainLine(name)} is enabled.\n`,
    );
  });
}

export async function createKey(config: Config, name: string, options: KeyOptions): Promise<void> {
  const { expires } = options;
  const body = {
    name,
    ...(options.account === undefined ? {} : { account: options.account }),
    ...toLimits(options),
    ...(options.scope === undefined ? {} : { scopes: options.scope }),
    allowHosts: options.allowHost ?? null,
    expiresAt: expires === undefined ? null : Date.now() + expires * 86_400_000,
  };
  await withAdmin(config, async (ask) => printNewKey(await ask("POST", "/admin/keys", body)));
}

export async function listKeys(config: Config, account: string | undefined): Promise<void> {
  const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
  await withAdmin(config, async (ask) => {
    const keys = (await ask("GET", `/admin/keys${query}`)) as KeyView[];
    if (keys.length === 0)
      process.stdout.write("There are no keys. quarry keys create NAME makes one.\n");
    for (const key of keys) process.stdout.write(`${describe(key)}\n`);
  });
}

export async function revokeKey(config: Config, id: string): Promise<void> {
  await withAdmin(config, async (ask) => {
    await ask("DELETE", `/admin/keys/${encodeURIComponent(id)}`);
    process.stdout.write(`The key ${id} is revoked.\n`);
  });
}

export async function rotateKey(
  config: Config,
  id: string,
  graceMinutes: number | undefined,
): Promise<void> {
  const body = graceMinutes === undefined ? {} : { graceMs: graceMinutes * 60_000 };
  await withAdmin(config, async (ask) =>
    printNewKey(await ask("POST", `/admin/keys/${encodeURIComponent(id)}/rotate`, body)),
  );
}

function printNewKey(data: unknown): void {
  const { id, key } = data as { id: string; key: string };
  process.stdout.write(`${key}\n`);
  process.stderr.write(`Key ${id}: shown only this once.\n`);
}

const describeLimits = ({ creditBudget, requestsPerMinute, concurrency }: KeyLimits): string[] => [
  creditBudget === null ? "" : `${creditBudget} credits`,
  requestsPerMinute === null ? "" : `${requestsPerMinute} a minute`,
  concurrency === null ? "" : `${concurrency} at once`,
];

function describeAccount({ id, name, limits, createdAt, disabledAt }: AccountRecord): string {
  return [
    id,
    (disabledAt === null ? "enabled" : "disabled").padEnd(8),
    toPlainLine(name),
    ...describeLimits(limits),
    limits.indexPages === null ? "" : `${limits.indexPages} pages in the index`,
    `since ${new Date(createdAt).toISOString().slice(0, 10)}`,
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function describe(key: KeyView): string {
  const state =
    key.revokedAt !== null
      ? "revoked"
      : key.expiresAt !== null && key.expiresAt <= Date.now()
        ? "expired"
        : "valid";
  return [
    key.id,
    `${key.prefix}…`.padEnd(10),
    state.padEnd(8),
    toPlainLine(key.name),
    ...describeLimits(key.limits),
    `may ${key.scopes.join(", ")}`,
    key.allowHosts === null ? "" : `hosts ${key.allowHosts.join(", ")}`,
    key.expiresAt === null ? "" : `until ${new Date(key.expiresAt).toISOString().slice(0, 10)}`,
    key.lastUsedAt === null
      ? "never used"
      : `last used ${new Date(key.lastUsedAt).toISOString().slice(0, 16).replace("T", " ")}`,
  ]
    .filter((part) => part !== "")
    .join("  ");
}

export async function withAdmin(config: Config, work: (ask: Ask) => Promise<void>): Promise<void> {
  const running = await findServer(config);
  if (running !== undefined) {
    await work(asker((url, init) => fetch(url, init), running.url, running.adminToken));
    return;
  }
  await using app = await createApp(config, { log: createLogger("error") });
  await app.server.ready();
  await app.openStore();
  await work(asker(insideFetch(app.server), "http://localhost", app.adminToken));
}

function asker(
  send: (url: string, init: RequestInit) => Promise<Response>,
  base: string,
  token: string,
): Ask {
  return async (method, path, body) => {
    const response = await send(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as {
      success: boolean;
      error?: string;
      data?: unknown;
      details?: { message: string }[];
    };
    if (answer.success) return answer.data;
    const details = answer.details?.map(({ message }) => message).join("; ");
    throw new QuarryError("BAD_REQUEST", details ?? answer.error ?? "The server refused.");
  };
}
