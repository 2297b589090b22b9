import { afterEach, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import {
  buildDocument,
  buildJob,
  JOB_ID as ID,
  type Route,
  startJobServer,
} from "../test/job-server.ts";
import { QuarryClient, type QuarryClientOptions } from "./client.ts";
import { ConflictError, ConnectionError, NotFoundError, TimeoutError } from "./errors.ts";
import type { Job } from "./job.ts";
import type { Clock } from "./retry.ts";
import type { JobUpdate } from "./watch.ts";
import type { Document } from "./wire.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const namesOf = (documents: readonly Document[]): number[] =>
  documents.map(({ metadata }) => Number(String(metadata.sourceURL).split("/").at(-1)));

async function buildServer(...words: Parameters<typeof startJobServer>) {
  const server = await startJobServer(...words);
  closers.push(async () => server[Symbol.asyncDispose]());
  return server;
}

/** Skips waits and records them. */
function buildClock(): Clock & { waits: number[] } {
  const waits: number[] = [];
  return { waits, now: () => 0, sleep: (ms) => (waits.push(ms), Promise.resolve()) };
}

async function buildClient(route: Route, options: QuarryClientOptions = {}) {
  const server = await buildServer(route);
  const clock = buildClock();
  const client = new QuarryClient({
    apiUrl: server.url,
    fetch: (url, init) => fetch(url, init),
    clock,
    ...options,
  });
  return { ...server, client, clock };
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe("a start", () => {
  it("posts the parameters with the idempotency key and creates the job without another call", async () => {
    const { client, calls, bodies, idempotencyKeys } = await buildClient(() => ({
      success: true,
      id: ID,
      url: "http://elsewhere.test/v2/crawl/x",
    }));
    const job = await client.startCrawl(
      "https://example.com/",
      { limit: 5, includePaths: ["^/a"] },
      { idempotencyKey: "0199f0c0-0000-7000-8000-00000000abcd" },
    );
    expect(job.id).toBe(ID);
    expect(calls).toEqual(["POST /v2/crawl"]);
    expect(bodies[0]).toMatchObject({
      url: "https://example.com/",
      limit: 5,
      includePaths: ["^/a"],
      origin: expect.stringContaining("quarry-client"),
    });
    expect(idempotencyKeys).toEqual(["0199f0c0-0000-7000-8000-00000000abcd"]);
  });

  it("a batch start returns the URLs that were left out", async () => {
    const { client, bodies } = await buildClient(() => ({
      success: true,
      id: ID,
      url: "u",
      invalidURLs: ["nonsense"],
    }));
    const { job, invalidUrls } = await client.startBatch(["https://a.test/", "nonsense"]);
    expect([job.id, invalidUrls]).toEqual([ID, ["nonsense"]]);
    expect(bodies[0]).toMatchObject({ urls: ["https://a.test/", "nonsense"] });
  });

  it("map posts its parameters and returns the links", async () => {
    const links = [{ url: "https://a.test/x", title: "X" }];
    const { client, bodies } = await buildClient(() => ({ success: true, id: ID, links }));
    expect((await client.map("https://a.test/", { search: "x", limit: 3 })).links).toEqual(links);
    expect(bodies[0]).toMatchObject({ url: "https://a.test/", search: "x", limit: 3 });
  });

  it("a repeated idempotency key is a ConflictError", async () => {
    const { client } = await buildClient((_url, response) => {
      response.writeHead(409, { "content-type": "application/json" });
      response.end('{"success":false,"error":"known"}');
    });
    await expect(client.startCrawl("https://a.test/")).rejects.toThrow(ConflictError);
  });
});

describe("reading", () => {
  const statusOf =
    (job: ReturnType<typeof buildJob>): Route =>
    (url) =>
      job.statusOf(url);

  it("reads documents of a running job once each in order", async () => {
    const fake = buildJob(5);
    const { client } = await buildClient(statusOf(fake));
    const documents = await collect(client.crawlJob(ID).documents());
    expect(namesOf(documents)).toEqual([0, 1, 2, 3, 4]);
    const skips = fake.reads.map((search) => Number(new URLSearchParams(search).get("skip")));
    expect(skips).toEqual(skips.toSorted((a, b) => a - b));
    expect(new Set(skips.slice(1, -2)).size).toBe(skips.slice(1, -2).length);
  });

  it("pauses after an empty page of a server that does not hold reads", async () => {
    const fake = buildJob(2);
    fake.grows = false;
    let reads = 0;
    const { client, clock } = await buildClient((url) => {
      reads += 1;
      if (reads > 3) fake.grows = true;
      return fake.statusOf(url);
    });
    expect(namesOf(await collect(client.crawlJob(ID).documents()))).toEqual([0, 1]);
    expect(clock.waits.length).toBeGreaterThanOrEqual(3);
    expect(clock.waits.every((ms) => ms === 1_000)).toBe(true);
  });

  it("documents with follow false stops at the current end and respects skip and page size", async () => {
    const fake = buildJob(9, 5);
    fake.grows = false;
    const { client } = await buildClient(statusOf(fake));
    const options = { follow: false, skip: 1, pageSize: 2 };
    expect(namesOf(await collect(client.crawlJob(ID).documents(options)))).toEqual([1, 2, 3, 4]);
    expect(fake.reads).toEqual(["?skip=1&limit=2", "?skip=3&limit=2", "?skip=5&limit=2"]);
  });

  it("crawl waits for the end and returns all documents and the final state", async () => {
    const fake = buildJob(3);
    const { client } = await buildClient((url) =>
      url.pathname === "/v2/crawl" ? { success: true, id: ID, url: "u" } : fake.statusOf(url),
    );
    const finished = await client.crawl("https://a.test/");
    expect(namesOf(finished.documents)).toEqual([0, 1, 2]);
    expect(finished.status).toBe("completed");
    expect(finished).not.toHaveProperty("data");
    expect(finished).not.toHaveProperty("next");
  });

  it("wait reads no results and ends with the job", async () => {
    const fake = buildJob(3);
    const { client, clock } = await buildClient(statusOf(fake));
    const { status, completed } = await client.batchJob(ID).wait();
    expect([status, completed]).toEqual(["completed", 3]);
    expect(fake.reads.every((search) => search.includes("limit=1"))).toBe(true);
    expect(clock.waits.length).toBe(fake.reads.length - 1);
  });

  it("an abort ends the wait with its reason", async () => {
    const controller = new AbortController();
    const { client } = await buildClient(statusOf(buildJob(1_000_000)), {
      clock: {
        now: () => 0,
        sleep: async (_ms, signal) => {
          controller.abort(new Error("enough"));
          signal.throwIfAborted();
        },
      },
    });
    await expect(client.crawlJob(ID).wait({ signal: controller.signal })).rejects.toThrow("enough");
  });

  it("ledgerEntries follows the pages; cancel, errors and activeCrawls call the documented routes", async () => {
    const entry = (url: string) => ({ url, fate: "fetched", depth: 0 });
    const { client, calls } = await buildClient((url) => {
      if (url.pathname.endsWith("/ledger")) {
        const isFirst = url.searchParams.get("skip") === "0";
        const entries = isFirst ? [entry("a"), entry("b")] : [entry("c")];
        return {
          success: true,
          total: 3,
          sums: { fetched: 3 },
          entries,
          ...(isFirst && { next: "n" }),
        };
      }
      return { success: true, status: "cancelled", errors: [], robotsBlocked: [], crawls: [] };
    });
    const job = client.batchJob(ID);
    const entries = await collect(job.ledgerEntries({ fate: "fetched" }));
    expect(entries.map(({ url }) => url)).toEqual(["a", "b", "c"]);
    await job.cancel();
    expect(await job.errors()).toMatchObject({ errors: [], robotsBlocked: [] });
    expect(await client.activeCrawls()).toEqual([]);
    expect(calls).toEqual([
      `GET /v2/batch/scrape/${ID}/ledger?fate=fetched&skip=0`,
      `GET /v2/batch/scrape/${ID}/ledger?fate=fetched&skip=2`,
      `DELETE /v2/batch/scrape/${ID}`,
      `GET /v2/batch/scrape/${ID}/errors`,
      "GET /v2/crawl/active",
    ]);
  });
});

describe("streams", () => {
  it("export yields documents whose lines arrive in chunks, split inside characters", async () => {
    const lines = [0, 1, 2].map((number) => ({ ...buildDocument(number), markdown: "Größe €" }));
    const bytes = Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n"));
    const { client, calls } = await buildClient((_url, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    });
    expect(await collect(client.crawlJob(ID).export())).toEqual(lines);
    expect(calls).toEqual([`GET /v2/crawl/${ID}/export`]);
  });

  it("archive passes bytes on as they are", async () => {
    const bytes = Buffer.from([0x50, 0x4b, 0xff, 0xfe, 0x00, 0x80]);
    const { client, calls } = await buildClient((_url, response) => {
      response.writeHead(200, { "content-type": "application/zip" });
      response.end(bytes);
    });
    expect(Buffer.concat(await collect(client.crawlJob(ID).archive()))).toEqual(bytes);
    expect(calls).toEqual([`GET /v2/crawl/${ID}/export?format=zip`]);
  });

  it("ledgerText passes the file on as it arrives", async () => {
    const { client, calls } = await buildClient((_url, response) => {
      response.end("url,fate\r\nhttp://a.test/,fetched\r\n");
    });
    const parts = await collect(client.crawlJob(ID).ledgerText("csv", { fate: "fetched" }));
    expect(parts.join("")).toBe("url,fate\r\nhttp://a.test/,fetched\r\n");
    expect(calls).toEqual([`GET /v2/crawl/${ID}/ledger?fate=fetched&format=csv`]);
  });

  it("throws matching errors for an unknown job, a dropped connection and a silent server", async () => {
    const unknown = await buildClient(() => ({
      success: false,
      error: "Job not found",
      status: 404,
    }));
    await expect(collect(unknown.client.crawlJob(ID).export())).rejects.toThrow(NotFoundError);
    const cut = await buildClient((_url, response) => {
      response.write(`${JSON.stringify(buildDocument(0))}\n`, () => response.destroy());
    });
    await expect(collect(cut.client.crawlJob(ID).export())).rejects.toThrow(ConnectionError);
    const silent = await buildClient(() => undefined);
    const waiting = collect(silent.client.crawlJob(ID).export({ timeoutMs: 20 }));
    await expect(waiting).rejects.toThrow(TimeoutError);
  });

  it("ends the call when the caller leaves the loop", async () => {
    const closed = Promise.withResolvers<void>();
    const { client } = await buildClient((_url, response) => {
      response.on("close", () => closed.resolve());
      response.write(`${JSON.stringify(buildDocument(0))}\n`);
    });
    for await (const document of client.crawlJob(ID).export()) {
      expect(document.markdown).toBe("# Page 0");
      break;
    }
    await closed.promise;
  });
});

describe("watch", () => {
  const split = (updates: readonly JobUpdate[]) => ({
    numbers: namesOf(
      updates.flatMap((update) => (update.type === "document" ? update.document : [])),
    ),
    states: updates.flatMap((update) => (update.type === "status" ? update.status.status : [])),
  });
  const watchWith = async (
    watch: (socket: WebSocket) => void,
    fake: ReturnType<typeof buildJob>,
  ): Promise<{ job: Job; protocols: string[]; calls: string[] }> => {
    const server = await buildServer((url) => fake.statusOf(url), watch);
    const client = new QuarryClient({ apiUrl: server.url, apiKey: "qy-key" });
    return { job: client.crawlJob(ID), protocols: server.protocols, calls: server.calls };
  };
  const send = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));
  const catchup = (numbers: readonly number[]) => ({
    type: "catchup",
    data: { success: true, status: "scraping", total: 4, data: numbers.map(buildDocument) },
  });

  it("watches over a WebSocket with the key as subprotocol, each document once, the final state last", async () => {
    const fake = buildJob(4, 4);
    fake.status = "completed";
    const { job, protocols, calls } = await watchWith((socket) => {
      send(socket, catchup([0, 1]));
      send(socket, { type: "document", data: buildDocument(2) });
      send(socket, { type: "document", data: buildDocument(3) });
      send(socket, { type: "done", data: { status: "completed", data: [] } });
    }, fake);
    const { numbers, states } = split(await collect(job.watch()));
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(states).toEqual(["scraping", "completed"]);
    expect(protocols).toEqual(["qy-key"]);
    expect(calls).toEqual([`GET /v2/crawl/${ID}?skip=4`]);
  });

  it.each([
    ["is cut in the middle", (socket: WebSocket) => socket.terminate()],
    ["closes without a word", (socket: WebSocket) => socket.close(1001)],
    ["sends something that is no JSON", (socket: WebSocket) => socket.send("<html>")],
  ])("continues by paging where the connection %s", async (_name, end) => {
    const fake = buildJob(4, 3);
    const { job } = await watchWith((socket) => {
      send(socket, catchup([0]));
      socket.send(JSON.stringify({ type: "document", data: buildDocument(1) }), () => end(socket));
    }, fake);
    const { numbers, states } = split(await collect(job.watch()));
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(states.at(-1)).toBe("completed");
  });

  it("pages when the upgrade is rejected, WebSockets are missing, or not wanted", async () => {
    const refused = await buildServer((url) => buildJob(2, 2).statusOf(url));
    const first = new QuarryClient({ apiUrl: refused.url });
    const fake = buildJob(2, 2);
    const none = await buildClient((url) => fake.statusOf(url));
    const iterator = first.crawlJob(ID).watch()[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ type: "document" });
    await iterator.return(undefined);
    expect(split(await collect(none.client.crawlJob(ID).watch())).numbers).toEqual([0, 1]);
    const unwanted = await watchWith(() => expect.unreachable(), buildJob(1, 1));
    const updates = await collect(unwanted.job.watch({ useSocket: false }));
    expect(split(updates)).toEqual({ numbers: [0], states: ["scraping", "completed"] });
  });

  it("an abort ends the watch with its reason and closes the socket", async () => {
    const closed = Promise.withResolvers<void>();
    const { job } = await watchWith((socket) => {
      socket.on("close", () => closed.resolve());
      send(socket, catchup([0]));
    }, buildJob(4));
    const controller = new AbortController();
    const watching = (async () => {
      for await (const update of job.watch({ signal: controller.signal }))
        if (update.type === "document") controller.abort(new Error("seen enough"));
    })();
    await expect(watching).rejects.toThrow("seen enough");
    await closed.promise;
  });
});
