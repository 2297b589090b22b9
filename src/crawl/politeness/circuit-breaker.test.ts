import { describe, expect, it } from "vitest";
import { CircuitBreaker, type CircuitBreakerLimits } from "./circuit-breaker.ts";

const LIMITS: CircuitBreakerLimits = { patienceMs: 10_000, refusals: 3, unanswered: 4, pages: 2 };
const build = (limits: Partial<CircuitBreakerLimits> = {}): CircuitBreaker =>
  new CircuitBreaker({ ...LIMITS, ...limits });

/** One refusal at each time, of alternating pages. */
function refuse(breaker: CircuitBreaker, ...times: number[]): CircuitBreaker {
  for (const [index, at] of times.entries()) breaker.recordRefusal(`/${index % 3}`, 503, true, at);
  return breaker;
}

describe("host that refuses requests", () => {
  it("blames the host after several refused pages in a row, not after one page refused repeatedly", () => {
    const breaker = build();
    for (let at = 0; at < 9; at++) breaker.recordRefusal("/a", 503, true, at);
    expect(breaker.isRefusing).toBe(false);
    breaker.recordRefusal("/b", 503, true, 10);
    expect(breaker.isRefusing).toBe(true);
    breaker.recordSuccess();
    expect(breaker.isRefusing).toBe(false);
  });

  it("gives up a host only after both the time and the number of pauses", () => {
    expect(refuse(build(), 1_000, 2_000, 10_999).findReasonToStop(11_000)).toBeUndefined();
    expect(refuse(build(), 1_000, 11_000).findReasonToStop(11_000)).toBeUndefined();
    const given = refuse(build(), 1_000, 2_000, 11_000);
    expect(given.findReasonToStop(11_000)).toBe(
      "served none of 3 requests (last answer 503) within 10 s and was given up",
    );
    expect(given.since).toBe(1_000);
  });

  it("reports all requests to the lost host, including several per page", () => {
    const breaker = build();
    for (const at of [0, 5_000, 10_000]) breaker.recordRefusal("/", 429, true, at, 2);
    expect(breaker.findReasonToStop(10_000)).toContain("served none of 6 requests");
  });

  it("counts requests sent before a pause as one with it", () => {
    const breaker = build();
    for (const isNews of [true, false, false, false]) breaker.recordRefusal("/", 503, isNews, 0);
    breaker.recordRefusal("/", 503, true, 20_000);
    expect(breaker.isOpen).toBe(false);
    breaker.recordRefusal("/", 503, true, 20_001);
    expect(breaker.isOpen).toBe(true);
  });

  it("never gives up a host when the patience is zero", () => {
    expect(refuse(build({ patienceMs: 0 }), 0, 1e6, 1e7, 1e8).isOpen).toBe(false);
  });

  it("counts from zero again when the host has served a page", () => {
    const breaker = refuse(build(), 0, 5_000);
    breaker.recordSuccess();
    expect(refuse(breaker, 9_000, 15_000, 18_999).isOpen).toBe(false);
    expect(refuse(breaker, 19_000).isOpen).toBe(true);
    breaker.recordSuccess();
    expect(breaker.findReasonToStop(19_000)).toBeUndefined();
  });
});

describe("host that does not answer", () => {
  it("gives up a silent host after the time and the number of requests", () => {
    const breaker = build();
    for (const at of [0, 4_000, 8_000]) breaker.recordNoAnswer(at);
    breaker.recordNoAnswer(9_999);
    expect(breaker.isOpen).toBe(false);
    breaker.recordNoAnswer(12_000);
    expect(breaker.findReasonToStop(12_000)).toBe(
      "answered none of 5 requests within 12 s and was given up",
    );
    expect(breaker.isRefusing).toBe(false);
  });
});

describe("host that was given up", () => {
  it("probes a lost host with one page a minute and restores it when a probe succeeds", () => {
    const breaker = refuse(build(), 0, 5_000, 10_000);
    expect(breaker.findReasonToStop(69_999)).toBeDefined();
    expect(breaker.findReasonToStop(70_000)).toBeUndefined();
    expect(breaker.findReasonToStop(70_001)).toBeDefined();
    breaker.recordSuccess();
    expect(breaker.findReasonToStop(70_002)).toBeUndefined();
  });
});
