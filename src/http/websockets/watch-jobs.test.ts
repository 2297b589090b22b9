import { describe, expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../../account/identity.ts";
import type { JobStatus } from "../../contract/jobs/crawl.ts";
import type { Document } from "../../contract/page/document.ts";
import { watchMessageSchema, type WatchMessage } from "../../contract/jobs/watch.ts";
import type { JobEvent, PageJobKind, JobReport, PageJobs } from "../../crawl/job.ts";
import { RequestError } from "../../errors.ts";
import { createWatch } from "./watch-jobs.ts";

const ID = "0199f0c0-0000-7000-8000-000000000000";
const toJson = (document: Document): Buffer => Buffer.from(JSON.stringify(document));
const page = (name: string): Document => ({ markdown: name, metadata: {} }) as Document;

type Job = {
  readonly kind?: PageJobKind;
  readonly status?: JobStatus;
  readonly past?: readonly Document[];
  readonly nextSkip?: number;
  readonly events?: readonly JobEvent[];
};

const reportOf = ({ kind = "crawl", status = "scraping", past = [] }: Job): JobReport => ({
  id: ID,
  kind,
  status,
  total: 3,
  completed: past.length,
  creditsUsed: 3,
  createdAt: 0,
  completedAt: undefined,
  expiresAt: 0,
  error: status === "failed" ? "The start URL did not answer." : undefined,
  code: status === "failed" ? "SCRAPE_SITE_ERROR" : undefined,
  warning: undefined,
});

/** Everything a watcher of `job` receives, and the offset from which its documents were read. */
async function hear(job: Job, kinds: readonly PageJobKind[] = ["crawl"]) {
  const skips: number[] = [];
  const jobsOf = (kind: PageJobKind): Partial<PageJobs> => ({
    report: async () => {
      if (kind !== (job.kind ?? "crawl")) throw new RequestError("NOT_FOUND", "Job not found.");
      return reportOf(job);
    },
    listResults: async () => {
      if (job.past === undefined) throw new Error("would wait for a page");
      return { ...reportOf(job), documents: job.past.map(toJson), nextSkip: job.nextSkip };
    },
    watch: async function* (_id, _identity, { skip }) {
      skips.push(skip);
      yield* job.events ?? [];
    },
  });
  const watch = createWatch(async (kind) => jobsOf(kind) as PageJobs);
  const messages: WatchMessage[] = [];
  const { signal } = new AbortController();
  for await (const frame of watch({ id: ID, kinds, identity: ANONYMOUS_IDENTITY, signal })) {
    const message = watchMessageSchema.parse(JSON.parse(frame.json.toString()));
    expect(message.type).toBe(frame.type);
    messages.push(message);
  }
  return { messages, skips, types: messages.map(({ type }) => type) };
}

const ended = (status: JobStatus): JobEvent => ({
  type: "ended",
  report: reportOf({ status, past: [page("a"), page("b"), page("c")] }),
});

describe("job watch", () => {
  it("sends each document once: past ones in the catchup, later ones one by one", async () => {
    const events: JobEvent[] = [
      { type: "documents", documents: [page("b"), page("c")].map(toJson) },
      ended("completed"),
    ];
    const { messages, skips } = await hear({ past: [page("a")], nextSkip: 1, events });
    expect(messages).toMatchObject([
      { type: "catchup", data: { data: [{ markdown: "a" }] } },
      { type: "document", data: { markdown: "b" } },
      { type: "document", data: { markdown: "c" } },
      { type: "done", data: { status: "completed", total: 3, completed: 3, data: [] } },
    ]);
    expect(skips).toEqual([1]);
  });

  it("reports a job without documents at once instead of waiting for results", async () => {
    const { types } = await hear({ events: [ended("completed")] });
    expect(types).toEqual(["catchup", "done"]);
  });

  it("reports a finished job with one page of results in two messages", async () => {
    const { types, skips } = await hear({ status: "completed", past: [page("a")] });
    expect(types).toEqual(["catchup", "done"]);
    expect(skips).toEqual([]);
  });

  it("follows a finished job with more pages of results to the last document", async () => {
    const events: JobEvent[] = [
      { type: "documents", documents: [toJson(page("b"))] },
      ended("completed"),
    ];
    const job: Job = { status: "completed", past: [page("a")], nextSkip: 1, events };
    const { types, messages } = await hear(job);
    expect(types).toEqual(["catchup", "document", "done"]);
    // A final status would end the published watcher before the second document.
    expect(messages[0]).toMatchObject({ data: { status: "scraping" } });
    expect(messages[0]).not.toHaveProperty("data.next");
  });

  it("reports a failed or cancelled state before the done message", async () => {
    const cancelled = await hear({ events: [ended("cancelled")] });
    expect(cancelled.messages.slice(1)).toMatchObject([
      { type: "status", data: { status: "cancelled" } },
      { type: "done", data: { status: "cancelled" } },
    ]);
    const failed = await hear({ events: [ended("failed")] });
    expect(failed.messages.slice(1)).toMatchObject([
      { type: "status", data: { status: "failed" } },
      { type: "error", error: "The start URL did not answer.", code: "SCRAPE_SITE_ERROR" },
    ]);
  });

  it("looks up the job in all kinds that the URL stands for", async () => {
    const batch: Job = { kind: "batch_scrape", status: "completed", past: [] };
    expect((await hear(batch, ["crawl", "batch_scrape"])).types).toEqual(["catchup", "done"]);
    await expect(hear(batch, ["crawl"])).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
