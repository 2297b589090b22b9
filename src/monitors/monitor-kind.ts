// The check of a monitor as a kind of job. Each of its scrapes is charged separately; a schedule
// starts it.
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { InternalError, LimitError, QuarryError, RequestError } from "../errors.ts";
import { buildJobIdentity, type Grants } from "../jobs/caller.ts";
import type { JobEnd, JobKind, JobSchedule, RunContext } from "../jobs/kind.ts";
import type { Jobs } from "../jobs/jobs.ts";
import { isObject } from "../runtime/is-object.ts";
import type { Schedule } from "../store/jobs/schedules.ts";
import type { CheckRecord, NewCheck } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import type { Store } from "../store/store.ts";
import { estimateCheck } from "./show-monitor.ts";
import { runCheck, type RunCheckParts } from "./run-check.ts";
import { computeNextRun, type Timetable } from "./schedule.ts";
import { getSettings } from "./settings.ts";
import { v7 } from "uuid";

/** Stored with the job. JSON. */
export type CheckOptions = Grants & { readonly monitorId: string };
/** Stored with the schedule. JSON. */
export type ScheduleOptions = Grants & { readonly timetable: Timetable };

export type MonitorKindParts = Omit<RunCheckParts, "checks" | "notices" | "flush"> & {
  /** Resolves once the database is open. */
  readonly store: () => Promise<
    Pick<Store, "monitors" | "monitorChecks" | "monitorNotices" | "flush">
  >;
  readonly jobs: () => Promise<Jobs>;
  /** Called after notifications were written. */
  readonly onNotices: () => void;
  readonly onCheck: (check: {
    readonly status: string;
    readonly lagMs: number | undefined;
  }) => void;
};

const DAY_MS = 24 * 3_600_000;
const JOB_TTL_MS = 600_000;
/** High, because most checks wait before a confirming fetch. */
const MAX_CONCURRENCY = 48;
const RUNNING = "A check of this monitor is running.";

const MONITOR_DELETED: JobEnd = {
  state: "failed",
  error: new RequestError("NOT_FOUND", "The monitor was deleted.").toRecord(),
};

export type StartedCheck = { readonly id: string };

export function createMonitorKind(parts: MonitorKindParts) {
  const kind: JobKind = {
    name: "monitor",
    title: "Monitor check",
    charged: "as it goes",
    cancellable: false,
    // The monitor sends its own notifications.
    hasEvents: false,
    // The check itself is in its own table.
    lifeMs: JOB_TTL_MS,
    toActivity: ({ options }) => ({ target: (options as CheckOptions).monitorId }),
    runner: {
      concurrency: MAX_CONCURRENCY,
      maxAttempts: 8,
      retryDelayMs: 2_000,
      maxRunMs: 6 * 3_600_000,
      run: (context) => run(parts, context),
      giveUp: (context, error) => giveUp(parts, context, error),
    },
    schedule: {
      start: (due) => startScheduled(due),
      next: ({ id, options }, after) =>
        computeNextRun((options as ScheduleOptions).timetable, after, id),
    },
  };

  const buildCheck = (
    monitor: MonitorRecord,
    id: string,
    scheduledFor: number | null,
    now: number,
  ): NewCheck => ({
    id,
    monitorId: monitor.id,
    accountId: monitor.accountId,
    trigger: scheduledFor === null ? "manual" : "scheduled",
    scheduledFor,
    estimatedCredits: estimateCheck(getSettings(monitor), monitor.lastSummary?.totalPages),
    createdAt: now,
    expiresAt: now + monitor.retentionDays * DAY_MS,
  });

  /** Throws CONFLICT while a check of the monitor runs, and INSUFFICIENT_CREDITS. */
  async function start(monitor: MonitorRecord, scheduledFor: number | null): Promise<StartedCheck> {
    const { monitorChecks } = await parts.store();
    const { grants } = getSettings(monitor);
    const options: CheckOptions = { ...grants, monitorId: monitor.id };
    const { accountId, keyId } = monitor;
    const identity = { ...ANONYMOUS_IDENTITY, ...buildJobIdentity({ accountId, keyId, options }) };
    const { id } = await (
      await parts.jobs()
    ).start(
      "monitor",
      {
        cost: { units: 0, price: 0, mayClamp: false },
        plan: (_units, id) => ({
          options,
          webhook: null,
          ...(scheduledFor !== null && { schedule: { id: monitor.id, at: scheduledFor } }),
          alongside: monitorChecks.begin(buildCheck(monitor, id, scheduledFor, parts.now())),
        }),
        refused: () => new RequestError("CONFLICT", RUNNING),
      },
      { identity, requestId: "monitor" },
    );
    return { id };
  }

  const startScheduled: JobSchedule["start"] = async ({ id, nextAt }) => {
    const { monitors, monitorChecks } = await parts.store();
    const monitor = await monitors.loadAny(id);
    if (monitor?.status !== "active") return;
    const skip = async (status: "skipped_overlap" | "skipped_no_credits"): Promise<void> => {
      await monitorChecks.skip(buildCheck(monitor, v7(), nextAt, parts.now()), status);
      parts.onCheck({ status, lagMs: undefined });
    };
    try {
      await start(monitor, nextAt);
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      // After a crash, the repeated call finds the check of this time and writes nothing.
      if (error.code === "CONFLICT") await skip("skipped_overlap");
      else if (error instanceof LimitError && error.code === "INSUFFICIENT_CREDITS")
        await skip("skipped_no_credits");
      else throw error;
    }
  };

  return { kind, start };
}

