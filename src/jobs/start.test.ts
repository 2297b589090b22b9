import { expect, it } from "vitest";
import { ANONYMOUS_KEY_ID, UNLIMITED } from "../account/identity.ts";
import { countTo, createCountingKind } from "../../test/counting-kind.ts";
import { startJob, type StartParts } from "./start.ts";

const identity = {
  accountId: ANONYMOUS_KEY_ID,
  keyId: ANONYMOUS_KEY_ID,
  keyName: "test",
  limits: UNLIMITED,
};
const caller = { identity, requestId: "r", idempotencyKey: "0199f0c0-0000-7000-8000-00000000000a" };
const kind = createCountingKind();
const work = countTo(1);

/** Parts whose first jobs cannot be stored. */
function buildParts({ failures }: { failures: number }) {
  const claimed = new Set<string>();
  let left = failures;
  let held = 0;
  const parts = {
    jobs: {
      create: () =>
        left-- > 0 ? Promise.reject(new Error("the disk is full")) : Promise.resolve(true),
    },
    idempotency: {
      claim: (_account: string, key: string) =>
        Promise.resolve(!claimed.has(key) && claimed.add(key) === claimed),
      release: (_account: string, key: string) => Promise.resolve(void claimed.delete(key)),
    },
    credits: {
      remaining: () => Promise.resolve(null),
      hold: () => {
        held++;
        return Promise.resolve({ entry: null, release: () => Promise.resolve(void held--) });
      },
    },
    resolveWebhook: () => Promise.resolve(null),
    onStarted: () => undefined,
    lifeMs: 1_000,
    now: () => 0,
    log: { info: () => undefined },
  };
  return { parts: parts as unknown as StartParts, held: () => held };
}

it("a failed start frees its idempotency key and credits, a successful one keeps the key", async () => {
  const { parts, held } = buildParts({ failures: 1 });
  await expect(startJob(parts, kind, work, caller)).rejects.toThrow("the disk is full");
  expect(held()).toBe(0);
  await expect(startJob(parts, kind, work, caller)).resolves.toMatchObject({ units: 1 });
  await expect(startJob(parts, kind, work, caller)).rejects.toMatchObject({ code: "CONFLICT" });
  await expect(startJob(parts, kind, work, caller)).rejects.toMatchObject({ code: "CONFLICT" });
  expect(held()).toBe(1);
});
