// The public operations of the agent: start, read, list, cancel, trace, conversation.
import { resolveUrl } from "../contract/request/url.ts";
import { assertHostAllowed } from "../account/allow-hosts.ts";
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import type { AgentOptions } from "../contract/jobs/agent.ts";
import type { AgentEvent } from "../contract/jobs/agent-trace.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { MAX_JOB_MS } from "../crawl/start.ts";
import type { JobCaller } from "../crawl/job.ts";
import { RequestError } from "../errors.ts";
import type { StorageWaits } from "../jobs/storage-waits.ts";
import type { AgentRunRecord, AgentRunStore } from "../store/agent/agent-runs.ts";
import type { AgentStepStore } from "../store/agent/agent-steps.ts";
import type { IdempotencyStore } from "../store/accounts/idempotency.ts";
import type { KeptRun } from "./run.ts";
import { toTrace } from "./trace.ts";
import { AWAITED_MS } from "./worker.ts";

export type AgentsParts = {
  readonly runs: AgentRunStore;
  readonly steps: AgentStepStore;
  readonly idempotency: IdempotencyStore;
  readonly credits: Credits;
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  readonly onEvent: () => void;
  /** Enqueues the run for a worker. */
  readonly enqueue: (runId: string) => Promise<void>;
  /** This process ended a run, although it may not have worked on it. */
  readonly onEnded: (runId: string) => void;
  readonly waits: StorageWaits;
  readonly lifeMs: number;
  readonly now: () => number;
};

export type StartedAgent = {
  readonly id: string;
  readonly threadId: string;
  readonly turn: number;
};

export type AgentTrace = {
  readonly run: AgentRunRecord;
  readonly events: readonly AgentEvent[];
};

/** All throw NOT_FOUND for a run that is unknown, expired or of another account. */
export type Agents = {
  /** Throws BAD_REQUEST, INSUFFICIENT_CREDITS, CONFLICT, thread_not_found and thread_busy. */
  start(options: AgentOptions, caller: JobCaller): Promise<StartedAgent>;
  find(id: string, identity: Identity): Promise<AgentRunRecord>;
  /** Newest first. */
  list(identity: Identity, before: number | undefined, limit: number): Promise<AgentRunRecord[]>;
  /**
   * Cancels a running run and keeps what it found. A finished run stays unchanged. Returns the run.
   */
  cancel(id: string, identity: Identity): Promise<AgentRunRecord>;
  trace(id: string, identity: Identity): Promise<AgentTrace>;
  /** Returns the output of one step as text. */
  snapshot(id: string, snapshotId: string, identity: Identity): Promise<string>;
  /** Returns the runs of a conversation in order. Throws thread_not_found. */
  thread(threadId: string, identity: Identity): Promise<AgentRunRecord[]>;
};

const MAX_CREDITS = 1_000_000_000;
/** Earlier turns of a conversation passed to the next. */
const MAX_HISTORY = 10;

export function createAgents(parts: AgentsParts): Agents {
  const { runs, steps, now } = parts;

  async function find(id: string, { accountId }: Identity): Promise<AgentRunRecord> {
    const run = await runs.load(id, now());
    if (run?.accountId === accountId)
      return { ...run, warning: parts.waits.addWarning(id, run.warning ?? undefined) ?? null };
    throw new RequestError("NOT_FOUND", "Agent job not found");
  }

  async function findThread(id: string, { accountId }: Identity): Promise<AgentRunRecord[]> {
    const thread = await runs.thread(id, now());
    if (thread[0]?.accountId === accountId) return thread;
    throw new RequestError("thread_not_found", "Agent thread not found");
  }

  return {
    find,
    start: (options, caller) => startRun(parts, findThread, options, caller),
    list: ({ accountId }, before, limit) =>
      runs.list(accountId, before ?? Number.MAX_SAFE_INTEGER, limit, now()),
    async cancel(id, identity) {
      await find(id, identity);
      const error = { code: "SCRAPE_JOB_CANCELLED", message: "The run was cancelled." } as const;
      if (await runs.end(id, { outcome: "cancelled", error }, now())) parts.onEnded(id);
      return await find(id, identity);
    },
    async trace(id, identity) {
      const run = await find(id, identity);
      return { run, events: toTrace(run, await steps.list(id)) };
    },
    async snapshot(id, snapshotId, identity) {
      await find(id, identity);
      const [, number] = /^step-(\d{1,6})$/.exec(snapshotId) ?? [];
      const step = number === undefined ? undefined : await steps.find(id, Number(number));
      if (step === undefined || step.endedAt === null)
        throw new RequestError("NOT_FOUND", "Agent snapshot not found");
      return JSON.stringify(step.output, null, 2);
    },
    thread: findThread,
  };
}

