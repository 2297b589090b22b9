import { describe, expect, it } from "vitest";
import { LimitError } from "../errors.ts";
import { UNLIMITED, type Identity } from "./identity.ts";
import { createRateLimiter, READS_PER_REQUEST, type RequestKind } from "./rate.ts";

const START = Date.UTC(2030, 0, 1);

function buildIdentity(keyId: string, requestsPerMinute: number | null): Identity {
  return { accountId: "a", keyId, keyName: keyId, limits: { ...UNLIMITED, requestsPerMinute } };
}

function setUp() {
  let clock = START;
  const limiter = createRateLimiter(() => clock);
  const takes = (identity: Identity, kind: RequestKind = "work"): boolean => {
    try {
      void limiter.take(identity, kind);
      return true;
    } catch (error) {
      if (error instanceof LimitError) return false;
      throw error;
    }
  };
  return { limiter, takes, pass: (ms: number) => (clock += ms) };
}

describe("rate limiter", () => {
  it("allows as many requests per minute as the key's limit", () => {
    const { takes } = setUp();
    const identity = buildIdentity("k", 3);
    expect([1, 2, 3, 4].map(() => takes(identity))).toEqual([true, true, true, false]);
  });

  it("counts keys separately and never rejects a key without a limit", () => {
    const { takes } = setUp();
    expect(takes(buildIdentity("a", 1))).toBe(true);
    expect(takes(buildIdentity("a", 1))).toBe(false);
    expect(takes(buildIdentity("b", 1))).toBe(true);
    for (let count = 0; count < 1_000; count += 1)
      expect(takes(buildIdentity("c", null))).toBe(true);
  });

  it("allows fifty times as many reads as work requests", () => {
    const { takes } = setUp();
    const identity = buildIdentity("k", 1);
    expect([takes(identity), takes(identity)]).toEqual([true, false]);
    for (let count = 0; count < READS_PER_REQUEST; count += 1)
      expect(takes(identity, "read")).toBe(true);
    expect(takes(identity, "read")).toBe(false);
  });

  it("says when to retry and then allows exactly the freed requests", () => {
    const { limiter, takes, pass } = setUp();
    const identity = buildIdentity("k", 2);
    takes(identity);
    pass(10_000);
    takes(identity);
    pass(5_500);
    let retryAfterMs = 0;
    try {
      void limiter.take(identity, "work");
    } catch (error) {
      expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429 });
      expect((error as Error).message).toContain(
        "2 of 2 requests used in the last minute, 0 remaining",
      );
      expect((error as Error).message).toContain("at 2030-01-01T00:01:00.000Z");
      retryAfterMs = (error as LimitError).retryAfterMs ?? 0;
    }
    expect(retryAfterMs).toBe(44_500);
    pass(retryAfterMs - 1);
    expect(takes(identity)).toBe(false);
    pass(1);
    expect([takes(identity), takes(identity)]).toEqual([true, false]);
  });

  it("never exceeds the limit in any 59 seconds", () => {
    const { takes, pass } = setUp();
    const identity = buildIdentity("k", 10);
    const passed: number[] = [];
    let clock = 0;
    for (let step = 0; step < 3_000; step += 1) {
      const ms = (step * 7_919) % 400;
      clock += ms;
      pass(ms);
      if (takes(identity)) passed.push(clock);
    }
    for (const at of passed)
      expect(
        passed.filter((other) => other > at - 59_000 && other <= at).length,
      ).toBeLessThanOrEqual(10);
    expect(passed.length).toBeGreaterThan(80);
  });

  it("applies a changed rate limit at once", () => {
    const { takes } = setUp();
    expect(takes(buildIdentity("k", 1))).toBe(true);
    expect(takes(buildIdentity("k", 1))).toBe(false);
    expect(takes(buildIdentity("k", 2))).toBe(true);
  });
});

describe("account rate limit", () => {
  it("counts the requests of all keys of an account together", () => {
    const limiter = createRateLimiter(() => 1_000_000);
    const accountLimits = { ...UNLIMITED, requestsPerMinute: 3 };
    const one: Identity = { ...buildIdentity("one", null), accountLimits };
    const two: Identity = { ...buildIdentity("two", 1), accountLimits };
    void limiter.take(two, "work");
    expect(() => limiter.take(two, "work")).toThrow("1 of 1 requests");
    void limiter.take(one, "work");
    void limiter.take(one, "work");
    expect(() => limiter.take(one, "work")).toThrow("3 of 3 requests");
    void limiter.take({ ...one, accountId: "b" }, "work");
  });
});
