// The public operations of the agent: start, read, list, cancel, trace, conversation.
import { resolveUrl } from "../contract/request/url.ts";
import { assertHostAllowed, assertHostsCovered } from "../account/allow-hosts.ts";
import { v7 } from "uuid";
import type { Identity } from "../account/identity.ts";
import type { AgentOptions } from "../contract/jobs/agent.ts";
import type { AgentEvent } from "../contract/jobs/agent-trace.ts";
import { RequestError } from "../errors.ts";
import { withGrants, type JobCaller } from "../jobs/caller.ts";
import { assertRetryable, type Jobs } from "../jobs/jobs.ts";
import type { AgentRunRecord, AgentRunStore } from "../store/agent/agent-runs.ts";
import type { AgentStepStore } from "../store/agent/agent-steps.ts";
import type { StoredRun } from "./run.ts";
import { toTrace } from "./trace.ts";

export type AgentsParts = {
  /** Resolve once the database is open. */
  readonly jobs: () => Promise<Pick<Jobs, "start" | "find" | "cancel">>;
  readonly store: () => Promise<{
    readonly agentRuns: AgentRunStore;
    readonly agentSteps: AgentStepStore;
  }>;
  readonly now?: () => number;
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
  /** Starts a failed or cancelled run again. Throws CONFLICT for any other, and as `start`. */
  retry(id: string, webhook: AgentOptions["webhook"], caller: JobCaller): Promise<StartedAgent>;
  find(id: string, identity: Identity): Promise<AgentRunRecord>;
  /** Returns the place of a run in its conversation, from 1, for a caller who may read it. */
  findTurn(id: string): Promise<number>;
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
  const { jobs, store, now = Date.now } = parts;

  async function find(id: string, identity: Identity): Promise<AgentRunRecord> {
    const all = await jobs();
    await all.find("agent", id, identity);
    const run = await (await store()).agentRuns.load(id, now());
    if (run === undefined) throw createNotFoundError();
    // Read after the run: a run that ended meanwhile has its final warnings.
    const { warnings } = await all.find("agent", id, identity);
    return { ...run, warning: warnings.length === 0 ? null : warnings.join(" ") };
  }

  async function loadThread(id: string, identity: Identity): Promise<AgentRunRecord[]> {
    const runs = await (await store()).agentRuns.loadThread(id, now());
    if (runs[0]?.accountId === identity.accountId) {
      for (const { options } of runs)
        assertHostsCovered(identity, (options as StoredRun).allowHosts, "thread");
      return runs;
    }
    throw new RequestError("thread_not_found", "Agent thread not found");
  }

  async function start(options: AgentOptions, caller: JobCaller): Promise<StartedAgent> {
    const { identity } = caller;
    const { webhook = null, maxCredits, threadId = v7(), ...asked } = options;
    for (const url of options.urls ?? []) assertHostAllowed(identity, new URL(resolveUrl(url)));
    const before = options.threadId === undefined ? [] : await loadThread(threadId, identity);
    if (before.some(({ state }) => state === "processing")) throw createBusyError(before);
    const turn = (before.at(-1)?.turn ?? 0) + 1;
    const { agentRuns } = await store();
    const cap = Math.floor(Math.min(maxCredits, MAX_CREDITS));
    const { accountId } = identity;
    const { id } = await (
      await jobs()
    ).start(
      "agent",
      {
        cost: { units: cap, price: 1, mayClamp: true },
        plan: (units, id) => ({
          options: toStoredRun(
            { ...asked, threadId, maxCredits: units, requestedCredits: maxCredits },
            identity,
            before,
          ),
          webhook,
          warnings:
            units < cap
              ? [`The credits of the key cover ${units}, so maxCredits is ${units}.`]
              : [],
          alongside: agentRuns.addTurn({ id, accountId, threadId, turn }),
        }),
        refused: () => createBusyError(before),
      },
      caller,
    );
    return { id, threadId, turn };
  }

  return {
    start,
    find,
    async findTurn(id) {
      const run = await (await store()).agentRuns.load(id, now());
      if (run === undefined) throw createNotFoundError();
      return run.turn;
    },
    thread: loadThread,

    async retry(id, webhook, caller) {
      const run = await find(id, caller.identity);
      assertRetryable(run.state, "agent run");
      const { history: _, requestedCredits, ...options } = run.options as StoredRun;
      const maxCredits = requestedCredits ?? options.maxCredits;
      return await start({ ...options, maxCredits, webhook }, caller);
    },

    list: async ({ accountId }, before, limit) =>
      (await store()).agentRuns.list(accountId, before, limit, now()),

    async cancel(id, identity) {
      await (await jobs()).cancel("agent", id, identity);
      return await find(id, identity);
    },

    async trace(id, identity) {
      const run = await find(id, identity);
      return { run, events: toTrace(run, await (await store()).agentSteps.list(id)) };
    },

    async snapshot(id, snapshotId, identity) {
      await find(id, identity);
      const [, number] = /^step-(\d{1,6})$/.exec(snapshotId) ?? [];
      const { agentSteps } = await store();
      const step = number === undefined ? undefined : await agentSteps.find(id, Number(number));
      if (step === undefined || step.endedAt === null)
        throw new RequestError("NOT_FOUND", "Agent snapshot not found");
      return JSON.stringify(step.output, null, 2);
    },
  };
}

const createNotFoundError = (): RequestError =>
  new RequestError("NOT_FOUND", "Agent job not found");

const createBusyError = (thread: readonly AgentRunRecord[]): RequestError => {
  const running = thread.find(({ state }) => state === "processing");
  return new RequestError("thread_busy", "The agent thread is running.", {
    details: running === undefined ? undefined : { runId: running.id },
  });
};

function toStoredRun(
  options: Omit<AgentOptions, "webhook"> & Pick<StoredRun, "requestedCredits">,
  identity: Identity,
  before: readonly AgentRunRecord[],
): StoredRun {
  const history = before
    .filter(({ outcome }) => outcome === "succeeded")
    .slice(-MAX_HISTORY)
    .map((run) => ({
      prompt: (run.options as StoredRun).prompt,
      data: (run.answer as { value?: unknown } | null)?.value,
    }));
  return { ...withGrants(options, identity), ...(history.length > 0 ? { history } : {}) };
}
