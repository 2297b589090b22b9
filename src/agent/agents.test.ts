import { StorageWaits } from "../jobs/storage-waits.ts";
import { expect, it } from "vitest";
import { createFreeCredits } from "../account/credits.ts";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { agentRequestSchema } from "../contract/jobs/agent.ts";
import { createAgents } from "./agents.ts";

/** `isMade`: whether the run is created, or another run of its thread came first. */
function open(isMade: () => boolean) {
  const claimed = new Set<string>();
  const agents = createAgents({
    waits: new StorageWaits(() => 0),
    runs: { thread: async () => [], create: async () => isMade() } as never,
    steps: {} as never,
    idempotency: {
      async claim(_account, key) {
        const isNew = !claimed.has(key);
        claimed.add(key);
        return isNew;
      },
      release: async (_account, key) => void claimed.delete(key),
    },
    credits: createFreeCredits(),
    resolveWebhook: async () => null,
    onEvent: () => undefined,
    enqueue: async () => undefined,
    onEnded: () => undefined,
    lifeMs: 1,
    now: () => 1,
  });
  const caller = { identity: ANONYMOUS_IDENTITY, requestId: "r", base: "", idempotencyKey: "key" };
  return () => agents.start(agentRequestSchema.parse({ prompt: "p" }), caller);
}

it("an idempotency key is freed when another run of the thread came first and used up by a run that started", async () => {
  let isMade = false;
  const start = open(() => isMade);
  await expect(start()).rejects.toMatchObject({ code: "thread_busy" });
  isMade = true;
  expect(await start()).toMatchObject({ turn: 1 });
  await expect(start()).rejects.toThrow("Idempotency key already used");
  await expect(start()).rejects.toThrow("Idempotency key already used");
});
