// Stops the running work of a disabled account or a revoked key.
import type { Agents } from "../agent/agents.ts";
import { UNLIMITED, type Identity } from "../account/identity.ts";
import type { Batches, Crawls } from "../crawl/job.ts";
import { RequestError } from "../errors.ts";
import type { Sessions } from "../interact/sessions.ts";
import type { AccountRecord } from "../store/accounts/accounts.ts";
import type { Store } from "../store/store.ts";

export type StopWorkParts = {
  readonly store: () => Promise<Store>;
  readonly crawls: () => Promise<Crawls>;
  readonly batches: () => Promise<Batches>;
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
    const { jobs, extracts } = await parts.store();
    const identity: Identity = { accountId, keyId: accountId, keyName: name, limits: UNLIMITED };
    for (const kind of ["crawl", "batch_scrape"] as const) {
      const service = kind === "crawl" ? await parts.crawls() : await parts.batches();
      for (const { id } of await jobs.active(accountId, kind)) await service.cancel(id, identity);
    }
    const agents = await parts.agents();
    for (let before: number | undefined; ;) {
      const runs = await agents.list(identity, before, RUNS_AT_ONCE);
      for (const { id, state } of runs)
        if (state === "processing") await agents.cancel(id, identity);
      if (runs.length < RUNS_AT_ONCE) break;
      before = runs.at(-1)?.createdAt;
    }
    const error = new RequestError("FORBIDDEN", `The account "${name}" was disabled.`).toRecord();
    for (const id of await extracts.processing())
      if ((await extracts.load(id))?.accountId === accountId)
        await extracts.end(id, { state: "failed", error });
    await parts.sessions.endOf({ accountId });
  }

  return { ofAccount, ofKey: (keyId) => parts.sessions.endOf({ keyId }) };
}
