import { afterEach, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import type { Document } from "../../contract/page/document.ts";
import {
  buildJob,
  JOB_ID,
  startJobServer,
  type FakeJob,
  type Route,
} from "../../../test/job-server.ts";
import type { Display } from "../terminal/display.ts";
import { follow, type FollowTask } from "./follow.ts";
import type { Output } from "./output.ts";
import type { Progress } from "./progress.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function buildDisplay(): Display & { seen: Progress[] } {
  const seen: Progress[] = [];
  const nothing = (): void => undefined;
  return {
    seen,
    update: (progress) => seen.push(progress),
    say: nothing,
    clear: nothing,
    close: nothing,
  };
}

type FakeOutput = Output & { documents: Document[]; restored: [number, Document][] };

function buildOutput(written = 0, gone: readonly number[] = []): FakeOutput {
  const documents: Document[] = [];
  const restored: [number, Document][] = [];
  return {
    where: "out",
    written,
    gone,
    documents,
    restored,
    restore: async (place, document) => {
      restored.push([place, document]);
      return document.metadata.sourceURL === "http://site.test/7" ? undefined : "file";
    },
    add: async (added) => {
      documents.push(...added);
      return added.map(() => "file");
    },
    close: async () => undefined,
  };
}

const sumsOf = (fake: FakeJob): object => ({
  success: true,
  id: JOB_ID,
  status: fake.status,
  total: 9,
  sums: { fetched: fake.finished, working: 1 },
  entries: [{ url: "http://site.test/now", fate: "working", depth: 1 }],
});

/** Time advances only while something waits for it. */
function buildClock() {
  let at = 0;
  return {
    now: () => at,
    sleep: async (ms: number, signal: AbortSignal) => {
      at += ms;
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    },
  };
}

async function start(fake: FakeJob, route?: Route) {
  const server = await startJobServer(
    route ?? ((url) => (url.pathname.endsWith("/ledger") ? sumsOf(fake) : fake.statusOf(url))),
  );
  closers.push(async () => server[Symbol.asyncDispose]());
  const clock = buildClock();
  const client = new QuarryClient({ apiUrl: server.url, retries: 0, clock });
  const display = buildDisplay();
  const task = {
    job: client.crawlJob(JOB_ID),
    title: "Crawling",
    display,
    output: undefined,
    signal: new AbortController().signal,
    clock,
  } satisfies FollowTask;
  return { task, display, calls: server.calls };
}

const numbersOf = (documents: readonly Document[]): number[] =>
  documents.map(({ metadata }) => Number(metadata.sourceURL?.split("/").at(-1)));

