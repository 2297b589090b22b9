// Changes of an account's jobs as they happen, in any process: each process queries the database
// once a second for the watched accounts, for any number of watchers.
import { JOB_LIST_KINDS } from "../contract/jobs/kinds.ts";
import { LimitError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { JobTotals } from "../store/jobs/job-list.ts";
import type { Identity } from "./identity.ts";
import type { JobList, NamedJob } from "./job-list.ts";

export type JobChangeKind = "created" | "progress" | "ended";

export type JobEvent =
  | { readonly type: "snapshot"; readonly jobs: readonly NamedJob[]; readonly totals: JobTotals }
  | { readonly type: "job"; readonly change: JobChangeKind; readonly job: NamedJob }
  | { readonly type: "heartbeat" };

export type JobEventParts = {
  readonly list: Pick<JobList, "list" | "load" | "totals">;
  readonly log: Logger;
  /** Aborts when the server stops: streams end then. */
  readonly stopping: AbortSignal;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
};

export type JobEvents = {
  /**
   * Yields a snapshot first, then each change, until `signal` aborts. A slow reader gets the latest
   * state of each job.
   */
  watch(identity: Identity, signal: AbortSignal): AsyncGenerator<JobEvent>;
};

const POLL_MS = 1_000;
const HEARTBEAT_MS = 15_000;
/** Longer watchers reconnect and authenticate again. */
const MAX_STREAM_MS = 15 * 60_000;
const MAX_ACCOUNT_STREAMS = 20;
const MAX_STREAMS = 200;
/** Maximum running jobs followed; the next constant limits other jobs in a snapshot. */
const MAX_RUNNING = 200;
const MAX_RECENT = 50;

type Viewer = { readonly pending: Map<string, JobEvent & { type: "job" }>; wake: () => void };

type Hub = {
  readonly viewers: Set<Viewer>;
  /** Settles after the first poll: later changes are reported. */
  ready: Promise<void>;
  timer: NodeJS.Timeout | undefined;
};

export function createJobEvents(parts: JobEventParts): JobEvents {
  const { list, log, stopping, pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = parts;
  const hubs = new Map<string, Hub>();

  async function look(identity: Identity): Promise<Map<string, NamedJob>> {
    const query = { kinds: JOB_LIST_KINDS };
    const [running, recent] = await Promise.all([
      list.list(identity, { ...query, state: "running", limit: MAX_RUNNING }),
      // Jobs that began and ended between two polls are among the newest.
      list.list(identity, { ...query, limit: MAX_RECENT }),
    ]);
    return new Map([...recent.jobs, ...running.jobs].map((job) => [job.id, job]));
  }

  /** Polls while there are watchers; a poll starts after the previous one has ended. */
  function follow(identity: Identity, hub: Hub): void {
    let known: Map<string, NamedJob> | undefined;
    const notify = (change: JobChangeKind, job: NamedJob): void => {
      for (const viewer of hub.viewers) {
        const earlier = viewer.pending.get(job.id);
        const isNew = earlier?.change === "created" && change === "progress";
        viewer.pending.set(job.id, { type: "job", change: isNew ? "created" : change, job });
        viewer.wake();
      }
    };
    const readOnce = async (): Promise<void> => {
      const found = await look(identity);
      const before = known;
      if (before !== undefined) {
        const lost = [...before.values()].filter(
          ({ id, state }) => state === "running" && !found.has(id),
        );
        const ended = await list.load(
          identity,
          lost.map(({ id }) => id),
        );
        for (const job of [...ended, ...found.values()]) {
          const earlier = before.get(job.id);
          if (earlier === undefined) notify(job.state === "running" ? "created" : "ended", job);
          else if (earlier.state !== job.state) notify("ended", job);
          else if (hasMoved(earlier, job)) notify("progress", job);
        }
      }
      known = found;
    };
    const run = async (): Promise<void> => {
      await readOnce().catch((error: unknown) => log.warn({ err: error }, "failed to watch jobs"));
      if (hub.viewers.size > 0 && !stopping.aborted)
        hub.timer = setTimeout(() => void run(), pollMs);
    };
    hub.ready = run();
  }

  function join(
    identity: Identity,
    viewer: Viewer,
  ): { readonly hub: Hub; readonly leave: () => void } {
    const { accountId } = identity;
    const hub = hubs.get(accountId) ?? {
      viewers: new Set(),
      ready: Promise.resolve(),
      timer: undefined,
    };
    const all = [...hubs.values()].reduce((sum, { viewers }) => sum + viewers.size, 0);
    if (hub.viewers.size >= MAX_ACCOUNT_STREAMS || all >= MAX_STREAMS)
      throw new LimitError(
        "RATE_LIMITED",
        `Too many streams of jobs are open (${MAX_ACCOUNT_STREAMS} for an account at most). Close one, or retry after 5s.`,
        { retryAfterMs: 5_000 },
      );
    hub.viewers.add(viewer);
    if (hub.viewers.size === 1) {
      hubs.set(accountId, hub);
      follow(identity, hub);
    }
    const leave = (): void => {
      hub.viewers.delete(viewer);
      if (hub.viewers.size > 0) return;
      clearTimeout(hub.timer);
      if (hubs.get(accountId) === hub) hubs.delete(accountId);
    };
    return { hub, leave };
  }

  return {
    async *watch(identity, signal) {
      const viewer: Viewer = { pending: new Map(), wake: () => undefined };
      const ended = AbortSignal.any([signal, stopping, AbortSignal.timeout(MAX_STREAM_MS)]);
      const { hub, leave } = join(identity, viewer);
      try {
        await hub.ready;
        const [jobs, totals] = await Promise.all([
          look(identity),
          list.totals(identity, JOB_LIST_KINDS),
        ]);
        yield {
          type: "snapshot",
          jobs: [...jobs.values()].toSorted((left, right) => (left.id < right.id ? 1 : -1)),
          totals,
        };
        while (!ended.aborted) {
          const events = [...viewer.pending.values()];
          viewer.pending.clear();
          if (events.length === 0 && !(await waitForWakeUp(viewer, heartbeatMs, ended)))
            yield { type: "heartbeat" };
          yield* events;
        }
      } finally {
        leave();
      }
    },
  };
}

const hasMoved = (before: NamedJob, after: NamedJob): boolean =>
  before.pending !== after.pending ||
  before.completed !== after.completed ||
  before.failed !== after.failed ||
  before.creditsUsed !== after.creditsUsed;

/** True when there are changes or the stream ends, false on timeout. */
async function waitForWakeUp(viewer: Viewer, ms: number, ended: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const wake = (): void => resolve(true);
  viewer.wake = wake;
  ended.addEventListener("abort", wake, { once: true });
  const timer = setTimeout(() => resolve(false), ms);
  if (viewer.pending.size > 0 || ended.aborted) wake();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    ended.removeEventListener("abort", wake);
  }
}
