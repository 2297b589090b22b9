// A kind of job that only the tests have: it counts, and remembers how far it came. All that a new kind has to bring is here.
import { createLogger } from "../src/logger.ts";
import { createMetrics } from "../src/metrics.ts";
import { createFreeCredits, type Credits } from "../src/account/credits.ts";
import { ANONYMOUS_IDENTITY } from "../src/account/identity.ts";
import { selectGrants } from "../src/jobs/caller.ts";
import { createJobService, type JobService } from "../src/jobs/create-jobs.ts";
import type { JobKind, RunContext } from "../src/jobs/kind.ts";
import type { Jobs } from "../src/jobs/jobs.ts";
import type { DueSchedule } from "../src/store/jobs/schedules.ts";
import type { Store } from "../src/store/store.ts";

export const CALLER = { identity: ANONYMOUS_IDENTITY, requestId: "test" };
export const EVENTS = ["started", "counted", "completed", "failed", "cancelled"];
export const WEBHOOK = { url: "http://a.example/", headers: {}, metadata: {}, events: EVENTS };

export type CountOptions = { readonly to: number };
export type CountParts = {
  /** Called before each number; what it throws breaks the attempt off. */
  readonly before?: (number: number, context: RunContext) => void | Promise<void>;
  readonly jobs?: () => Jobs;
  readonly everyMs?: number;
};

/** Counts to `to`, one credit a number, and ends with the numbers that this attempt counted. */
export function createCountingKind({ before, jobs, everyMs = 60_000 }: CountParts = {}): JobKind {
  return {
    name: "count",
    title: "Count",
    charged: "at the end",
    cancellable: true,
    toActivity: () => ({ target: "numbers" }),
    runner: {
      concurrency: 2,
      maxAttempts: 3,
      retryDelayMs: 1,
      maxRunMs: 60_000,
      async run(context) {
        const { to } = context.job.options as CountOptions;
        const counted: number[] = [];
        let number = (context.job.work?.progress as number | null) ?? 0;
        while (number < to) {
          await before?.(number + 1, context);
          number += 1;
          counted.push(number);
          await context.save(number, {
            counters: { pending: to - number, completed: number, creditsUsed: number },
            event: { event: "counted", data: [number] },
          });
        }
        return { state: "completed", result: counted, eventData: () => [counted] };
      },
    },
    schedule: {
      async start(due: DueSchedule) {
        if (due.isRunning) return;
        const identity = { ...ANONYMOUS_IDENTITY, accountId: due.accountId, keyId: due.keyId };
        await jobs?.().start(
          "count",
          countTo((due.options as CountOptions).to, { id: due.id, at: due.nextAt }),
          { ...CALLER, identity },
        );
      },
      next: (_schedule, after) => after + everyMs,
    },
  };
}

export function countTo(to: number, schedule?: { readonly id: string; readonly at: number }) {
  return {
    cost: { units: to, price: 1, mayClamp: false },
    plan: () => ({
      options: { to, ...selectGrants(ANONYMOUS_IDENTITY) },
      webhook: WEBHOOK,
      ...(schedule && { schedule }),
    }),
  };
}

/** One process that works on such jobs. */
export function openCounting(
  store: Store,
  parts: CountParts & {
    readonly credits?: Credits;
    readonly now?: () => number;
    readonly others?: readonly JobKind[];
  } = {},
) {
  const kind = createCountingKind({ ...parts, jobs: () => service.jobs });
  const service: JobService = createJobService({
    store,
    credits: parts.credits ?? createFreeCredits(),
    webhooks: { resolve: async (given) => given, wake: () => undefined },
    kinds: [kind, ...(parts.others ?? [])],
    config: { resultLifeHours: 1 },
    log: createLogger("silent"),
    metrics: createMetrics(),
    ...(parts.now && { now: parts.now }),
  });
  return service;
}
