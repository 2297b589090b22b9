// Ids of MCP tasks. A task is a job of this server, so its id holds all that is needed to read it
// again, from any process.
import { BUDGET } from "./answer.ts";

/** Extension of the 2026-07-28 protocol (SEP-2663). */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export type TaskReference = {
  readonly kind: "crawl" | "agent";
  readonly id: string;
  /** Budget of the answer, from the call that started the job. */
  readonly maxTokens: number;
};

const TASK_ID = /^(crawl|agent):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(\d{1,5})$/;

export const writeTaskId = ({ kind, id, maxTokens }: TaskReference): string =>
  `${kind}:${id}:${maxTokens}`;

/** Undefined for other text. */
export function parseTaskId(text: string): TaskReference | undefined {
  const [, kind, id, tokens] = TASK_ID.exec(text) ?? [];
  if ((kind !== "crawl" && kind !== "agent") || id === undefined) return undefined;
  const maxTokens = Math.min(BUDGET.max, Math.max(BUDGET.min, Number(tokens)));
  return { kind, id, maxTokens };
}

const POLL_INTERVAL_MS = 2_000;

/** Fields that every state of a task has; `ttlMs` counts from `createdAt`. */
export function toTaskFields(
  task: TaskReference,
  { createdAt, expiresAt, message }: { createdAt: Date; expiresAt?: Date; message?: string },
) {
  return {
    taskId: writeTaskId(task),
    createdAt: createdAt.toISOString(),
    lastUpdatedAt: new Date().toISOString(),
    ttlMs: expiresAt === undefined ? null : Math.max(0, expiresAt.getTime() - createdAt.getTime()),
    pollIntervalMs: POLL_INTERVAL_MS,
    ...(message === undefined ? {} : { statusMessage: message }),
  };
}
