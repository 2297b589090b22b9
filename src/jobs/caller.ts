import { UNLIMITED, type Identity } from "../account/identity.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";

/** The caller, and the request it came with. */
export type JobCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The base URL of this server as the caller reaches it. */
  readonly base?: string | undefined;
  /** A UUID that marks repeats of the same request. */
  readonly idempotencyKey?: string | undefined;
  /** The API version of the caller, for the activity list. */
  readonly apiVersion?: "v1" | "v2";
};

/** The name and limits of the caller's key, saved with the options of a job. */
export type Grants = Pick<Identity, "limits" | "accountLimits" | "allowHosts"> & {
  /** Missing in jobs of earlier versions. */
  readonly keyName?: string;
};

export const selectGrants = ({ keyName, limits, accountLimits, allowHosts }: Identity): Grants => ({
  keyName,
  limits,
  ...(accountLimits === undefined ? {} : { accountLimits }),
  ...(allowHosts === undefined ? {} : { allowHosts }),
});

/** Returns the options without the caller's name and limits. */
export function omitGrants<Options extends object>(options: Options): Omit<Options, keyof Grants> {
  const {
    keyName: _,
    limits: __,
    accountLimits: ___,
    allowHosts: ____,
    ...rest
  }: Options & Partial<Grants> = options;
  return rest;
}

/** Replaces the grants of an earlier caller, as a retry by another key needs. */
export const withGrants = <Options extends object>(
  options: Options,
  identity: Identity,
): Omit<Options, keyof Grants> & Grants => ({
  ...omitGrants(options),
  ...selectGrants(identity),
});

/** The identity that a job works for. */
export function buildJobIdentity({
  accountId,
  keyId,
  options,
}: Pick<JobRecord, "accountId" | "keyId" | "options">): Identity {
  const {
    keyName = "",
    limits = UNLIMITED,
    accountLimits = UNLIMITED,
    allowHosts,
  } = options as Partial<Grants>;
  return { accountId, keyId, keyName, limits, accountLimits, allowHosts };
}
