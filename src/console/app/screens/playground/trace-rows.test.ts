import { describe, expect, it } from "vitest";
import { listTraceRows } from "./trace-rows.ts";

const explanation = { plan: { attempts: [] }, attempts: [], cache: "miss" };

describe("rows of the waterfall", () => {
  it("lists spans below their parents in order of time and marks the longest innermost step", () => {
    const trace = [
      { name: "engine.fetch", startMs: 1, ms: 90 },
      {
        name: "engine.attempt",
        parent: 0,
        startMs: 2,
        ms: 80,
        attributes: { "quarry.engine": "http" },
      },
      {
        name: "http.first_byte",
        parent: 1,
        startMs: 9,
        ms: 60,
        attributes: { "http.response.status_code": 200 },
      },
      { name: "dns.lookup", parent: 1, startMs: 3, ms: 4 },
      { name: "result.save", startMs: 92, ms: 5, failed: true as const },
      { name: "convert.markdown", parent: 0, startMs: 83, ms: 3 },
    ];
    const rows = listTraceRows({ ...explanation, timings: { total: 97 }, trace });
    expect(rows.map(({ label, depth, note }) => [label, depth, note])).toEqual([
      ["Fetch", 0, ""],
      ["Try", 1, "http"],
      ["DNS", 2, ""],
      ["First byte (TTFB)", 2, "200"],
      ["markdown", 1, ""],
      ["Store", 0, ""],
    ]);
    expect(rows.filter(({ isLongest }) => isLongest).map(({ label }) => label)).toEqual([
      "First byte (TTFB)",
    ]);
    expect(rows.filter(({ failed }) => failed).map(({ label }) => label)).toEqual(["Store"]);
  });

  it("builds rows from the timings of an explanation without a trace", () => {
    const rows = listTraceRows({ ...explanation, timings: { cache: 2, fetch: 10, total: 12 } });
    expect(rows.map(({ label, startMs }) => [label, startMs])).toEqual([
      ["Cache lookup", 0],
      ["Fetch", 2],
    ]);
  });

  it("stops at spans whose parents form a circle", () => {
    const trace = [
      { name: "a", parent: 1, startMs: 0, ms: 1 },
      { name: "b", parent: 0, startMs: 0, ms: 1 },
      { name: "c", startMs: 0, ms: 1 },
    ];
    expect(listTraceRows({ ...explanation, timings: {}, trace })).toHaveLength(1);
  });
});