async function startRun(
  parts: AgentsParts,
  findThread: (id: string, identity: Identity) => Promise<AgentRunRecord[]>,
  options: AgentOptions,
  caller: JobCaller,
): Promise<StartedAgent> {
  const { identity } = caller;
  const { webhook: given, maxCredits, ...kept } = options;
  for (const url of options.urls ?? []) assertHostAllowed(identity, new URL(resolveUrl(url)));
  const before = options.threadId === undefined ? [] : await findThread(options.threadId, identity);
  if (before.some(({ state }) => state === "processing")) throw busy(before);
  const id = v7();
  const threadId = options.threadId ?? v7();
  const turn = (before.at(-1)?.turn ?? 0) + 1;
  const webhook = await parts.resolveWebhook(given ?? null, id);
  const cap = Math.floor(Math.min(maxCredits, MAX_CREDITS));
  const affordable = await clamp(parts.credits, identity, cap);
  const hold = await parts.credits.hold(identity, affordable, {
    jobId: id,
    endpoint: "agent",
    lifeMs: MAX_JOB_MS,
  });
  try {
    await claimKey(parts, caller);
  } catch (error) {
    await releaseAfter(hold, error);
  }
  try {
    const createdAt = parts.now();
    const made = await parts.runs.create({
      id,
      accountId: identity.accountId,
      keyId: identity.keyId,
      threadId,
      turn,
      options: toKept(kept, identity, before),
      webhook,
      hold: hold.entry,
      maxCredits: affordable,
      warning:
        affordable < cap
          ? `The credits of the key cover ${affordable}, so maxCredits is ${affordable}.`
          : null,
      createdAt,
      expiresAt: createdAt + parts.lifeMs,
      awaitedMs: AWAITED_MS,
    });
    if (!made) throw busy(before);
  } catch (error) {
    if (caller.idempotencyKey !== undefined)
      await parts.idempotency.release(identity.accountId, caller.idempotencyKey);
    await releaseAfter(hold, error);
  }
  if (webhook !== null) parts.onEvent();
  await parts.enqueue(id);
  return { id, threadId, turn };
}

const busy = (thread: readonly AgentRunRecord[]): RequestError => {
  const running = thread.find(({ state }) => state === "processing");
  return new RequestError("thread_busy", "The agent thread is running.", {
    details: running === undefined ? undefined : { runId: running.id },
  });
};

/**
 * Caps the limit at the key's remaining credits, but at least one, so that the hold reports what is
 * missing.
 */
async function clamp(credits: Credits, identity: Identity, cap: number): Promise<number> {
  const remaining = await credits.remaining(identity);
  return remaining === null ? cap : Math.min(cap, Math.max(1, remaining));
}

async function claimKey(
  { idempotency, now }: AgentsParts,
  { identity, idempotencyKey }: JobCaller,
): Promise<void> {
  if (idempotencyKey === undefined) return;
  if (await idempotency.claim(identity.accountId, idempotencyKey, now())) return;
  throw new RequestError("CONFLICT", "Idempotency key already used");
}

async function releaseAfter(hold: Hold, error: unknown): Promise<never> {
  await hold.release();
  throw error;
}

function toKept(
  options: Omit<AgentOptions, "webhook" | "maxCredits">,
  { limits, accountLimits, allowHosts }: Identity,
  before: readonly AgentRunRecord[],
): KeptRun {
  const history = before
    .filter(({ outcome }) => outcome === "succeeded")
    .slice(-MAX_HISTORY)
    .map((run) => ({
      prompt: (run.options as KeptRun).prompt,
      data: (run.answer as { value?: unknown } | null)?.value,
    }));
  return {
    ...options,
    keyConcurrency: limits.concurrency,
    accountConcurrency: accountLimits?.concurrency ?? null,
    ...(allowHosts === undefined ? {} : { allowHosts }),
    ...(history.length > 0 ? { history } : {}),
  };
}
