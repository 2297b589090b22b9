// The jobs of an account for its list, with names of keys in place of their ids.
import type { JobListState } from "../contract/jobs/job-list.ts";
import type { JobListKind } from "../contract/jobs/kinds.ts";
import type { KeyStore } from "../store/accounts/accounts.ts";
import type { JobListStore, JobTotals, ListedJob } from "../store/jobs/job-list.ts";
import { BUILT_IN_KEY_NAMES, type Identity } from "./identity.ts";

export type JobListFilter = {
  readonly kinds: readonly JobListKind[];
  readonly state?: JobListState | undefined;
  readonly host?: string | undefined;
  readonly text?: string | undefined;
  /** Name or id of a key. */
  readonly key?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

export type NamedJob = ListedJob & { readonly keyName: string | null };

export type JobList = {
  list(
    identity: Identity,
    filter: JobListFilter,
  ): Promise<{ readonly jobs: readonly NamedJob[]; readonly cursor: string | undefined }>;
  /** Returns those of `ids` that belong to the account. At most some hundred. */
  load(identity: Identity, ids: readonly string[]): Promise<NamedJob[]>;
  totals(identity: Identity, kinds: readonly JobListKind[]): Promise<JobTotals>;
};

/** `open` resolves once the database is open. */
export function createJobList(
  open: () => Promise<{ readonly jobList: JobListStore; readonly keys: KeyStore }>,
): JobList {
  async function loadKeyNames(accountId: string): Promise<Map<string, string>> {
    const { keys } = await open();
    const named = (await keys.list(accountId)).map(({ id, name }) => [id, name] as const);
    return new Map([...named, ...BUILT_IN_KEY_NAMES]);
  }

  const withName = (job: ListedJob, names: ReadonlyMap<string, string>): NamedJob => ({
    ...job,
    keyName: names.get(job.keyId) ?? null,
  });

  return {
    async load({ accountId }, ids) {
      if (ids.length === 0) return [];
      const names = await loadKeyNames(accountId);
      return (await (await open()).jobList.load(accountId, ids)).map((job) => withName(job, names));
    },
    async list({ accountId }, { key, cursor, ...filter }) {
      const names = await loadKeyNames(accountId);
      const keyIds =
        key === undefined
          ? undefined
          : [...names].filter((entry) => entry.includes(key)).map(([id]) => id);
      const page = await (
        await open()
      ).jobList.list(accountId, { ...filter, keyIds, before: cursor });
      return {
        jobs: page.jobs.map((job) => withName(job, names)),
        cursor: page.cursor,
      };
    },
    totals: async ({ accountId }, kinds) => (await open()).jobList.countJobs(accountId, kinds),
  };
}
