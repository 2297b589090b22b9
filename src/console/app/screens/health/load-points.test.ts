import { describe, expect, it } from "vitest";
import { parseMetrics } from "../../data/metrics.ts";
import {
  findClockOffset,
  joinPoints,
  readGauges,
  readRates,
  readStorage,
  toBrowser,
  toMemory,
  toRates,
  toStorage,
  type LoadHistory,
} from "./load-points.ts";

const MINUTE = 60_000;
const SAMPLE = {
  memoryBytes: 100,
  browserPages: 0,
  browserWaiting: 0,
  scrapes: 0,
  jobPages: 0,
  coveredMs: MINUTE,
};
type Samples = readonly (Partial<typeof SAMPLE> & { at: number })[];

const history = (
  processes: readonly { name: string; role?: string; samples: Samples }[],
  service: LoadHistory["service"] = [],
): LoadHistory => ({
  stepMs: MINUTE,
  processes: processes.map(({ role = "all", name, samples }) => ({
    name,
    role,
    samples: samples.map((sample) => ({ ...SAMPLE, ...sample })),
  })),
  service,
});
const reading = (at: number, text: string) => ({ at, metrics: parseMetrics(text) });
const frame = { from: 0, stepMs: MINUTE, lines: 1 };

describe("points of the load", () => {
  it("leave a gap where the server was down and continue with the readings of the screen", () => {
    const stored = [1, 2, 5].map((minute) => ({ at: minute * MINUTE, values: [minute] }));
    const live = readGauges(
      [4, 6.5, 6.6].map((minute) => reading(minute * MINUTE, `memory ${minute}`)),
      [["memory"]],
    );
    expect(joinPoints(stored, live, frame)).toEqual({
      times: [60, 120, 210, 300, 390, 396],
      lines: [[1, 2, null, 5, 6.5, 6.6]],
    });
  });

  it("leave a gap where the page was hidden, and before the first reading long after a sample", () => {
    const live = [10, 10.1, 11].map((minute) => ({
      at: minute * MINUTE,
      values: [minute],
      isLive: true as const,
    }));
    const { lines } = joinPoints([{ at: MINUTE, values: [1] }], live, frame);
    expect(lines).toEqual([[1, null, 10, 10.1, null, 11]]);
  });

  it("begin with the range", () => {
    const stored = [1, 2].map((minute) => ({ at: minute * MINUTE, values: [minute] }));
    expect(joinPoints(stored, [], { ...frame, from: 2 * MINUTE }).times).toEqual([120]);
  });

  it("have a line of memory for each of a few processes, with gaps while one did not run", () => {
    const { labels, points } = toMemory(
      history([
        { name: "a:1", role: "api", samples: [{ at: 0 }, { at: MINUTE, memoryBytes: 110 }] },
        { name: "b:1", role: "worker", samples: [{ at: MINUTE, memoryBytes: 300 }] },
      ]),
    );
    expect(labels).toEqual(["api a:1", "worker b:1"]);
    expect(points.map(({ values }) => values)).toEqual([
      [100, null],
      [110, 300],
    ]);
    expect(toMemory(history([{ name: "a:1", samples: [{ at: 0 }] }])).labels).toEqual(["memory"]);
  });

  it("add the memory of many processes up by role", () => {
    const processes = Array.from({ length: 7 }, (_, at) => ({
      name: `w${at}:1`,
      role: at === 0 ? "api" : "worker",
      samples: [{ at: 0 }],
    }));
    const { labels, points } = toMemory(history(processes));
    expect(labels).toEqual(["api (1 process)", "worker (6 processes)"]);
    expect(points[0]?.values).toEqual([100, 600]);
  });

  it("add browser pages and rates of all processes, and know no rate right after a start", () => {
    const both = history([
      { name: "a:1", samples: [{ at: 0, browserPages: 2, scrapes: 120 }] },
      {
        name: "b:1",
        samples: [
          { at: 0, browserPages: 1, browserWaiting: 4, jobPages: 30, coveredMs: 30_000 },
          { at: MINUTE, coveredMs: 200, scrapes: 1 },
        ],
      },
    ]);
    expect(toBrowser(both)[0]?.values).toEqual([3, 4]);
    expect(toRates(both).map(({ values }) => values)).toEqual([
      [2, 1],
      [null, null],
    ]);
  });

  it("know no size of the files before they were measured", () => {
    const service = {
      at: 0,
      databaseBytes: 5,
      blobBytes: null,
      crawlQueueAgeMs: 0,
      batchQueueAgeMs: 0,
    };
    expect(toStorage(history([], [service]))[0]?.values).toEqual([5, null]);
    const texts = ["quarry_database_bytes 5", "quarry_blob_bytes 7", "quarry_blobs 0"];
    const before = reading(0, texts.join("\n"));
    const after = reading(1, texts.join("\n").replace("blobs 0", "blobs 2"));
    expect(
      readStorage([before, after], { service: [service] }).map(({ values }) => values),
    ).toEqual([
      [5, null],
      [5, 7],
    ]);
    const empty = reading(0, "quarry_database_bytes 5");
    const withoutFiles = { service: [{ ...service, blobBytes: 0 }] };
    expect(readStorage([empty], withoutFiles)[0]?.values).toEqual([5, 0]);
  });

  it("have the times of the server when the clock of the browser is wrong", () => {
    const now = Date.UTC(2026, 0, 1, 12);
    expect(findClockOffset("Thu, 01 Jan 2026 12:05:00 GMT", now)).toBe(5 * MINUTE);
    expect(findClockOffset("Thu, 01 Jan 2026 12:00:02 GMT", now)).toBe(0);
    expect(findClockOffset(null, now)).toBe(0);
  });

  it("have no rate across a restart of the server", () => {
    const readings = [
      reading(0, "done_total 10"),
      reading(2_000, "done_total 14"),
      reading(4_000, "done_total 1"),
    ];
    expect(readRates(readings, ["done_total"]).map(({ values }) => values)).toEqual([
      [null],
      [2],
      [null],
    ]);
  });
});
