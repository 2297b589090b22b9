// This repository's client and jobs: streams and WebSockets return the same as pages.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import { BadRequestError, NotFoundError } from "../../../client/errors.ts";
import type { Job } from "../../../client/job.ts";
import type { JobUpdate } from "../../../client/watch.ts";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

const PAGES = 12;

let base: string;
let service: Service;
let client: QuarryClient;
let job: Job;
/** Held answers to requested pages. */
let held: (() => void)[] | undefined;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const links = Array.from(
      { length: PAGES - 1 },
      (_, index) => `<a href="/p${index + 1}">${index}</a>`,
    );
    const answer = (): void => {
      response.writeHead(200, { "content-type": "text/html" });
      const text = `This is ${request.url}: größer, weiter. `.repeat(9);
      response.end(`<title>${request.url}</title><main><p>${text}</p>${links.join(" ")}</main>`);
    };
    if (held === undefined || request.url === "/" || request.url === "/robots.txt") answer();
    else held.push(answer);
  }));
  service = await shareService();
  client = new QuarryClient({ apiUrl: service.url, apiKey: service.key });
  const finished = await client.crawl(`${base}/`, { sitemap: "skip" });
  job = client.crawlJob(String(finished.id));
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
const urlsOf = (documents: readonly Document[]): (string | undefined)[] =>
  documents.map(({ metadata }) => metadata.sourceURL);

describe.skipIf(isRemote)("client job reading", () => {
  it("reads the same documents in the same order in pages, as a stream and over a WebSocket", async () => {
    const documents = await collect(job.documents({ pageSize: 5 }));
    expect(new Set(urlsOf(documents)).size).toBe(PAGES);
    expect(await collect(job.export())).toEqual(documents);
    const updates = await collect(job.watch());
    expect(
      updates.flatMap((update) => (update.type === "document" ? update.document : [])),
    ).toEqual(documents);
    expect(updates.at(-1)).toMatchObject({ type: "status", status: { status: "completed" } });
  });

  it("receives documents of a running job while others are still being fetched", async () => {
    held = [];
    const running = await client.startCrawl(`${base}/`, {
      sitemap: "skip",
      scrapeOptions: { maxAge: 0 },
    });
    const seen: JobUpdate[] = [];
    for await (const update of running.watch()) {
      seen.push(update);
      if (update.type !== "document") continue;
      // Only the start page is answered until it was received here.
      for (const answer of held ?? []) answer();
      held = undefined;
    }
    const documents = seen.flatMap((update) => (update.type === "document" ? update.document : []));
    expect(urlsOf(documents)[0]).toBe(`${base}/`);
    expect(new Set(urlsOf(documents)).size).toBe(PAGES);
    expect(seen[0]).toMatchObject({ type: "status", status: { status: "scraping" } });
  });

  it("reads the ledger in pages and as a file with the number of entries in the sums", async () => {
    const { total, sums } = await job.ledger({ limit: 1 });
    expect(sums).toEqual({ fetched: PAGES });
    expect(await collect(job.ledgerEntries())).toHaveLength(total);
    const csv = (await collect(job.ledgerText("csv"))).join("").trimEnd().split("\r\n");
    expect(csv).toHaveLength(total + 1);
    const lines = (await collect(job.ledgerText("ndjson", { fate: "robots" }))).join("");
    expect(lines).toBe("");
  });

  it("the client throws typed errors from export, watch and ledgerText", async () => {
    const unknown = client.crawlJob("0199f0c0-0000-7000-8000-000000000001");
    await expect(collect(unknown.export())).rejects.toThrow(NotFoundError);
    await expect(collect(unknown.watch())).rejects.toThrow(NotFoundError);
    await expect(collect(client.crawlJob("nonsense").ledgerText("csv"))).rejects.toThrow(
      BadRequestError,
    );
    const stranger = new QuarryClient({ apiUrl: service.url, apiKey: "qy-unknown" });
    await expect(collect(stranger.crawlJob(job.id).watch())).rejects.toThrow("Unauthorized");
  });

  it("cancels a job and sees it end", async () => {
    held = [];
    const running = await client.startCrawl(`${base}/`, {
      sitemap: "skip",
      scrapeOptions: { maxAge: 0 },
    });
    for await (const update of running.watch())
      if (update.type === "document") await running.cancel();
    held = undefined;
    expect((await running.wait()).status).toBe("cancelled");
    expect(await collect(running.documents())).toHaveLength(1);
    expect(await client.activeCrawls()).toEqual([]);
  });
});
