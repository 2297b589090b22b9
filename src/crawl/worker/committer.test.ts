import { describe, expect, it } from "vitest";
import { InternalError, LimitError, StorageError } from "../../errors.ts";
import { createLogger } from "../../logger.ts";
import type { FinishedPage, FinishReport } from "../../store/jobs/finish.ts";
import { createCommitter } from "./committer.ts";

const pageOf = (jobId: string, url: string): FinishedPage => ({
  page: {
    jobId,
    identity: 1n,
    url,
    host: "a.test",
    depth: 0,
    source: "link",
    marks: {},
    sequence: 1,
    attempt: 1,
  },
  outcome: { type: "refused", refusal: { fate: "scope", reason: undefined }, credits: 0 },
  links: [],
});

const report = { state: "scraping", ended: false, ready: 0 } as FinishReport;

function build(finish: (jobId: string, urls: string[]) => Promise<void>) {
  const groups: [string, string[]][] = [];
  const lost: string[] = [];
  const committer = createCommitter({
    finish: async (jobId, pages) => {
      const urls = pages.map(({ page }) => page.url);
      await finish(jobId, urls);
      groups.push([jobId, urls]);
      return { ...report, pages: pages.map(() => "refused") };
    },
    onFinished: () => undefined,
    onLost: (jobId) => void lost.push(jobId),
    log: createLogger("silent"),
    maxPages: 3,
    maxMs: 5,
    retryMs: 1,
  });
  return { committer, groups, lost };
}

describe("committer", () => {
  it("retries writing pages while the storage fails", async () => {
    let attempts = 0;
    const { committer, groups, lost } = build(async () => {
      attempts += 1;
      if (attempts <= 30) throw new StorageError("blob store", "down");
    });
    await committer.add(pageOf("a", "1"));
    expect(groups).toEqual([["a", ["1"]]]);
    expect(lost).toEqual([]);
  });

  it("groups the pages of one job up to the maximum group size", async () => {
    const { committer, groups } = build(async () => undefined);
    await Promise.all(["1", "2", "3", "4"].map((url) => committer.add(pageOf("a", url))));
    expect(groups).toEqual([
      ["a", ["1", "2", "3"]],
      ["a", ["4"]],
    ]);
    expect(committer.size()).toBe(0);
  });

  it("writes pages with very many links alone and counts the links still unwritten", async () => {
    const { committer, groups } = build(async () => undefined);
    const withLinks = (url: string, count: number): FinishedPage => ({
      ...pageOf("a", url),
      links: Array.from({ length: count }, () => ({}) as FinishedPage["links"][number]),
    });
    const added = [
      committer.add(withLinks("1", 10_000)),
      committer.add(withLinks("2", 100_000)),
      committer.add(withLinks("3", 10_000)),
      committer.add(withLinks("4", 10_000)),
    ];
    expect(committer.links()).toBe(130_000);
    await Promise.all(added);
    expect(groups).toEqual([
      ["a", ["1"]],
      ["a", ["2"]],
      ["a", ["3", "4"]],
    ]);
    expect(committer.links()).toBe(0);
  });

  it("never groups pages of different jobs", async () => {
    const { committer, groups } = build(async () => undefined);
    await Promise.all([committer.add(pageOf("a", "1")), committer.add(pageOf("b", "2"))]);
    expect(groups).toEqual([
      ["a", ["1"]],
      ["b", ["2"]],
    ]);
  });

  it("retries the commit while the database is unreachable", async () => {
    let away = 2;
    const { committer, groups } = build(async () => {
      if (away-- > 0) throw new LimitError("UNAVAILABLE", "away");
    });
    await committer.add(pageOf("a", "1"));
    expect(groups).toEqual([["a", ["1"]]]);
  });

  it("drops a single page that cannot be written and reports it", async () => {
    const { committer, groups, lost } = build(async (_jobId, urls) => {
      if (urls.includes("bad")) throw new InternalError("refused");
    });
    await Promise.all(["1", "bad", "3"].map((url) => committer.add(pageOf("a", url))));
    expect(groups.flatMap(([, urls]) => urls)).toEqual(["1", "3"]);
    expect(lost).toEqual(["a"]);
  });

  it("writes all waiting pages before it closes", async () => {
    const { committer, groups } = build(async () => undefined);
    const added = committer.add(pageOf("a", "1"));
    await committer.close();
    await added;
    expect(groups).toHaveLength(1);
  });
});
