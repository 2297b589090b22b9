import { describe, expect, it } from "vitest";
import { SpanRecorder } from "./span-recorder.ts";
import { getTraceparent, recordSpan, withSpan } from "./tracing.ts";

describe("recorded spans", () => {
  it("builds a tree of spans in the order of their start, without a collector", async () => {
    const recorder = new SpanRecorder();
    await recorder.run(async () => {
      await withSpan("engine.attempt", { "quarry.engine": "http" }, async (span) => {
        await withSpan("connect", { "server.address": "proxy.internal" }, async () => undefined);
        span.set({ "http.response.status_code": 200, "quarry.verdict": undefined });
      });
      await expect(
        withSpan("result.save", {}, async () => Promise.reject(new Error("disk"))),
      ).rejects.toThrow("disk");
      expect(getTraceparent()).toBeUndefined();
    }, undefined);
    expect(recorder.read()).toEqual([
      {
        name: "engine.attempt",
        startMs: expect.any(Number),
        ms: expect.any(Number),
        attributes: { "quarry.engine": "http", "http.response.status_code": 200 },
      },
      { name: "connect", parent: 0, startMs: expect.any(Number), ms: expect.any(Number) },
      { name: "result.save", startMs: expect.any(Number), ms: expect.any(Number), failed: true },
    ]);
  });

  it("keeps the times of work that was measured elsewhere", async () => {
    const recorder = new SpanRecorder();
    const startedAt = Date.now() + 1_000;
    await recorder.run(async () => {
      recordSpan("convert.parse", { startedAt, endedAt: startedAt + 12 });
    }, undefined);
    const [span] = recorder.read();
    expect(span?.ms).toBe(12);
    expect(span?.startMs).toBeGreaterThanOrEqual(1_000);
  });

  it("records no span outside of the work, nor beyond the limit", async () => {
    const recorder = new SpanRecorder();
    await recorder.run(async () => {
      for (let count = 0; count < 400; count += 1) await withSpan("dns", {}, async () => undefined);
    }, undefined);
    await withSpan("later", {}, async () => undefined);
    expect(recorder.read()).toHaveLength(300);
  });
});
