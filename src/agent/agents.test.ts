import { expect, it } from "vitest";
import { createFreeCredits } from "../account/credits.ts";
import { createCountingKind } from "../../test/counting-kind.ts";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { agentRequestSchema } from "../contract/jobs/agent.ts";
import { startJob } from "../jobs/start.ts";
import { createAgents } from "./agents.ts";

/** `isMade`: whether the run is created, or another run of its thread was first. */
function open(isMade: () => boolean) {
  const claimed = new Set<string>();
  const parts = {
    jobs: { create: async () => isMade() },
    idempotency: {
      async claim(_account: string, key: string) {
        const isNew = !claimed.has(key);
        claimed.add(key);
        return isNew;
      },
      release: async (_account: string, key: string) => void claimed.delete(key),
    },
    credits: createFreeCredits(),
    resolveWebhook: async () => null,
    onStarted: () => undefined,
    lifeMs: 1,
    now: () => 1,
    log: { info: () => undefined },
  };
  const start = (_kind: string, work: Parameters<typeof startJob>[2], caller: typeof CALLER) =>
    startJob(parts, createCountingKind(), work, caller);
  const agents = createAgents({
    jobs: async () => ({ start }) as never,
    store: async () => ({ agentRuns: { addTurn: () => async () => isMade() } }) as never,
  });
  return () => agents.start(agentRequestSchema.parse({ prompt: "p" }), CALLER);
}

const CALLER = { identity: ANONYMOUS_IDENTITY, requestId: "r", base: "", idempotencyKey: "key" };

it("an idempotency key is free again when the thread was busy, and used up by a run that started", async () => {
  let isMade = false;
  const start = open(() => isMade);
  await expect(start()).rejects.toMatchObject({ code: "thread_busy" });
  isMade = true;
  expect(await start()).toMatchObject({ turn: 1 });
  await expect(start()).rejects.toThrow("Idempotency key already used");
  await expect(start()).rejects.toThrow("Idempotency key already used");
});
