import { setTimeout as sleep } from "node:timers/promises";
import type { Reply, Target } from "./target.ts";

const POLL_MS = 500;

/** Polls a job until it ends; returns the last reply, or undefined when it did not end in time. */
export async function waitForJob(
  target: Target,
  path: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Reply | undefined> {
  const until = performance.now() + timeoutMs;
  while (performance.now() < until) {
    const reply = await target.get(path, 10_000);
    if (["completed", "failed", "cancelled"].includes(String(reply.body["status"]))) return reply;
    await sleep(POLL_MS, undefined, { signal });
  }
  return undefined;
}
