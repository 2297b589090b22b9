import type { Scope } from "../contract/account/scopes.ts";
import type { KeyLimits } from "../store/accounts/accounts.ts";

/**
 * Caller of a request: the account that owns its results, and the key that is charged and limited.
 */
export type Identity = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly limits: KeyLimits;
  /** Limits over all keys of the account; unlimited by default. */
  readonly accountLimits?: KeyLimits;
  /** Scopes of the key; default DEFAULT_SCOPES. */
  readonly scopes?: readonly Scope[];
  /** Hosts that may be fetched; undefined allows all. */
  readonly allowHosts?: readonly string[] | undefined;
};

export const UNLIMITED: KeyLimits = {
  creditBudget: null,
  requestsPerMinute: null,
  concurrency: null,
};

/**
 * Key ids of callers without a stored key: without authentication, or with the key from the
 * settings.
 */
export const ANONYMOUS_KEY_ID = "00000000-0000-7000-8000-000000000001";
export const START_KEY_ID = "00000000-0000-7000-8000-000000000002";
/** The operator, signed in to the console by a one-time link. */
export const OPERATOR_KEY_ID = "00000000-0000-7000-8000-000000000003";

/** Names of these callers in lists, by key id. */
export const BUILT_IN_KEY_NAMES: readonly (readonly [id: string, name: string])[] = [
  [START_KEY_ID, "QUARRY_API_KEY"],
  [ANONYMOUS_KEY_ID, "none"],
  [OPERATOR_KEY_ID, "console"],
];

/** Every caller in a process without a store and accounts. */
export const ANONYMOUS_IDENTITY: Identity = {
  accountId: "00000000-0000-7000-8000-000000000000",
  keyId: ANONYMOUS_KEY_ID,
  keyName: "none",
  limits: UNLIMITED,
};
