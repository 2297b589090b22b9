// Runs once after the end of a run, also after a crash: settles its credits and records it in the
// account's activity.
import type { Credits } from "../account/credits.ts";
import { chargeOfRun } from "../contract/account/prices.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { ActivityStore } from "../store/accounts/activity.ts";
import type { AgentRunRecord, AgentRunStore } from "../store/agent/agent-runs.ts";
import { hintOf } from "./hint.ts";

export type RunSettlerParts = {
  readonly runs: AgentRunStore;
  readonly credits: Credits;
  readonly activity: ActivityStore;
  /** Settles when everything written so far is committed. */
  readonly flush: () => Promise<void>;
  readonly log: Logger;
  readonly metrics: Metrics;
};

export type RunSettler = {
  /** Settles all ended runs in the background. */
  run(): void;
  close(): Promise<void>;
};

export function createRunSettler(parts: RunSettlerParts): RunSettler {
  const { runs, credits, activity, log, metrics } = parts;
  let running: Promise<void> = Promise.resolve();

  async function settle(run: AgentRunRecord): Promise<void> {
    const { id, accountId, keyId, hold } = run;
    await credits.settleJob({ id, accountId, keyId, endpoint: "agent", hold }, chargeOfRun(run));
    activity.record({
      id,
      accountId,
      keyId,
      endpoint: "agent",
      apiVersion: "v2",
      target: hintOf(run),
      succeeded: run.state === "completed",
      createdAt: run.createdAt,
    });
  }

  async function settleAll(): Promise<void> {
    try {
      for (;;) {
        const ended = await runs.unsettled();
        if (ended.length === 0) return;
        for (const run of ended) await settle(run);
        await parts.flush();
        for (const run of ended) {
          await runs.markSettled(run.id);
          metrics.credits.inc(chargeOfRun(run));
        }
      }
    } catch (error) {
      log.warn({ err: error }, "failed to settle ended runs; retrying after the next one");
    }
  }

  return {
    run() {
      running = running.then(settleAll);
    },
    async close() {
      await running;
    },
  };
}
