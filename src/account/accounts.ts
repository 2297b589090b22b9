// Accounts own keys and everything created with them. The first one always exists.
import { RequestError } from "../errors.ts";
import {
  createRowId,
  type AccountLimits,
  type AccountRecord,
  type AccountStore,
} from "../store/accounts/accounts.ts";
import type { LedgerStore } from "../store/accounts/ledger.ts";
import { grantBudget } from "./grant-budget.ts";
import { UNLIMITED } from "./identity.ts";

export type NewAccount = {
  readonly name: string;
  readonly limits?: Partial<AccountLimits>;
};

export type Accounts = {
  /** Throws CONFLICT when the name is taken. */
  create(account: NewAccount): Promise<AccountRecord>;
  /** Returns all, oldest first. */
  list(): Promise<AccountRecord[]>;
  /** Finds by name or id. Throws NOT_FOUND. */
  get(nameOrId: string): Promise<AccountRecord>;
  /**
   * Rejects or accepts the keys of the account from now on: at once here, within 10 s in other
   * processes.
   */
  setDisabled(nameOrId: string, isDisabled: boolean): Promise<AccountRecord>;
  /**
   * Changes the given limits; null removes one. Effective at once here, within 10 s in other
   * processes. Throws NOT_FOUND.
   */
  saveLimits(nameOrId: string, changes: Partial<AccountLimits>): Promise<AccountRecord>;
  /** Last read at most 10 s ago. */
  find(id: string): Promise<AccountRecord | undefined>;
  /** Throws FORBIDDEN for a disabled account. */
  assertEnabled(account: AccountRecord | undefined): void;
};

export type AccountsParts = {
  readonly accounts: AccountStore;
  readonly ledger: LedgerStore;
  readonly now?: () => number;
};

const CACHE_MS = 10_000;
const MAX_CACHE_ENTRIES = 10_000;
const LOOKS_LIKE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createAccounts(parts: AccountsParts): Accounts {
  const { accounts, ledger, now = Date.now } = parts;
  const known = new Map<string, { account: AccountRecord | undefined; until: number }>();

  async function get(nameOrId: string): Promise<AccountRecord> {
    const account = await accounts.find(nameOrId);
    if (account !== undefined) return account;
    throw new RequestError(
      "NOT_FOUND",
      `There is no account "${nameOrId}"; quarry accounts list shows names and ids.`,
    );
  }

  return {
    get,
    list: () => accounts.list(),
    async create({ name, limits }) {
      if (LOOKS_LIKE_ID.test(name))
        throw new RequestError("BAD_REQUEST", "An account name must not look like an id.");
      const account: AccountRecord = {
        id: createRowId(),
        name,
        limits: { ...UNLIMITED, indexPages: null, ...limits },
        createdAt: now(),
        disabledAt: null,
      };
      if (!(await accounts.insert(account)))
        throw new RequestError(
          "CONFLICT",
          `There is an account "${name}" already; account names are unique.`,
        );
      const { creditBudget } = account.limits;
      await grantBudget(ledger, { accountId: account.id, keyId: account.id }, creditBudget, now());
      return account;
    },
    async saveLimits(nameOrId, changes) {
      const { id, limits } = await get(nameOrId);
      const next = { ...limits, ...changes };
      await accounts.saveLimits(id, next);
      if (changes.creditBudget !== undefined)
        await grantBudget(ledger, { accountId: id, keyId: id }, next.creditBudget, now());
      known.delete(id);
      return await get(id);
    },
    async setDisabled(nameOrId, isDisabled) {
      const account = await get(nameOrId);
      await accounts.saveDisabled(account.id, isDisabled ? (account.disabledAt ?? now()) : null);
      known.delete(account.id);
      return await get(account.id);
    },
    async find(id) {
      const cached = known.get(id);
      if (cached !== undefined && cached.until > now()) return cached.account;
      const account = await accounts.find(id);
      known.delete(id);
      known.set(id, { account, until: now() + CACHE_MS });
      const oldest = known.keys().next();
      if (known.size > MAX_CACHE_ENTRIES && oldest.done !== true) known.delete(oldest.value);
      return account;
    },
    assertEnabled(account) {
      if (account === undefined || account.disabledAt === null) return;
      throw new RequestError(
        "FORBIDDEN",
        `Forbidden: the account "${account.name}" of this key is disabled. Ask the operator of this server.`,
      );
    },
  };
}
