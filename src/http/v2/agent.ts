import type { AgentOptions } from "../../contract/jobs/agent.ts";
import type { Agents } from "../../agent/agents.ts";
import { describeRun } from "../../agent/describe-run.ts";
import type { Answer, StoredRun } from "../../agent/run.ts";
import type { AgentRunRecord } from "../../store/agent/agent-runs.ts";
import { removeLogins } from "../../url/userinfo.ts";
import type { PublicAddress } from "../public-address.ts";
import type { Call, Handlers } from "../route.ts";
import { toCancelBody, toStateBody } from "./job-status.ts";
import { toJobCaller } from "./jobs.ts";

export type AgentRouteParts = {
  readonly agents: Agents;
  readonly address: PublicAddress;
};

type Id = { readonly jobId: string };

const LIST = 20;

export function createAgentHandlers({ agents, address }: AgentRouteParts): Handlers {
  return {
    "POST /v2/agent": async (call: Call<AgentOptions>) => {
      const started = await agents.start(call.body, toJobCaller(call, address));
      const { id, threadId, turn } = started;
      return { success: true, id, threadId, threadTurn: turn };
    },

    "GET /v2/agent": async ({
      query,
      identity,
      request,
    }: Call<unknown, { readonly before?: number }>) => {
      const runs = await agents.list(identity, query.before, LIST);
      const last = runs.at(-1);
      return {
        success: true,
        agents: runs.map(toEntry),
        ...(runs.length < LIST || last === undefined
          ? {}
          : { next: address(request, `/v2/agent?before=${last.createdAt}`) }),
      };
    },

    "GET /v2/agent/:jobId": async ({ params, identity }: Call<unknown, unknown, Id>) =>
      toStatus(await agents.find(params.jobId, identity)),

    "DELETE /v2/agent/:jobId": async ({ params, identity }: Call<unknown, unknown, Id>) => {
      const { state, outcome } = await agents.cancel(params.jobId, identity);
      return toCancelBody("run", state, outcome === "cancelled");
    },

    "GET /v2/agent/:jobId/trace": async ({ params, identity }: Call<unknown, unknown, Id>) => {
      const { run, events } = await agents.trace(params.jobId, identity);
      return { success: true, id: run.id, events, creditsUsed: run.creditsUsed };
    },

    "GET /v2/agent/:jobId/snapshots/:snapshotId": async ({
      params,
      identity,
    }: Call<unknown, unknown, Id & { readonly snapshotId: string }>) => ({
      success: true,
      id: params.jobId,
      snapshotId: params.snapshotId,
      snapshot: await agents.snapshot(params.jobId, params.snapshotId, identity),
    }),

    "GET /v2/agent/threads/:threadId": async ({
      params,
      query,
      identity,
    }: Call<unknown, { readonly includeData?: boolean }, { readonly threadId: string }>) => {
      const runs = await agents.thread(params.threadId, identity);
      return { success: true, thread: toThread(params.threadId, runs, query.includeData === true) };
    },
  };
}

const getAnswer = (run: AgentRunRecord): Answer | null => run.answer as Answer | null;

const formatTime = (ms: number): string => new Date(ms).toISOString();

/**
 * There are only three states: a cancelled or stopped run reads failed (wire contract, section
 * 10.2).
 */
function toStatus(run: AgentRunRecord): Record<string, unknown> {
  const { effort, mode, prompt, urls, maxCredits } = run.options as StoredRun;
  const answer = getAnswer(run);
  const hasData = answer !== null && answer.value !== null && answer.value !== undefined;
  return {
    ...toStateBody({
      ...run,
      status: run.state,
      error: run.error?.message,
      code: run.error?.code,
      warning: run.warning ?? undefined,
    }),
    ...(run.state === "completed" && hasData ? { data: answer.value } : {}),
    ...(run.state === "failed" && hasData
      ? { partial: answer.value, partialSchemaValid: answer.valid }
      : {}),
    ...(hasData && run.state !== "processing" ? { sources: answer.sources } : {}),
    ...(run.state === "failed" ? { stopReason: findStopReason(run) } : {}),
    ...(effort === undefined ? {} : { effort }),
    prompt,
    ...(urls && { urls: removeLogins(urls) }),
    createdAt: formatTime(run.createdAt),
    maxCredits,
    tokensUsed: run.tokensUsed,
    threadId: run.threadId,
    threadTurn: run.turn,
    mode,
    ...(run.message === null ? {} : { message: run.message }),
  };
}

/** Errors with their own stop reason. */
const STOP_REASONS: Partial<Record<string, string>> = {
  AGENT_NEEDS_MODEL: "needs_model",
  AGENT_NO_ANSWER: "no_answer",
  AGENT_EMPTY_ANSWER: "empty_answer",
  AGENT_INCOMPLETE: "incomplete",
};

const findStopReason = ({ error, outcome }: AgentRunRecord): string | null =>
  STOP_REASONS[error?.code ?? ""] ?? outcome;

function toEntry(run: AgentRunRecord): Record<string, unknown> {
  const { urls, prompt, schema, model, effort, origin, integration } = run.options as StoredRun;
  return {
    id: run.id,
    createdAt: formatTime(run.createdAt),
    targetHint: describeRun(run),
    origin,
    ...(integration === undefined || integration === null ? {} : { integration }),
    settings: { hidden: false, starred: false },
    status: run.state,
    options: {
      ...(urls && { urls: removeLogins(urls) }),
      prompt,
      ...(schema === undefined ? {} : { schema }),
      model,
      ...(effort === undefined ? {} : { effort }),
    },
  };
}

function toThread(id: string, runs: readonly AgentRunRecord[], withData: boolean) {
  const first = runs[0];
  const last = runs.at(-1);
  return {
    id,
    createdAt: formatTime(first?.createdAt ?? 0),
    updatedAt: formatTime(last?.finishedAt ?? last?.createdAt ?? 0),
    status: last?.state === "processing" ? "running" : "idle",
    runs: runs.map((run) => {
      const { mode, prompt, urls, schema, effort } = run.options as StoredRun;
      const ended = run.finishedAt !== null;
      return {
        id: run.id,
        turn: run.turn,
        mode,
        prompt,
        ...(urls && { urls: removeLogins(urls) }),
        ...(schema === undefined ? {} : { schema }),
        ...(effort === undefined ? {} : { effort }),
        status: run.outcome ?? "processing",
        createdAt: formatTime(run.createdAt),
        finishedAt: run.finishedAt === null ? null : formatTime(run.finishedAt),
        creditsUsed: ended ? run.creditsUsed : null,
        message: run.message,
        ...(withData && run.outcome === "succeeded" ? { data: getAnswer(run)?.value } : {}),
      };
    }),
  };
}
