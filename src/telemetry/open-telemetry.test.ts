import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBudget, openTelemetry, parseHeaderList, type Telemetry } from "./open-telemetry.ts";
import { startSpan, withRemoteParent } from "./tracing.ts";

describe("openTelemetry with one trace per second", () => {
  const collector = createServer((request, response) => {
    request.resume().on("end", () => response.end("{}"));
  });
  let telemetry: Telemetry;
  beforeEach(async () => {
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    telemetry = await openTelemetry({
      endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      headers: {},
      serviceName: "test",
      serviceVersion: "0",
      sampleRatio: 1,
      tracesPerSecond: 1,
    });
  });
  afterEach(async () => {
    await telemetry.close();
    collector.closeAllConnections();
    await new Promise((resolve) => collector.close(resolve));
  });

  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const toParent = (flags: string): string => `00-${TRACE}-b7ad6b7169203331-${flags}`;
  const requestIsTraced = (traceparent?: string): boolean => {
    const span = startSpan("POST /v2/scrape", { kind: "server" }, traceparent);
    span?.end();
    if (traceparent !== undefined) expect(span?.traceId).toBe(TRACE);
    return span?.sampled === true;
  };
  const pageIsTraced = (traceparent: string): Promise<boolean> =>
    withRemoteParent(traceparent, "crawl.page", { kind: "consumer" }, async (span) => span.sampled);

  it("traces every request with a sampled traceparent", () => {
    const sampled = toParent("01");
    expect(Array.from({ length: 4 }, () => requestIsTraced(sampled))).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    expect([requestIsTraced(), requestIsTraced()]).toEqual([true, false]);
  });

  it("does not count unsampled requests and pages toward the limit", async () => {
    expect(requestIsTraced(toParent("00"))).toBe(false);
    expect(await pageIsTraced(toParent("00"))).toBe(false);
    expect([requestIsTraced(), requestIsTraced()]).toEqual([true, false]);
  });

  it("counts pages of a sampled trace toward the limit", async () => {
    expect(await pageIsTraced(toParent("01"))).toBe(true);
    expect(await pageIsTraced(toParent("01"))).toBe(false);
    expect(requestIsTraced()).toBe(false);
  });
});

describe("createBudget", () => {
  it("allows a burst of one second, then refills with time", () => {
    let now = 0;
    const hasBudget = createBudget(2, () => now);
    expect([hasBudget(), hasBudget(), hasBudget()]).toEqual([true, true, false]);
    now = 500;
    expect([hasBudget(), hasBudget()]).toEqual([true, false]);
    now = 60_000;
    expect([hasBudget(), hasBudget(), hasBudget()]).toEqual([true, true, false]);
  });

  it("allows everything with 0", () => {
    const hasBudget = createBudget(0);
    expect(Array.from({ length: 100 }, () => hasBudget()).every(Boolean)).toBe(true);
  });
});

describe("parseHeaderList", () => {
  it("decodes percent-encoded values and keeps = within a value", () => {
    expect(parseHeaderList("authorization=Basic%20YQ==, x-team=blue")).toEqual({
      authorization: "Basic YQ==",
      "x-team": "blue",
    });
  });

  it("keeps a value with an invalid escape as written", () => {
    expect(parseHeaderList("a=100%,=none")).toEqual({ a: "100%" });
  });
});
