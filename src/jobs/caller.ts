import { UNLIMITED, type Identity } from "../account/identity.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";

/** Who asks, and on which request. */
export type JobCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  /** The address of this server as the caller reaches it. */
  readonly base?: string | undefined;
  /** A UUID by which the caller says "this is the same request again". */
  readonly idempotencyKey?: string | undefined;
  /** Of the API the caller speaks, for the list of activity. */
  readonly apiVersion?: "v1" | "v2";
};

/** What the caller's key may do, saved with the options of a job. */
export type Grants = Pick<Identity, "limits" | "accountLimits" | "allowHosts">;

export const grantsOf = ({ limits, accountLimits, allowHosts }: Identity): Grants => ({
  limits,
  ...(accountLimits === undefined ? {} : { accountLimits }),
  ...(allowHosts === undefined ? {} : { allowHosts }),
});

/** On whose behalf a job works. */
export function identityOfJob({
  accountId,
  keyId,
  options,
}: Pick<JobRecord, "accountId" | "keyId" | "options">): Identity {
  const { limits = UNLIMITED, accountLimits = UNLIMITED, allowHosts } = options as Partial<Grants>;
  return { accountId, keyId, keyName: "", limits, accountLimits, allowHosts };
}
