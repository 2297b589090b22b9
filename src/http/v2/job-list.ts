import { Readable } from "node:stream";
import type { JobEvent, JobEvents } from "../../account/job-events.ts";
import type { JobList, JobListFilter, NamedJob } from "../../account/job-list.ts";
import type { ListedJobBody } from "../../contract/jobs/job-list.ts";
import { JOB_LIST_KINDS, JOB_PATHS, type JobListKind } from "../../contract/jobs/kinds.ts";
import { removeLogin } from "../../url/userinfo.ts";
import type { Call, Handlers } from "../route.ts";

export type JobListRouteParts = {
  readonly jobList: JobList;
  readonly jobEvents: JobEvents;
};

type Query = Omit<JobListFilter, "kinds" | "limit"> & {
  readonly kind?: JobListKind[];
  readonly limit?: number;
};

const DEFAULT_LIMIT = 50;

/** GET /v2/jobs and the stream of changes. */
export function createJobListHandlers({ jobList, jobEvents }: JobListRouteParts): Handlers {
  return {
    "GET /v2/jobs/events": async ({ identity, reply, signal }: Call) => {
      const events = jobEvents.watch(identity, signal);
      // The first event is read before the headers are sent, so that a failure to open is an error
      // response.
      const first = await events.next();
      reply.type("text/event-stream; charset=utf-8");
      // A proxy that buffers responses would hold back every event.
      reply.headers({ "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" });
      return Readable.from(writeEvents(first, events), { objectMode: false });
    },
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

const toIso = (at: number): string => new Date(at).toISOString();

export function toListedJob(job: NamedJob): ListedJobBody {
  const isRunning = job.state === "running";
  const { pending, completed, failed } = job;
  return {
    id: job.id,
    kind: job.kind,
    state: job.state,
    path: `${JOB_PATHS[job.kind]}/${job.id}`,
    // Extractions and agent runs keep their URLs as written.
    url: job.url === null ? null : (removeLogin(job.url) ?? null),
    prompt: job.prompt,
    apiKey: { id: job.keyId, name: job.keyName },
    total: (isRunning ? pending : 0) + completed + failed,
    completed,
    failed,
    creditsUsed: job.creditsUsed,
    error: job.error,
    code: job.code,
    createdAt: toIso(job.createdAt),
    completedAt: job.completedAt === null ? null : toIso(job.completedAt),
    expiresAt: isRunning ? null : toIso(job.expiresAt),
  };
}

/** Milliseconds until a browser reconnects. */
const RECONNECT_MS = 2_000;

async function* writeEvents(
  first: IteratorResult<JobEvent>,
  events: AsyncGenerator<JobEvent>,
): AsyncGenerator<string> {
  yield `retry: ${RECONNECT_MS}\n\n`;
  if (first.done !== true) yield writeEvent(first.value);
  for await (const event of events) yield writeEvent(event);
}

function writeEvent(event: JobEvent): string {
  if (event.type === "heartbeat") return ": heartbeat\n\n";
  const body =
    event.type === "snapshot"
      ? { ...event, jobs: event.jobs.map(toListedJob) }
      : { ...event, job: toListedJob(event.job) };
  return `event: ${event.type}\ndata: ${JSON.stringify(body)}\n\n`;
}
