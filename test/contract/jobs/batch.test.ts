// Batches over HTTP, through the client.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConflictError } from "../../../client/errors.ts";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const key = (digit: string): string => `0199f0c0-0000-7000-8000-0000000000${digit.repeat(2)}`;

describe("batch", () => {
  it("returns a document per URL as written, also for duplicates", async () => {
    const host = site.url.replace("http://", "");
    const urls = [`${site.url}/article`, `${host}/tiny`, `${site.url}/status/404`];
    const job = await service.client.batch([...urls, ...Array<string>(40).fill(urls[0] ?? "")]);
    expect(job).toMatchObject({ status: "completed", completed: 43, total: 43, creditsUsed: 43 });
    const sources = job.documents.map(({ metadata }) => metadata.sourceURL);
    for (const url of urls) expect(sources).toContain(url);
    expect(new Set(job.documents.map(({ metadata }) => metadata.scrapeId)).size).toBe(43);
    const missing = job.documents.find(({ metadata }) => metadata.sourceURL === urls[2]);
    expect(missing?.metadata.statusCode).toBe(404);
  });

  it("lists failures as errors free of charge and does not check robots.txt", async () => {
    const urls = [`${site.url}/article`, `${site.url}/hang-up`, `${site.url}/private/page`];
    const { job } = await service.client.startBatch(urls, { timeout: 3_000 });
    const done = await job.wait();
    expect(done).toMatchObject({ status: "completed", completed: 2, total: 2, creditsUsed: 2 });
    const { errors, robotsBlocked } = await job.errors();
    expect(errors).toMatchObject([{ url: urls[1], code: "SCRAPE_SITE_ERROR" }]);
    expect(robotsBlocked).toEqual([]);
    expect((await job.ledger()).sums).toEqual({ fetched: 2, error: 1 });
  });

  it("skips and lists invalid URLs, or rejects the batch", async () => {
    const urls = [`${site.url}/tiny`, "nonsense", "ftp://a.test/"];
    const { job, invalidUrls } = await service.client.startBatch(urls);
    expect(invalidUrls).toEqual(["nonsense", "ftp://a.test/"]);
    expect((await job.wait()).completed).toBe(1);
    const strict = { urls, ignoreInvalidURLs: false };
    const refused = await service.ask("/v2/batch/scrape", { method: "POST", body: strict });
    expect(refused.status).toBe(400);
    const none = await service.client.batch(["nonsense"]);
    expect(none).toMatchObject({ status: "completed", total: 0 });
  });

  it("accepts more URLs while the batch runs and not afterwards", async () => {
    const { job } = await service.client.startBatch([`${site.url}/slow/headers?milliseconds=1500`]);
    const more = await service.client.startBatch([`${site.url}/tiny`], { appendToId: job.id });
    expect(more.job.id).toBe(job.id);
    expect(await job.wait()).toMatchObject({ completed: 2, total: 2 });
    const late = service.client.startBatch([`${site.url}/tiny`], { appendToId: job.id });
    await expect(late).rejects.toThrow(ConflictError);
  });

  it("accepts an idempotency key of a batch once", async () => {
    const options = { idempotencyKey: key("b") };
    await service.client.startBatch([`${site.url}/tiny`], {}, options);
    const again = service.client.startBatch([`${site.url}/tiny`], {}, options);
    await expect(again).rejects.toThrow("Idempotency key already used");
  });

  it("keeps finished pages of a cancelled batch and fetches no others", async () => {
    const { job } = await service.client.startBatch([`${site.url}/tiny`, `${site.url}/slow/never`]);
    for await (const document of job.documents()) {
      expect(document.metadata.sourceURL).toBe(`${site.url}/tiny`);
      break;
    }
    await job.cancel();
    const status = await job.status();
    expect(status).toMatchObject({ status: "cancelled", completed: 1, total: 1 });
    expect(status.data).toHaveLength(1);
  });

  it("sends a password in a batch URL to the site only", async () => {
    const host = site.url.replace("http://", "");
    const { job } = await service.client.startBatch([`http://joe:s3cret@${host}/echo`], {
      formats: ["rawHtml"],
    });
    await job.wait();
    const { text } = await service.ask(`/v2/batch/scrape/${job.id}`);
    const ledger = await service.ask(`/v2/batch/scrape/${job.id}/ledger`);
    expect(site.requests.at(-1)?.headers["authorization"]).toMatch(/^Basic /);
    expect(`${ledger.text}${JSON.parse(text).data[0].metadata.sourceURL}`).not.toContain("s3cret");
  });

  it("respects the concurrency of the batch", async () => {
    const urls = Array.from({ length: 4 }, () => `${site.url}/slow/headers?milliseconds=250`);
    const before = performance.now();
    const job = await service.client.batch(urls, { maxConcurrency: 1, maxAge: 0 });
    expect(job.completed).toBe(4);
    expect(performance.now() - before).toBeGreaterThan(1_000);
  });
});
