import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createLogger } from "../logger.ts";
import { ANONYMOUS_IDENTITY } from "./identity.ts";
import { createJobEvents, type JobEvent } from "./job-events.ts";
import type { JobListFilter, NamedJob } from "./job-list.ts";

const build = (id: string, overrides: Partial<NamedJob> = {}): NamedJob => ({
  id,
  kind: "crawl",
  state: "running",
  url: "https://a.example/",
  prompt: null,
  keyId: v7(),
  keyName: null,
  pending: 1,
  completed: 0,
  failed: 0,
  creditsUsed: 0,
  error: null,
  code: null,
  createdAt: 1,
  completedAt: null,
  expiresAt: 2,
  ...overrides,
});

/** In-memory jobs, and how often they were listed. */
function setUp(pollMs = 5, heartbeatMs = 60_000) {
  const jobs = new Map<string, NamedJob>();
  let lists = 0;
  const stopping = new AbortController();
  const events = createJobEvents({
    list: {
      list: async (_identity, { state, limit }: JobListFilter) => {
        lists += 1;
        const found = [...jobs.values()].filter(
          (job) => state === undefined || job.state === state,
        );
        return { jobs: found.toReversed().slice(0, limit), cursor: undefined };
      },
      load: async (_identity, ids) => ids.flatMap((id) => jobs.get(id) ?? []),
      totals: async () => ({ running: jobs.size, completed: 0, failed: 0, cancelled: 0 }),
    },
    log: createLogger("silent"),
    stopping: stopping.signal,
    pollMs,
    heartbeatMs,
  });
  const watch = (signal = new AbortController().signal) => events.watch(ANONYMOUS_IDENTITY, signal);
  return { jobs, stopping, watch, lists: () => lists };
}

const next = async (events: AsyncGenerator<JobEvent>): Promise<JobEvent> =>
  (await events.next()).value as JobEvent;

describe("stream of job changes", () => {
  it("sends a slow reader the latest state of each job once", async () => {
    const { jobs, watch, lists } = setUp();
    jobs.set("a", build("a"));
    const events = watch();
    expect(await next(events)).toMatchObject({ type: "snapshot", jobs: [{ id: "a" }] });
    for (let completed = 1; completed <= 30; completed++) {
      jobs.set("a", build("a", { completed }));
      const seen = lists();
      await expect.poll(lists, { interval: 1 }).toBeGreaterThan(seen + 1);
    }
    jobs.set("a", build("a", { completed: 31, state: "completed" }));
    const seen = lists();
    await expect.poll(lists, { interval: 1 }).toBeGreaterThan(seen + 3);
    expect(await next(events)).toMatchObject({ change: "ended", job: { completed: 31 } });
    await events.return(undefined);
  });

  it("polls the database once for all readers, and never without readers", async () => {
    const { watch, lists } = setUp(1_000_000);
    const readers = Array.from({ length: 10 }, () => watch());
    await Promise.all(readers.map(next));
    // Two for each snapshot, and two for the shared poll.
    expect(lists()).toBe(22);
    for (const reader of readers) await reader.return(undefined);
    expect(lists()).toBe(22);
  });

  it("sends heartbeats while idle and ends when the server stops", async () => {
    const { watch, stopping } = setUp(5, 10);
    const events = watch();
    await next(events);
    expect(await next(events)).toEqual({ type: "heartbeat" });
    stopping.abort();
    expect((await events.next()).done).toBe(true);
  });

  it("reports a job that began and ended between two polls as ended", async () => {
    const { jobs, watch } = setUp();
    const events = watch();
    await next(events);
    jobs.set("b", build("b", { state: "failed", error: "no" }));
    expect(await next(events)).toMatchObject({
      change: "ended",
      job: { id: "b", state: "failed" },
    });
    await events.return(undefined);
  });
});
