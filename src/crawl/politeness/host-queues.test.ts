import { describe, expect, it } from "vitest";
import type { LeasedPage } from "../../store/jobs/frontier.ts";
import { HostQueues } from "./host-queues.ts";

const page = (
  sequence: number,
  host = "slow.test",
  given: Partial<LeasedPage> = {},
): LeasedPage => ({
  jobId: "job",
  identity: BigInt(sequence),
  url: `http://${host}/${sequence}`,
  host,
  depth: 1,
  source: "link",
  marks: {},
  sequence,
  attempt: 1,
  ...given,
});

/**
 * Creates host queues with a fake clock, pages that wait for a signal, and a record of the released
 * pages.
 */
function build() {
  const clock = { now: 1_000 };
  const lines = new HostQueues(() => clock.now);
  const returned: number[] = [];
  const queue = (leased: LeasedPage) => {
    const turn = Promise.withResolvers<void>();
    const release = (): void => {
      returned.push(leased.sequence);
      turn.reject(new Error("given back"));
    };
    const done = lines.wait(leased, release, () => turn.promise).catch(() => undefined);
    return async () => {
      turn.resolve();
      await done;
    };
  };
  return { clock, lines, returned, queue };
}

describe("host lines", () => {
  it("excludes hosts with many waiting pages from the next claim", async () => {
    const { lines, queue } = build();
    const turns = Array.from({ length: 20 }, (_, index) => queue(page(index)));
    queue(page(100, "other.test"));
    expect(lines.countPlaces()).toEqual({ "slow.test": 0 });
    expect(lines.size).toBe(21);
    await turns[0]?.();
    expect(lines.countPlaces()).toEqual({});
  });

  it("keeps the first page of a slow host and the start page of a crawl in the queue", () => {
    const { clock, lines, returned, queue } = build();
    for (let number = 1; number <= 5; number++) queue(page(number));
    queue(page(6, "slow.test", { source: "start" }));
    queue(page(7, "other.test"));
    clock.now += 1_999;
    lines.releaseWaiting();
    expect(returned).toEqual([]);
    clock.now += 1;
    queue(page(8, "quick.test"));
    queue(page(9, "quick.test"));
    queue(page(10, "quick.test"));
    lines.releaseWaiting();
    expect(returned).toEqual([2, 3, 4, 5]);
  });

  it("takes one page of a slow host at a time until the host has been fast for a minute", async () => {
    const { clock, lines, queue } = build();
    const turn = queue(page(1));
    clock.now += 3_000;
    await turn();
    expect(lines.countPlaces()).toEqual({ "slow.test": 1 });
    queue(page(2));
    expect(lines.countPlaces()).toEqual({ "slow.test": 0 });
    clock.now += 60_000;
    expect(lines.countPlaces()).toEqual({});
  });

  it("does not limit a host after its state is dropped", async () => {
    const { clock, lines, queue } = build();
    const turn = queue(page(1));
    clock.now += 3_000;
    await turn();
    expect(lines.isSlow("slow.test")).toBe(true);
    lines.forget("slow.test");
    expect(lines.isSlow("slow.test")).toBe(false);
    expect(lines.countPlaces()).toEqual({});
  });

  it("counts waiting pages by job and drops finished ones", async () => {
    const { lines, queue } = build();
    const turns = [queue(page(1)), queue(page(2)), queue(page(3, "b.test", { jobId: "other" }))];
    expect(Object.fromEntries(lines.byJob)).toEqual({ job: 2, other: 1 });
    for (const turn of turns) await turn();
    expect(lines.byJob.size + lines.size).toBe(0);
  });
});
