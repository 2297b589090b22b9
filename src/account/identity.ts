import type { Scope } from "../contract/account/scopes.ts";
import type { KeyLimits } from "../store/accounts/accounts.ts";

/** On whose behalf a request runs: the account that owns what it makes, the key that pays and is limited. */
export type Identity = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly limits: KeyLimits;
  /** Over all keys of the account; unlimited when missing. */
  readonly accountLimits?: KeyLimits;
  /** What the key may do; DEFAULT_SCOPES when missing. */
  readonly scopes?: readonly Scope[];
  /** Hosts that may be fetched as targets; any when missing. */
  readonly allowHosts?: readonly string[] | undefined;
};

export const UNLIMITED: KeyLimits = {
  creditBudget: null,
  requestsPerMinute: null,
  concurrency: null,
};

/** Key ids of callers without a row in the key table: authentication is off, or the key comes from the settings. */
export const ANONYMOUS_KEY_ID = "00000000-0000-7000-8000-000000000001";
export const START_KEY_ID = "00000000-0000-7000-8000-000000000002";

/** Everybody, in a process that has no store and so no account. */
export const ANONYMOUS_IDENTITY: Identity = {
  accountId: "00000000-0000-7000-8000-000000000000",
  keyId: ANONYMOUS_KEY_ID,
  keyName: "none",
  limits: UNLIMITED,
};
