// Stops the running work of a disabled account or a revoked key.
import type { Agents } from "../agent/agents.ts";
import { UNLIMITED, type Identity } from "../account/identity.ts";
import { RequestError } from "../errors.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Sessions } from "../interact/sessions.ts";
import type { AccountRecord } from "../store/accounts/accounts.ts";

export type StopWorkParts = {
  readonly jobs: () => Promise<Pick<Jobs, "stopAll">>;
  readonly agents: () => Promise<Agents>;
  readonly sessions: Sessions;
};

const RUNS_AT_ONCE = 100;

export type StopWork = {
  /** Cancels the account's jobs and runs and ends its sessions, in any process. */
  ofAccount(account: AccountRecord): Promise<void>;
  /** Ends the browser sessions opened with the key. Its jobs belong to the account and continue. */
  ofKey(keyId: string): Promise<void>;
};

export function createStopWork(parts: StopWorkParts): StopWork {
  async function ofAccount({ id: accountId, name }: AccountRecord): Promise<void> {
    const identity: Identity = { accountId, keyId: accountId, keyName: name, limits: UNLIMITED };
    const error = new RequestError("FORBIDDEN", `The account "${name}" was disabled.`).toRecord();
    await (await parts.jobs()).stopAll(accountId, error);
    const agents = await parts.agents();
    for (let before: number | undefined; ;) {
      const runs = await agents.list(identity, before, RUNS_AT_ONCE);
      for (const { id, state } of runs)
        if (state === "processing") await agents.cancel(id, identity);
      if (runs.length < RUNS_AT_ONCE) break;
      before = runs.at(-1)?.createdAt;
    }
    await parts.sessions.endOf({ accountId });
  }

  return { ofAccount, ofKey: (keyId) => parts.sessions.endOf({ keyId }) };
}
