// Management of accounts and keys: through the running server, which holds the lock of the data
// folder, or directly in this process, over the same routes.
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import type { KeyView } from "../../http/admin/admin.ts";
import { findServer } from "../../store/database/server-file.ts";
import type { AccountLimits, AccountRecord, KeyLimits } from "../../store/accounts/accounts.ts";
import { askAdmin, type AskAdmin } from "./ask-admin.ts";
import { createHint } from "../terminal/hint.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

type Options = { readonly json?: boolean };

type NamedOptions = Options & { readonly account?: string };

/** "none" removes a limit. */
type Limit = number | "none";

export type LimitOptions = Options & {
  readonly credits?: Limit;
  readonly requestsPerMinute?: Limit;
  readonly concurrency?: Limit;
};

export type AccountLimitOptions = LimitOptions & { readonly indexPages?: Limit };

export type AccountOptions = AccountLimitOptions;

export type KeyOptions = LimitOptions & {
  readonly account?: string;
  readonly scope?: string[];
  readonly allowHost?: string[];
  readonly expires?: number;
};

function toLimits(options: AccountLimitOptions): Partial<AccountLimits> {
  const given = {
    creditBudget: options.credits,
    requestsPerMinute: options.requestsPerMinute,
    concurrency: options.concurrency,
    indexPages: options.indexPages,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, limit]) =>
      limit === undefined ? [] : [[name, limit === "none" ? null : limit]],
    ),
  );
}

/** Throws BAD_REQUEST when no limit is given. */
function toChanges(options: AccountLimitOptions): Partial<AccountLimits> {
  const changes = toLimits(options);
  if (Object.keys(changes).length === 0)
    throw new RequestError(
      "BAD_REQUEST",
      "Name a limit to change, such as --credits 5000 or --concurrency none; --help lists them.",
    );
  return changes;
}

export async function createAccount(
  config: Config,
  name: string,
  options: AccountOptions,
): Promise<void> {
  const body = { name, ...toLimits(options) };
  await withAdmin(config, async (ask) => {
    const account = (await ask("POST", "/admin/accounts", body)) as AccountRecord;
    if (options.json === true) {
      printJson(account);
      return;
    }
    const { id } = account;
    process.stdout.write(`${id}\n`);
    process.stderr.write(
      `Account ${toPlainLine(name)} created. ${createHint(config)(`keys create NAME --account ${id}`)} creates a key for it.\n`,
    );
  });
}

