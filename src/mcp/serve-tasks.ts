// Long calls as tasks (SEP-2663): a task is a job of this server, read and cancelled by the API, so
// nothing is kept here and any process answers.
import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { QuarryClient } from "../../client/client.ts";
import { describeFailure, fitAnswer } from "./answer.ts";
import { takesTasks, type AnswerWriter } from "./define-tool.ts";
import { parseTaskId, TASKS_EXTENSION, toTaskFields, type TaskReference } from "./task-id.ts";
import { describeRun } from "./tools/agent.ts";
import { describeJob } from "./tools/crawl.ts";

const params = z.looseObject({ taskId: z.string().max(200) });

/** Serves `tasks/get` and `tasks/cancel` for the jobs of the caller's account. */
export function serveTasks(server: McpServer, client: QuarryClient): void {
  const handlers = server.server;
  handlers.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
  const serve = (
    method: string,
    work: (task: TaskReference, signal: AbortSignal) => Promise<object>,
  ): void =>
    handlers.setRequestHandler(method, { params }, async ({ taskId }, { mcpReq }) => {
      assertDeclaresTasks(mcpReq);
      try {
        return { ...(await work(requireTask(taskId), mcpReq.signal)) };
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const { code, text } = describeFailure(error);
        const isWrong = code === "NOT_FOUND" || code === "BAD_REQUEST";
        throw new ProtocolError(
          isWrong ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
          text,
        );
      }
    });
  serve("tasks/get", async (task, signal) => await readTask(task, client, signal));
  serve("tasks/cancel", async ({ kind, id }, signal) => {
    if (kind === "crawl") await client.crawlJob(id).cancel({ signal });
    else await client.agents.job(id).cancel({ signal });
    return {};
  });
  // No task of this server asks for input.
  serve("tasks/update", async () => await Promise.resolve({}));
}

/** SEP-2663: methods of tasks are for clients that declare the extension. */
function assertDeclaresTasks(request: ServerContext["mcpReq"]): void {
  if (takesTasks(request)) return;
  throw new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

function requireTask(taskId: string): TaskReference {
  const task = parseTaskId(taskId);
  if (task !== undefined) return task;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no task with this taskId.");
}

type State = {
  readonly status: "working" | "completed" | "failed" | "cancelled";
  readonly message: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly write: AnswerWriter;
};

async function readTask(task: TaskReference, client: QuarryClient, signal: AbortSignal) {
  const state = await (task.kind === "crawl" ? readCrawl : readRun)(task.id, client, signal);
  const { status } = state;
  return {
    ...toTaskFields(task, state),
    status,
    ...(status === "completed"
      ? { result: { ...fitAnswer(task.maxTokens, state.write), resultType: "complete" } }
      : {}),
    ...(status === "failed"
      ? { error: { code: ProtocolErrorCode.InternalError, message: state.message } }
      : {}),
  };
}

async function readCrawl(id: string, client: QuarryClient, signal: AbortSignal): Promise<State> {
  const job = client.crawlJob(id);
  const found = await job.status({ skip: 0, limit: 1 }, { signal });
  const { completed, total, error } = found;
  const status = found.status === "scraping" ? "working" : found.status;
  return {
    status,
    message:
      status === "failed"
        ? (error ?? "The crawl failed.").slice(0, 500)
        : `${completed} of ${total} pages`,
    createdAt: new Date(found.createdAt),
    expiresAt: new Date(found.expiresAt),
    write: await describeJob(job, 0, { signal }),
  };
}

async function readRun(id: string, client: QuarryClient, signal: AbortSignal): Promise<State> {
  const run = client.agents.job(id);
  const { status, error, expiresAt, stopReason } = await run.state({ signal });
  return {
    status: status === "processing" ? "working" : stopReason === "cancelled" ? "cancelled" : status,
    message: (error ?? status).slice(0, 500),
    createdAt: readIdTime(id),
    expiresAt: new Date(expiresAt),
    write: await describeRun(run, 0, { signal }),
  };
}

/** Ids of jobs are UUIDs of version 7, which start with their time. */
const readIdTime = (id: string): Date =>
  new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16));
