// Documents of a job from a read replica that is behind, and from one that does not answer. The replica is a second database with
// other texts, so that the tests see where a document came from.
import { afterEach, describe, expect, inject, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { Secret } from "../../src/settings/secret.ts";
import type { NewJob } from "../../src/store/jobs/job-record.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { temporaryFolder } from "../databases.ts";
import { buildFinished, buildFound, buildJob, buildOutcome } from "../jobs.ts";

const { replica: primaryUrl, "replica copy": replicaUrl } = inject("postgresUrls");
const HOUR = 3_600_000;

const open: Store[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});

async function openAt(url: string | undefined, replica?: string): Promise<Store> {
  const store = await openStore(
    createTestConfig({
      dataDir: await temporaryFolder(),
      databaseUrl: new Secret(url ?? ""),
      secret: new Secret("secret-of-all-processes"),
      ...(replica === undefined ? {} : { databaseReplica: new Secret(replica) }),
    }),
    createLogger("silent"),
  );
  open.push(store);
  return store;
}

/** Finishes the first `count` of the job's five pages. */
async function fill(store: Store, job: NewJob, count: number, text: string): Promise<void> {
  const urls = Array.from({ length: 5 }, (_, index) => buildFound(index, { depth: 0 }));
  await store.jobs.create(job, urls);
  const claim = { worker: "w", max: count, leaseMs: HOUR, jobs: [job.id] };
  const pages = await store.frontier.claim(claim);
  await store.finish(
    job.id,
    "w",
    pages.map((page) => {
      const document = { markdown: text, metadata: {} } as never;
      return buildFinished(page, [], { ...buildOutcome(page), document } as never);
    }),
  );
}

describe.skipIf(primaryUrl === undefined)("a read replica", () => {
  it("gives the documents it has, and the primary gives the rest in order", async () => {
    const job = buildJob();
    await fill(await openAt(replicaUrl), job, 3, "copy ".repeat(200));
    const store = await openAt(primaryUrl, replicaUrl);
    await fill(store, job, 5, "original ".repeat(200));
    const list = async (skip: number, limit: number, maxBytes = 1e9): Promise<string[]> =>
      (await store.results.listPage(job.id, { skip, limit, maxBytes })).map(
        ({ sequence, document }) =>
          `${sequence} ${(document as { markdown: string }).markdown.split(" ")[0]}`,
      );
    const all = ["1 copy", "2 copy", "3 copy", "4 original", "5 original"];
    expect(await list(0, 100)).toEqual(all);
    expect(await list(0, 2)).toEqual(all.slice(0, 2));
    expect(await list(2, 2)).toEqual(all.slice(2, 4));
    expect(await list(4, 100)).toEqual(all.slice(4));
    expect(await list(5, 100)).toEqual([]);
    // The limit of bytes holds over both: three copies and one original are more than 4,500.
    expect(await list(0, 100, 4_500)).toEqual(all.slice(0, 3));
    expect(await list(0, 100, 10)).toEqual(all.slice(0, 1));
    expect(await list(3, 100, 10)).toEqual(all.slice(3, 4));
    const streamed: number[] = [];
    for await (const rows of store.results.iterateResults(job.id))
      streamed.push(...rows.map(({ sequence }) => sequence));
    expect(streamed).toEqual([1, 2, 3, 4, 5]);
  });

  it("leaves all reads to the primary when it does not answer", async () => {
    const job = buildJob();
    const store = await openAt(primaryUrl, "postgresql://nobody@127.0.0.1:1/none");
    await fill(store, job, 5, "original");
    for (let time = 0; time < 2; time++) {
      const rows = await store.results.listPage(job.id, { skip: 0, limit: 10, maxBytes: 1e9 });
      expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
    }
  });
});