export const toSchedule = (monitor: MonitorRecord, now: number): Schedule => {
  const { timetable, grants } = getSettings(monitor);
  const options: ScheduleOptions = { ...grants, timetable };
  return {
    id: monitor.id,
    accountId: monitor.accountId,
    keyId: monitor.keyId,
    kind: "monitor",
    options,
    nextAt: monitor.status === "active" ? computeNextRun(timetable, now, monitor.id) : null,
    createdAt: monitor.createdAt,
  };
};

async function find(
  parts: MonitorKindParts,
  { job }: RunContext,
): Promise<{ monitor: MonitorRecord; check: CheckRecord } | undefined> {
  const { monitors, monitorChecks } = await parts.store();
  const monitor = await monitors.loadAny((job.options as CheckOptions).monitorId);
  if (monitor === undefined) return undefined;
  const check = await monitorChecks.load(monitor.accountId, monitor.id, job.id);
  return check === undefined ? undefined : { monitor, check };
}

async function run(parts: MonitorKindParts, context: RunContext): Promise<JobEnd> {
  const { job, identity, signal } = context;
  const { monitorChecks, monitorNotices, flush } = await parts.store();
  const found = await find(parts, context);
  if (found === undefined) return MONITOR_DELETED;
  const { monitor, check } = found;
  const startedAt = parts.now();
  // An earlier attempt may have crashed after the end of the check, before the end of the job.
  if (!(await monitorChecks.markStarted(job.id, startedAt))) return endOf(check);
  const crawlIds = toCrawlIds(job.work?.progress);
  const ended = await runCheck(
    { ...parts, checks: monitorChecks, notices: monitorNotices, flush },
    {
      monitor,
      check: { ...check, status: "running", startedAt: check.startedAt ?? startedAt },
      identity,
      signal,
      crawlIds,
      async saveCrawl(targetId, crawlId) {
        crawlIds[targetId] = crawlId;
        await context.save({ crawlIds });
      },
    },
  );
  parts.onNotices();
  const lagMs = check.scheduledFor === null ? undefined : startedAt - check.scheduledFor;
  if (ended === undefined) {
    const other = await find(parts, context);
    return other === undefined ? MONITOR_DELETED : endOf(other.check);
  }
  parts.onCheck({ status: ended.status, lagMs });
  return { ...endOf(ended), result: ended.summary };
}

const toCrawlIds = (progress: unknown): Record<string, string> =>
  isObject(progress) && isObject(progress["crawlIds"])
    ? { ...(progress["crawlIds"] as Record<string, string>) }
    : {};

const endOf = (check: Pick<CheckRecord, "status" | "error">): JobEnd =>
  check.status === "failed" || check.status === "skipped_no_credits"
    ? { state: "failed", error: new InternalError(check.error ?? "The check failed.").toRecord() }
    : { state: "completed" };

async function giveUp(
  parts: MonitorKindParts,
  context: RunContext,
  error: unknown,
): Promise<JobEnd> {
  const found = await find(parts, context);
  if (found === undefined) return MONITOR_DELETED;
  const message =
    error instanceof QuarryError ? error.message : "The check failed again and again.";
  const { monitorChecks } = await parts.store();
  const { check } = found;
  await monitorChecks.end(
    check,
    {
      status: "failed",
      summary: check.summary,
      targetResults: [],
      actualCredits: 0,
      error: message,
      pages: [],
      changes: [],
      notices: [],
      keptScrapes: [],
    },
    parts.now(),
  );
  return { state: "failed", error: new InternalError(message).toRecord() };
}