export async function setAccountLimits(
  config: Config,
  account: string,
  options: AccountLimitOptions,
): Promise<void> {
  const changes = toChanges(options);
  await withAdmin(config, async (ask) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}`;
    const changed = (await ask("PATCH", path, changes)) as AccountRecord;
    if (options.json === true) printJson(changed);
    else process.stdout.write(`${describeAccount(changed)}\n`);
  });
}

export async function setKeyLimits(
  config: Config,
  nameOrId: string,
  { account, ...options }: NamedOptions & LimitOptions,
): Promise<void> {
  const changes = toChanges(options);
  await withAdmin(config, async (ask) => {
    const id = await findKeyId(ask, nameOrId, account);
    const changed = (await ask(
      "PATCH",
      `/admin/keys/${encodeURIComponent(id)}`,
      changes,
    )) as KeyView;
    if (options.json === true) printJson(changed);
    else process.stdout.write(`${describe(changed)}\n`);
  });
}

export async function listAccounts(config: Config, { json }: Options): Promise<void> {
  await withAdmin(config, async (ask) => {
    const accounts = (await ask("GET", "/admin/accounts")) as AccountRecord[];
    if (json === true) {
      printJson(accounts);
      return;
    }
    if (accounts.length === 0)
      process.stdout.write(
        `There are no accounts. ${createHint(config)("accounts create NAME")} creates one.\n`,
      );
    for (const account of accounts) process.stdout.write(`${describeAccount(account)}\n`);
  });
}

export async function setAccountDisabled(
  config: Config,
  account: string,
  isDisabled: boolean,
  { json }: Options,
): Promise<void> {
  const action = isDisabled ? "disable" : "enable";
  await withAdmin(config, async (ask) => {
    const path = `/admin/accounts/${encodeURIComponent(account)}/${action}`;
    const changed = (await ask("POST", path)) as AccountRecord;
    if (json === true) {
      printJson(changed);
      return;
    }
    const { name } = changed;
    process.stdout.write(
      isDisabled
        ? `The account ${toPlainLine(name)} is disabled: its keys are rejected and its jobs were stopped.\n`
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
  await withAdmin(config, async (ask) =>
    printNewKey(await ask("POST", "/admin/keys", body), options.json === true),
  );
}

export async function listKeys(config: Config, { account, json }: NamedOptions): Promise<void> {
  await withAdmin(config, async (ask) => {
    const keys = await readKeys(ask, account);
    if (json === true) {
      printJson(keys);
      return;
    }
    if (keys.length === 0)
      process.stdout.write(
        `There are no keys. ${createHint(config)("keys create NAME")} creates one.\n`,
      );
    for (const key of keys) process.stdout.write(`${describe(key)}\n`);
  });
}

export async function revokeKey(
  config: Config,
  nameOrId: string,
  { account, json }: NamedOptions,
): Promise<void> {
  await withAdmin(config, async (ask) => {
    const id = await findKeyId(ask, nameOrId, account);
    await ask("DELETE", `/admin/keys/${encodeURIComponent(id)}`);
    if (json === true) printJson({ id, revoked: true });
    else
      process.stdout.write(
        `The key ${nameOrId === id ? id : `${toPlainLine(nameOrId)} (${id})`} is revoked.\n`,
      );
  });
}

export async function rotateKey(
  config: Config,
  nameOrId: string,
  { account, grace, json }: NamedOptions & { readonly grace?: number },
): Promise<void> {
  const body = grace === undefined ? {} : { graceMs: grace * 60_000 };
  await withAdmin(config, async (ask) => {
    const id = await findKeyId(ask, nameOrId, account);
    const made = await ask("POST", `/admin/keys/${encodeURIComponent(id)}/rotate`, body);
    printNewKey(made, json === true);
  });
}

async function readKeys(ask: AskAdmin, account: string | undefined): Promise<KeyView[]> {
  const query = account === undefined ? "" : `?account=${encodeURIComponent(account)}`;
  return (await ask("GET", `/admin/keys${query}`)) as KeyView[];
}

const isInUse = ({ revokedAt, expiresAt }: KeyView): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > Date.now());

const KEY_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids may belong to any account; a name is looked up among the keys of one, active keys first. */
async function findKeyId(
  ask: AskAdmin,
  nameOrId: string,
  account: string | undefined,
): Promise<string> {
  if (KEY_ID.test(nameOrId)) return nameOrId;
  const named = (await readKeys(ask, account)).filter(({ name }) => name === nameOrId);
  const inUse = named.filter(isInUse);
  const [found, ...others] = inUse.length > 0 ? inUse : named;
  if (found === undefined)
    throw new RequestError(
      "NOT_FOUND",
      `There is no key with the id or name ${nameOrId}. The command keys list shows them.`,
    );
  if (others.length > 0)
    throw new RequestError(
      "CONFLICT",
      `${others.length + 1} keys are named "${nameOrId}". Give an id: ${[found, ...others].map(({ id }) => id).join(", ")}.`,
    );
  return found.id;
}

function printNewKey(data: unknown, asJson: boolean): void {
  if (asJson) {
    printJson(data);
    return;
  }
  const { id, key } = data as { id: string; key: string };
  process.stdout.write(`${key}\n`);
  process.stderr.write(`Key ${id}: shown only this once.\n`);
}

const printJson = (value: unknown): void =>
  void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

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

export async function withAdmin(
  config: Config,
  work: (ask: AskAdmin) => Promise<void>,
): Promise<void> {
  const running = await findServer(config);
  if (running !== undefined) {
    await work(askAdmin((url, init) => fetch(url, init), running.url, running.adminToken));
    return;
  }
  // Loaded only here, so that a command to a running server starts fast.
  const { createApp } = await import("../../app.ts");
  const { createInsideFetch } = await import("../../http/inside-fetch.ts");
  const { createLogger } = await import("../../logger.ts");
  await using app = await createApp(config, { log: createLogger("error") });
  await app.server.ready();
  await app.openStore();
  await work(askAdmin(createInsideFetch(app.server), "http://localhost", app.adminToken));
}
