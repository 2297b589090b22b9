import { describe, expect, it } from "vitest";
import { ConnectionError, type QuarryApiError, reviveError } from "./errors.ts";
import {
  type Clock,
  DEFAULT_RETRY_POLICY,
  parseRetryAfter,
  computeRetryDelay,
  systemClock,
  withRetries,
} from "./retry.ts";

/** A clock that skips waits and records them. */
function buildClock(): Clock & { waits: number[] } {
  let time = Date.parse("2026-11-01T00:00:00Z");
  const waits: number[] = [];
  return {
    waits,
    now: () => time,
    sleep: (ms) => {
      waits.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
}

const failure = (status: number, retryAfterMs?: number, code?: string): QuarryApiError =>
  reviveError(status, { success: false, error: "no", code }, { retryAfterMs });

/** Fails with each error in turn, then succeeds. */
function run(errors: readonly unknown[], budgetMs = 60_000, retries = 2) {
  const clock = buildClock();
  const left = [...errors];
  let attempts = 0;
  const result = withRetries(
    () => {
      attempts += 1;
      return left.length > 0 ? Promise.reject(left.shift() as Error) : Promise.resolve("done");
    },
    {
      policy: { ...DEFAULT_RETRY_POLICY, retries },
      clock,
      endsAt: clock.now() + budgetMs,
      signal: new AbortController().signal,
    },
  );
  return { result, waits: clock.waits, attempts: () => attempts };
}

describe("withRetries", () => {
  it("retries a 502 twice, after 0.5 s and 1 s (§1.5)", async () => {
    const calls = run([failure(502), failure(502)]);
    await expect(calls.result).resolves.toBe("done");
    expect(calls.waits).toEqual([500, 1_000]);

    const lost = run([failure(502), failure(502), failure(502), failure(502)]);
    await expect(lost.result).rejects.toMatchObject({ status: 502 });
    expect(lost.attempts()).toBe(3);
  });

  it("waits as long as a 429 or 503 asks", async () => {
    const calls = run([failure(429, 7_000), failure(503, 2_000)]);
    await expect(calls.result).resolves.toBe("done");
    expect(calls.waits).toEqual([7_000, 2_000]);
  });

  it("uses its own delays when a 429 or 503 sets none", async () => {
    const calls = run([failure(503), failure(429)]);
    await expect(calls.result).resolves.toBe("done");
    expect(calls.waits).toEqual([500, 1_000]);
  });

  it("throws at once when the wait would exceed the call's time", async () => {
    const calls = run([failure(429, 60_000)]);
    await expect(calls.result).rejects.toMatchObject({ status: 429, retryAfterMs: 60_000 });
    expect(calls.waits).toEqual([]);
  });

  it("never retries other statuses, even with Retry-After", async () => {
    for (const status of [200, 400, 401, 402, 403, 404, 408, 409, 410, 413, 418, 500, 501, 504]) {
      const calls = run([failure(status, 1)]);
      await expect(calls.result).rejects.toMatchObject({ status });
      expect(calls.attempts(), String(status)).toBe(1);
    }
  });

  it("never retries a 503 with a code that waiting does not fix", async () => {
    const calls = run([failure(503, 1, "PARSE_UPLOAD_STORAGE_DISABLED")]);
    await expect(calls.result).rejects.toMatchObject({ code: "PARSE_UPLOAD_STORAGE_DISABLED" });
    expect(calls.attempts()).toBe(1);
  });

  it("never retries after a broken connection or a foreign error", async () => {
    for (const error of [new ConnectionError("CONNECTION_FAILED", "x"), new Error("y")]) {
      const calls = run([error]);
      await expect(calls.result).rejects.toBe(error);
      expect(calls.attempts()).toBe(1);
    }
  });

  it("retries nothing with retries 0", async () => {
    const calls = run([failure(502)], 60_000, 0);
    await expect(calls.result).rejects.toMatchObject({ status: 502 });
    expect(calls.attempts()).toBe(1);
  });
});

describe("computeRetryDelay", () => {
  it("computeRetryDelay doubles from the first delay", () => {
    const policy = { retries: 4, firstDelayMs: 500 };
    const delays = [1, 2, 3, 4, 5].map((attempt) =>
      computeRetryDelay(failure(502), attempt, policy),
    );
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, undefined]);
  });
});

describe("parseRetryAfter", () => {
  const now = Date.parse("2026-11-01T00:00:00Z");

  it("parseRetryAfter reads seconds and HTTP dates (RFC 9110 §10.2.3)", () => {
    expect(parseRetryAfter("120", now)).toBe(120_000);
    expect(parseRetryAfter(" 0 ", now)).toBe(0);
    expect(parseRetryAfter("Sun, 01 Nov 2026 00:00:30 GMT", now)).toBe(30_000);
    expect(parseRetryAfter("Sat, 31 Oct 2026 00:00:00 GMT", now)).toBe(0);
  });

  it("parseRetryAfter ignores other values", () => {
    for (const value of [null, "", "soon", "-5", "1.5", "1e3", "99999999999", "2026-11-02"]) {
      expect(parseRetryAfter(value, now), String(value)).toBeUndefined();
    }
  });
});

describe("systemClock.sleep", () => {
  it("systemClock.sleep rejects with the signal's reason as soon as it aborts", async () => {
    const controller = new AbortController();
    const sleeping = systemClock.sleep(600_000, controller.signal);
    controller.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(systemClock.sleep(600_000, controller.signal)).rejects.toThrow("enough");
  });
});
