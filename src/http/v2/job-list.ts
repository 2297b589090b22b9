import type { JobList, JobListFilter, NamedJob } from "../../account/job-list.ts";
import { JOB_LIST_KINDS, type JobListKind, type ListedJobBody } from "../../contract/job-list.ts";
import type { Call, Handlers } from "../route.ts";

export type JobListRouteParts = {
  readonly jobList: JobList;
};

type Query = Omit<JobListFilter, "kinds" | "limit"> & {
  readonly kind?: JobListKind[];
  readonly limit?: number;
};

const DEFAULT_LIMIT = 50;

/** GET /v2/jobs. */
export function jobListHandlers({ jobList }: JobListRouteParts): Handlers {
  return {
    "GET /v2/jobs": async ({ identity, query }: Call<unknown, Query>) => {
      const { kind: kinds = JOB_LIST_KINDS, limit = DEFAULT_LIMIT, ...filter } = query;
      const { jobs, cursor = null } = await jobList.list(identity, { ...filter, kinds, limit });
      const totals = query.cursor === undefined ? await jobList.totals(identity, kinds) : undefined;
      return {
        success: true,
        jobs: jobs.map(toListedJob),
        ...(totals && { totals }),
        cursor,
      };
    },
  };
}

const PATHS: Readonly<Record<JobListKind, string>> = {
  crawl: "/v2/crawl",
  batch: "/v2/batch/scrape",
  extract: "/v2/extract",
  agent: "/v2/agent",
};

const toIso = (at: number): string => new Date(at).toISOString();

export function toListedJob(job: NamedJob): ListedJobBody {
  const isRunning = job.state === "running";
  const { pending, completed, failed } = job;
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    path: `${PATHS[job.kind]}/${job.id}`,
    url: job.url,
    prompt: job.prompt,
    apiKey: { id: job.keyId, name: job.keyName },
    total: (isRunning ? pending : 0) + completed + failed,
    completed,
    failed,
    creditsUsed: job.creditsUsed,
    error: job.error,
    createdAt: toIso(job.createdAt),
    completedAt: job.completedAt === null ? null : toIso(job.completedAt),
    expiresAt: isRunning ? null : toIso(job.expiresAt),
  };
}
