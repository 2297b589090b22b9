// The service's own blob store fails during jobs: pages wait, users and operators are informed, and
// nothing is lost.
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Config } from "../../../src/config.ts";
import { Secret } from "../../../src/settings/secret.ts";
import { closeAll, listen, readPort } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const PAGES = 24;

/** Pages too large for a database row, each with its own words. */
async function startPages(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = await listen(
    createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://a");
      asked.push(pathname);
      const number = Number(pathname.slice(1));
      const words = Array.from({ length: 3_000 }, (_, at) =>
        ((at + 7) * (number + 13)).toString(36),
      );
      const links = Array.from({ length: PAGES }, (_, at) => `<a href="/${at}">page ${at}</a>`);
      response.setHeader("content-type", "text/html");
      response.end(
        `<title>${number}</title><main><h1>${number}</h1><p>${words.join(" ")}.</p>${links.join(" ")}</main>`,
      );
    }),
  );
  return { url: `http://127.0.0.1:${readPort(server)}`, asked };
}

type Blobs = {
  readonly settings: Partial<Config>;
  /** Deletes all stored blobs and nothing else. */
  lose?(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
};

/** A folder that disappears, like an unmounted volume, or is replaced by a file. */
async function openFolder(inItsPlace: "nothing" | "a file"): Promise<Blobs> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-outage-"));
  const blobs = path.join(folder, "blobs");
  return {
    settings: { blobs: `file:${blobs}` },
    async stop() {
      await rename(blobs, `${blobs}-away`);
      if (inItsPlace === "a file") await writeFile(blobs, "");
    },
    async start() {
      if (inItsPlace === "a file") await rm(blobs);
      await rename(`${blobs}-away`, blobs);
    },
    async lose() {
      for (const name of await readdir(blobs))
        await rm(path.join(blobs, name), { recursive: true });
    },
    close: () => rm(folder, { recursive: true }),
  };
}

async function openBucket(): Promise<Blobs> {
  const directory = await mkdtemp(path.join(os.tmpdir(), "quarry-outage-"));
  const bucket = "quarry-outage";
  const s3 = new S3rver({
    directory,
    silent: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await s3.configureBuckets();
  let server: Server | undefined;
  let port = 0;
  const start = async (): Promise<void> => {
    server = createServer(s3.getMiddleware());
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(port, "127.0.0.1", resolve);
    await promise;
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server?.close(() => resolve());
    server?.closeAllConnections();
    await promise;
  };
  await start();
  const endpoint = encodeURIComponent(`http://127.0.0.1:${port}`);
  return {
    settings: {
      blobs: `s3://${bucket}/outage?region=us-east-1&endpoint=${endpoint}`,
      s3AccessKeyId: new Secret("S3RVER"),
      s3SecretAccessKey: new Secret("S3RVER"),
    },
    start,
    stop,
    async close() {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

const READINESS = "/v0/health/readiness";

describe.skipIf(isRemote).each([
  ["a blob folder with a file in its place", () => openFolder("a file")],
  ["a blob folder that is gone", () => openFolder("nothing")],
  ["an S3 bucket", openBucket],
])("outage of %s", (_name, open) => {
  let blobs: Blobs;
  let service: Service;
  let site: Awaited<ReturnType<typeof startPages>>;
  beforeAll(async () => {
    site = await startPages();
    blobs = await open();
    service = await startService(undefined, { ...blobs.settings, egressAllow: ["127.0.0.1"] });
  });
  afterAll(async () => {
    await service.close();
    await blobs.close();
    await closeAll();
  });

  const read = async (id: string) => (await service.ask(`/v2/crawl/${id}`)).body;

  it("keeps pages of a crawl waiting with a warning and completes all of them afterwards", async () => {
    const { body } = await service.ask("/v2/crawl", {
      method: "POST",
      body: {
        url: `${site.url}/0`,
        limit: PAGES,
        crawlEntireDomain: true,
        delay: 0.2,
        sitemap: "skip",
      },
    });
    const id = String(body["id"]);
    await expect.poll(async () => (await read(id))["completed"]).toBeGreaterThan(3);
    await blobs.stop();
    await expect
      .poll(async () => (await read(id))["warning"], { timeout: 20_000 })
      .toContain("Pages wait because the blob store has failed since");
    const count = site.asked.length;
    const ready = await service.ask(READINESS);
    expect(ready.status).toBe(503);
    expect(ready.body.error).toMatch(
      /^Not ready: store \(The blob store failed while \w+; try again in a moment\.\)\.$/,
    );
    expect((await service.ask("/v0/health/liveness")).status).toBe(200);
    expect((await read(id))["status"]).toBe("scraping");
    // The site gets few requests while nothing can be stored.
    expect(site.asked.length - count).toBeLessThan(5);
    await blobs.start();
    await expect
      .poll(async () => (await read(id))["status"], { timeout: 40_000, interval: 250 })
      .toBe("completed");
    const { body: done } = await service.ask(`/v2/crawl/${id}?limit=100`);
    expect([done["completed"], done["total"]]).toEqual([PAGES, PAGES]);
    const { body: errors } = await service.ask(`/v2/crawl/${id}/errors`);
    expect(errors["errors"]).toEqual([]);
    expect((await service.ask(READINESS)).status).toBe(200);
  }, 90_000);

  it("names documents whose blob is lost and answers 404 for their ids", async () => {
    if (blobs.lose === undefined) return;
    const { body: batch } = await service.ask("/v2/batch/scrape", {
      method: "POST",
      body: { urls: [`${site.url}/700`] },
    });
    const path = `/v2/batch/scrape/${String(batch["id"])}`;
    await expect.poll(async () => (await service.ask(path)).body["status"]).toBe("completed");
    await blobs.lose();
    const { body } = await service.ask(path);
    const [document] = body.data as unknown as [
      { warning: string; metadata: { scrapeId: string; sourceURL: string } },
    ];
    expect(document.warning).toBe(`The stored document of ${site.url}/700 is gone.`);
    const scrape = await service.ask(`/v2/scrape/${document.metadata.scrapeId}`);
    expect([scrape.status, scrape.body.error]).toEqual([404, document.warning]);
  });

  it("returns a scrape with a warning that it was not stored", async () => {
    await blobs.stop();
    const { status, body } = await service.scrape({ url: `${site.url}/900`, maxAge: 0 });
    await blobs.start();
    expect(status).toBe(200);
    expect(body.data?.markdown).toContain("# 900");
    expect(body.data?.warning).toBe(
      "The result was not stored because the blob store failed: it is not cached and cannot be read again by its id.",
    );
    const after = await service.scrape({ url: `${site.url}/901`, maxAge: 0 });
    expect([after.status, after.body.data?.warning]).toEqual([200, undefined]);
  }, 60_000);
});
