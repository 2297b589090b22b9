// The operator's API: accounts, keys, settings and checks. It needs a key with the scope admin.
import type { SessionCall } from "./session.ts";
import type { CallOptions } from "./transport.ts";
import type {
  AccountChange,
  AccountInfo,
  CreatedKey,
  Diagnosis,
  EgressExplanation,
  GarbageReport,
  KeyChange,
  KeyInfo,
  LoadHistory,
  NewAccount,
  NewKey,
  Setting,
} from "./wire.ts";

export type AdminCall = (
  call: Parameters<SessionCall>[0] & {
    readonly query?: Readonly<Record<string, string | undefined>>;
  },
  options: CallOptions,
) => Promise<Record<string, unknown>>;

const buildAccountPath = (account: string): string =>
  `/admin/accounts/${encodeURIComponent(account)}`;
const buildKeyPath = (id: string): string => `/admin/keys/${encodeURIComponent(id)}`;

const toTime = (at: Date | string | number | undefined): string | undefined =>
  at instanceof Date ? at.toISOString() : at === undefined ? undefined : String(at);

/** Accounts and keys are named by name or id. */
export class Admin {
  readonly #call: AdminCall;

  constructor(call: AdminCall) {
    this.#call = call;
  }

  async accounts(options: CallOptions = {}): Promise<AccountInfo[]> {
    return (await this.#ask("GET", "/admin/accounts", options)) as AccountInfo[];
  }

  /** ConflictError when the name is taken. */
  async createAccount(account: NewAccount, options: CallOptions = {}): Promise<AccountInfo> {
    return (await this.#ask("POST", "/admin/accounts", options, account)) as AccountInfo;
  }

  async changeAccount(
    account: string,
    limits: AccountChange,
    options: CallOptions = {},
  ): Promise<AccountInfo> {
    return (await this.#ask("PATCH", buildAccountPath(account), options, limits)) as AccountInfo;
  }

  /** Rejects the keys of the account and ends its work. */
  async disableAccount(account: string, options: CallOptions = {}): Promise<AccountInfo> {
    return (await this.#ask(
      "POST",
      `${buildAccountPath(account)}/disable`,
      options,
    )) as AccountInfo;
  }

  async enableAccount(account: string, options: CallOptions = {}): Promise<AccountInfo> {
    return (await this.#ask("POST", `${buildAccountPath(account)}/enable`, options)) as AccountInfo;
  }

  /** The keys of an account, by default the first one. */
  async keys(
    query: { account?: string | undefined } = {},
    options: CallOptions = {},
  ): Promise<KeyInfo[]> {
    const call = { method: "GET", path: "/admin/keys", query } as const;
    return (await this.#call(call, options))["data"] as KeyInfo[];
  }

  /** The reply is the only place where the key is shown. */
  async createKey(key: NewKey, options: CallOptions = {}): Promise<CreatedKey> {
    return (await this.#ask("POST", "/admin/keys", options, key)) as CreatedKey;
  }

  async changeKey(id: string, limits: KeyChange, options: CallOptions = {}): Promise<KeyInfo> {
    return (await this.#ask("PATCH", buildKeyPath(id), options, limits)) as KeyInfo;
  }

  /** Replaces the key; the former one is accepted for `graceMs` longer. */
  async rotateKey(
    id: string,
    grace: { graceMs?: number } = {},
    options: CallOptions = {},
  ): Promise<CreatedKey> {
    return (await this.#ask("POST", `${buildKeyPath(id)}/rotate`, options, grace)) as CreatedKey;
  }

  /** Revokes the key and ends its work. */
  async revokeKey(id: string, options: CallOptions = {}): Promise<void> {
    await this.#ask("DELETE", buildKeyPath(id), options);
  }

  /** All settings with their values and sources; secrets are left out. */
  async settings(options: CallOptions = {}): Promise<Setting[]> {
    return (await this.#ask("GET", "/admin/settings", options)) as Setting[];
  }

  /** Checks the browser, the models, the disk and the database. Takes seconds. */
  async diagnosis(options: CallOptions = {}): Promise<Diagnosis> {
    return (await this.#ask("GET", "/admin/diagnosis", options)) as Diagnosis;
  }

  /** Explains whether the server may connect to a host, such as `example.com:8443`. */
  async explainEgress(host: string, options: CallOptions = {}): Promise<EgressExplanation> {
    const call = { method: "GET", path: "/admin/egress", query: { host } } as const;
    return (await this.#call(call, options))["data"] as EgressExplanation;
  }

  /**
   * Memory, browser pages, age of the queue, storage and scrapes over time, by default of the last 24
   * hours. Numbers as times are milliseconds since the epoch.
   */
  async history(
    range: { from?: Date | string | number; to?: Date | string | number } = {},
    options: CallOptions = {},
  ): Promise<LoadHistory> {
    const query = { from: toTime(range.from), to: toTime(range.to) };
    const call = { method: "GET", path: "/admin/history", query } as const;
    return (await this.#call(call, options))["data"] as LoadHistory;
  }

  /** Removes expired data and compacts the database. */
  async collectGarbage(options: CallOptions = {}): Promise<GarbageReport> {
    return (await this.#ask("POST", "/admin/gc", options)) as GarbageReport;
  }

  async #ask(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    options: CallOptions,
    body?: object,
  ): Promise<unknown> {
    const call = body === undefined ? { method, path } : { method, path, body: { ...body } };
    return (await this.#call(call, options))["data"];
  }
}
