// Stops the running work of a disabled account or a revoked key.
import { RequestError } from "../../errors.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import type { Sessions } from "../../interact/sessions.ts";
import type { AccountRecord } from "../../store/accounts/accounts.ts";

export type StopWorkParts = {
  readonly jobs: () => Promise<Pick<Jobs, "stopAll">>;
  readonly sessions: Sessions;
};

export type StopWork = {
  /** Cancels the account's jobs and runs and ends its sessions, in any process. */
  ofAccount(account: AccountRecord): Promise<void>;
  /** Ends the browser sessions opened with the key. Its jobs belong to the account and continue. */
  ofKey(keyId: string): Promise<void>;
};

export function createStopWork(parts: StopWorkParts): StopWork {
  async function stopAccount({ id: accountId, name }: AccountRecord): Promise<void> {
    const error = new RequestError("FORBIDDEN", `The account "${name}" was disabled.`).toRecord();
    await (await parts.jobs()).stopAll(accountId, error);
    await parts.sessions.endOf({ accountId });
  }

  return { ofAccount: stopAccount, ofKey: (keyId) => parts.sessions.endOf({ keyId }) };
}