describe("following a job", () => {
  it("writes each document once in order and returns the final state and sums", async () => {
    const fake = buildJob(5);
    const { task, display } = await start(fake);
    const output = buildOutput();
    const files: (string | undefined)[] = [];
    const onDocument = (_document: Document, file: string | undefined): unknown => files.push(file);
    const followed = await follow({ ...task, output, onDocument });
    expect(numbersOf(output.documents)).toEqual([0, 1, 2, 3, 4]);
    expect(files).toEqual(Array.from({ length: 5 }, () => "file"));
    expect(followed).toMatchObject({ written: 5, sums: { fetched: 5 } });
    expect(followed.state?.status).toBe("completed");
    expect(display.seen.at(-1)).toMatchObject({ title: "Crawling", status: "scraping", total: 5 });
    expect(display.seen.some(({ current }) => current === "http://site.test/now")).toBe(true);
  });

  it("continues after what is already written", async () => {
    const fake = buildJob(5, 4);
    const { task } = await start(fake);
    const output = buildOutput(3);
    expect((await follow({ ...task, output })).written).toBe(5);
    expect(numbersOf(output.documents)).toEqual([3, 4]);
  });

  it("rewrites missing documents, counts them once, and reads no more than needed", async () => {
    const fake = buildJob(400, 400);
    const { task } = await start(fake);
    const output = buildOutput(400, [1, 3, 250]);
    const told: (string | undefined)[] = [];
    const onDocument = ({ metadata }: Document): unknown => told.push(metadata.sourceURL);
    const followed = await follow({ ...task, output, onDocument });
    expect(output.restored.map(([place]) => place)).toEqual([1, 3, 250]);
    expect(numbersOf(output.restored.map(([, document]) => document))).toEqual([1, 3, 250]);
    expect(output.documents).toEqual([]);
    expect(followed).toMatchObject({ written: 400, restored: 3 });
    expect(told).toEqual([1, 3, 250].map((number) => `http://site.test/${number}`));
    expect(fake.reads.slice(0, 2)).toEqual(["?skip=1&limit=3", "?skip=250&limit=1"]);
  });

  it("does not count missing documents that cannot be rewritten", async () => {
    const { task } = await start(buildJob(9, 8));
    const output = buildOutput(8, [6, 7]);
    expect(await follow({ ...task, output })).toMatchObject({ written: 8, restored: 1 });
    expect(numbersOf(output.documents)).toEqual([8]);
  });

  it("reads no documents when there is no output", async () => {
    const fake = buildJob(4);
    const { task } = await start(fake);
    expect((await follow(task)).state?.completed).toBe(4);
    expect(fake.reads.every((search) => search === "?skip=1000000000&limit=1")).toBe(true);
  });

  it("reports a repeated warning once while the job runs, even if its numbers change", async () => {
    const fake = buildJob(6);
    const { task } = await start(fake, (url) => {
      if (url.pathname.endsWith("/ledger")) return sumsOf(fake);
      const more = fake.finished > 3 ? " b.test asks for 9 s between pages." : "";
      const warning = fake.finished > 0 ? `${fake.finished} pages are held.${more}` : undefined;
      return { ...fake.statusOf(url), warning };
    });
    const told: unknown[] = [];
    await follow({ ...task, onWarning: ({ warning }) => told.push(warning) });
    expect(told).toEqual([
      "1 pages are held.",
      "4 pages are held. b.test asks for 9 s between pages.",
    ]);
  });

  it("survives a temporary server outage, reports it, and neither loses nor duplicates documents", async () => {
    const fake = buildJob(4);
    let reads = 0;
    const { task, display } = await start(fake, (url, response) => {
      if (url.pathname.endsWith("/ledger")) return sumsOf(fake);
      reads += 1;
      if (reads > 2 && reads < 6) {
        response.destroy();
        return undefined;
      }
      return fake.statusOf(url);
    });
    const output = buildOutput();
    await follow({ ...task, output });
    expect(numbersOf(output.documents)).toEqual([0, 1, 2, 3]);
    expect(display.seen.some(({ trouble }) => trouble?.includes("does not answer"))).toBe(true);
    expect(display.seen.at(-1)?.trouble).toBeUndefined();
  });

  it("gives up when the server stays unavailable", async () => {
    let reads = 0;
    const fake = buildJob(4);
    const { task } = await start(fake, (url, response) => {
      if (url.pathname.endsWith("/ledger")) return sumsOf(fake);
      reads += 1;
      if (reads === 1) return fake.statusOf(url);
      response.destroy();
      return undefined;
    });
    await expect(follow(task)).rejects.toThrow("No answer");
    expect(reads).toBeLessThan(30);
  });

  it("reports an unknown job at once", async () => {
    const { task, calls } = await start(buildJob(1), () => ({
      success: false,
      error: "Job not found",
      status: 404,
    }));
    await expect(follow(task)).rejects.toThrow("Job not found");
    expect(calls.filter((call) => !call.includes("ledger"))).toHaveLength(1);
  });

  it("returns what is known on abort and leaves the job running", async () => {
    const controller = new AbortController();
    const fake = buildJob(1_000);
    const { task, calls } = await start(fake);
    const onDocument = (): void => controller.abort();
    const followed = await follow({ ...task, onDocument, signal: controller.signal });
    expect(followed.state?.status).not.toBe("completed");
    expect(calls.some((call) => call.startsWith("DELETE"))).toBe(false);
  });
});
