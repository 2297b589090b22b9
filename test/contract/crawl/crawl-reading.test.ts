// Starting and reading crawls over HTTP, through the client.
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FinishedJob } from "../../../client/client.ts";
import { ConflictError, NotFoundError } from "../../../client/errors.ts";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeCrawls, openCrawls, base, service, page, serve, crawl } from "../../crawls.ts";
import { isRemote } from "../../service.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

/** The fields of each row by RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g,
  )) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The files of an archive by name, from its directory. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.length - 22;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString("utf8", at + 46, at + 46 + nameBytes);
    const from = zip.readUInt32LE(at + 42) + 30 + nameBytes;
    const packed = zip.subarray(from, from + zip.readUInt32LE(at + 20));
    expect(files.has(name), name).toBe(false);
    files.set(name, inflateRawSync(packed).toString("utf8"));
    at += 46 + nameBytes;
  }
  return files;
}

describe.skipIf(isRemote)("reading a crawl", () => {
  let done: FinishedJob;
  beforeAll(async () => {
    const links = Array.from({ length: 9 }, (_, at) => `p${at}`);
    const start = serve({
      "/": page("start", links),
      ...Object.fromEntries(links.map((path) => [`/${path}`, page(path)])),
    });
    done = await crawl(`${start}/`);
  });

  it("pages results with skip and limit on the caller's host until the end", async () => {
    const headers = { "x-forwarded-proto": "https", "x-forwarded-host": "api.example:8443" };
    const urls: unknown[] = [];
    let path = `/v2/crawl/${done.id}?limit=4`;
    let hops = 0;
    for (;;) {
      const { body } = await service.ask(path, { headers });
      hops += 1;
      urls.push(
        ...(body.data as unknown as { metadata: { url: string } }[]).map((d) => d.metadata.url),
      );
      const next = body["next"] as string | undefined;
      if (next === undefined) break;
      expect(next).toMatch(/^https:\/\/api\.example:8443\/v2\/crawl\//);
      path = next.replace("https://api.example:8443", "");
    }
    expect(hops).toBe(3);
    expect(new Set(urls).size).toBe(10);
    const past = await service.ask(`/v2/crawl/${done.id}?skip=50`);
    expect(past.body).toMatchObject({ success: true, data: [] });
    expect(past.body["next"]).toBeUndefined();
  });

  it.each(["skip=x", "limit=0", "limit=1001", "limit=1.5"])("rejects %s", async (query) => {
    const { status, body } = await service.ask(`/v2/crawl/${done.id}?${query}`);
    expect(status).toBe(400);
    expect(body.error).toMatch(/^Invalid pagination/);
  });

  it("answers 404 for unknown jobs and those of other accounts, 400 for a malformed id", async () => {
    const unknown = "0199f0c0-0000-7000-8000-000000000000";
    for (const path of ["", "/errors", "/ledger", "/export"])
      expect((await service.ask(`/v2/crawl/${unknown}${path}`)).status, path).toBe(404);
    expect((await service.ask(`/v2/batch/scrape/${done.id}`)).status).toBe(404);
    await expect(service.client.crawlJob(unknown).cancel()).rejects.toThrow(NotFoundError);
    const { status, body } = await service.ask("/v2/crawl/abc");
    expect([status, body.error]).toEqual([
      400,
      "Invalid job ID format. Job ID must be a valid UUID.",
    ]);
  });

  it("DELETE of an ended crawl returns its state instead of cancelled", async () => {
    const { status, body } = await service.ask(`/v2/crawl/${done.id}`, { method: "DELETE" });
    expect([status, body["status"]]).toEqual([200, "completed"]);
    expect(body["warning"]).toContain("completed");
    expect((await service.client.crawlJob(String(done.id)).status()).status).toBe("completed");
  });

  it("streams the ledger as CSV and NDJSON, and all documents", async () => {
    const csv = await service.ask(`/v2/crawl/${done.id}/ledger?format=csv`);
    expect(csv.headers.get("content-type")).toContain("text/csv");
    expect(csv.text.trim().split("\r\n")).toHaveLength(11);
    expect(csv.text).toMatch(/^url,fate,reason,parent,depth,verdict\r\n/);
    const lines = await service.ask(`/v2/crawl/${done.id}/ledger?format=ndjson&fate=fetched`);
    expect(
      lines.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).fate),
    ).toEqual(Array(10).fill("fetched"));
    const all = await service.ask(`/v2/crawl/${done.id}/export`);
    expect(
      all.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).markdown),
    ).toHaveLength(10);
  });

  it("exports the range of results given by skip and limit", async () => {
    const read = async (query: string): Promise<string[]> => {
      const { text } = await service.ask(`/v2/crawl/${done.id}/export${query}`);
      return text.split("\n").slice(0, -1);
    };
    const all = await read("");
    expect(await read("?skip=3&limit=4")).toEqual(all.slice(3, 7));
    expect(await read("?skip=8")).toEqual(all.slice(8));
    expect(await read("?limit=1")).toEqual(all.slice(0, 1));
    expect(await read("?skip=10")).toEqual([]);
    const { status, body } = await service.ask(`/v2/crawl/${done.id}/export?limit=0`);
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^Invalid pagination/)]);
  });

  it("exports results as CSV with commas, quotes and line breaks escaped", async () => {
    const start = serve({
      "/": page('One, "two"', ["list", "gone"]),
      "/list": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end("<title>=1+1</title><main><ul><li>An item that opens the page.</ul></main>");
      },
    });
    const { id } = await crawl(`${start}/`);
    const { headers, text } = await service.ask(`/v2/crawl/${id}/export?format=csv`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const rows = parseCsv(text);
    const lines = (await service.ask(`/v2/crawl/${id}/export?format=ndjson`)).text.trimEnd();
    const documents = lines.split("\n").map((line) => JSON.parse(line) as Document);
    expect(documents).toHaveLength(3);
    const guarded = (value = ""): string => (/^[=+@-]/.test(value) ? `'${value}` : value);
    expect(rows).toEqual([
      ["url", "title", "statusCode", "markdown", "verdict"],
      ...documents.map(({ metadata: { sourceURL, title, statusCode, verdict }, markdown }) =>
        [sourceURL, title, String(statusCode), markdown, verdict].map(guarded),
      ),
    ]);
    expect(rows.find(([url]) => url === `${start}/list`)?.[1]).toBe("'=1+1");
    const part = await service.ask(`/v2/crawl/${id}/export?format=csv&skip=1&limit=1`);
    expect(parseCsv(part.text)).toEqual([rows[0], rows[2]]);
  });

  it("exports pages as an archive whose names stay inside of the folder it is unpacked to", async () => {
    const names = [
      "..%2f..%2fetc%2fpasswd",
      "%5c..%5cwin",
      "aux.html",
      "Blue",
      "blue",
      "%00nul",
      ".env",
    ];
    const start = serve({
      "/": page('Start: "quoted"\n---', names),
      ...Object.fromEntries(names.map((name) => [`/${name}`, page(`Page ${name}`)])),
    });
    const { id } = await crawl(`${start}/`);
    const parts: Uint8Array[] = [];
    for await (const part of service.client.crawlJob(String(id)).archive()) parts.push(part);
    const files = unzip(Buffer.concat(parts));
    const { host, pathname } = new URL(start);
    const folder = `${host.replace(":", "_")}${pathname}`;
    const paths = [...files.keys()].map((name) => name.replace(/~[0-9a-f]{12}/, "~"));
    expect(new Set(paths)).toEqual(
      new Set(
        [
          "index.md",
          "_._.._etc_passwd.md",
          "_.._win.md",
          "_aux.md",
          "_nul.md",
          "_env.md",
          ...(files.has(`${folder}/Blue.md`) ? ["Blue.md", "blue~.md"] : ["blue.md", "Blue~.md"]),
        ].map((name) => `${folder}/${name}`),
      ),
    );
    const first = files.get(`${folder}/index.md`) ?? "";
    expect(first.split("\n").slice(0, 4)).toEqual([
      "---",
      `url: "${start}/"`,
      expect.stringMatching(/^title: "Start: \\"quoted\\"/),
      "status: 200",
    ]);
    const limited = await service.ask(`/v2/crawl/${id}/export?format=zip&skip=7`);
    expect(limited.headers.get("content-type")).toBe("application/zip");
  });

  it.each([
    ["export", "xml", ["ndjson", "csv", "zip"]],
    ["export", "json", ["ndjson", "csv", "zip"]],
    ["export", "", ["ndjson", "csv", "zip"]],
    ["ledger", "xml", ["json", "csv", "ndjson"]],
  ])("rejects %s?format=%s and lists the formats", async (route, format, formats) => {
    const { status, body } = await service.ask(`/v2/crawl/${done.id}/${route}?format=${format}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, details: [{ path: ["format"] }] });
    for (const known of formats) expect(body.details?.[0]?.message).toContain(known);
  });

  it("lists a running crawl as active, holds a read at its end, and cancels it", async () => {
    let release = (): void => undefined;
    const start = serve({
      "/": page("start", ["slow"]),
      "/slow": (request, response) => {
        release = () => page("slow")(request, response);
      },
    });
    const job = await service.client.startCrawl(`${start}/`, { sitemap: "skip" });
    for await (const document of job.documents()) {
      expect(document.metadata.title).toBe("start");
      break;
    }
    const active = await service.client.activeCrawls();
    expect(active.map(({ id, url }) => [id, url])).toContainEqual([job.id, `${start}/`]);
    const before = performance.now();
    const held = await job.status({ skip: 1 });
    expect(performance.now() - before).toBeGreaterThan(900);
    expect(held).toMatchObject({ status: "scraping", completed: 1, total: 2, data: [] });
    expect(held.next).toContain("skip=1");
    await job.cancel();
    await job.cancel();
    release();
    const after = await job.status();
    expect(after).toMatchObject({ status: "cancelled", completed: 1, total: 1 });
    expect(after.next ?? undefined).toBeUndefined();
    expect((await service.client.activeCrawls()).map(({ id }) => id)).not.toContain(job.id);
    expect((await job.ledger()).sums).toEqual({ fetched: 1, cancelled: 1 });
  });
});

describe.skipIf(isRemote)("starting a crawl", () => {
  it("rejects non-linear patterns and unknown fields", async () => {
    const start = async (body: object) => service.ask("/v2/crawl", { method: "POST", body });
    const lookAround = await start({ url: base, includePaths: ["(?=a)b"] });
    expect(lookAround.status).toBe(400);
    expect(lookAround.body.error).toContain("look-ahead");
    expect((await start({ url: base, includePath: [] })).status).toBe(400);
    expect((await start({ url: base, limit: 0 })).status).toBe(400);
  });

  it("accepts an idempotency key of a crawl once", async () => {
    const start = serve({ "/": page("start") });
    const options = { idempotencyKey: "0199f0c0-0000-7000-8000-00000000000a" };
    const first = await service.client.startCrawl(`${start}/`, {}, options);
    await expect(service.client.startCrawl(`${start}/`, {}, options)).rejects.toThrow(
      ConflictError,
    );
    expect((await first.wait()).status).toBe("completed");
    await expect(
      service.client.startCrawl(`${start}/`, {}, { idempotencyKey: "abc" }),
    ).rejects.toThrow(/UUID/);
  });

  it("holds the cost at the start, clamps to the budget, and settles at the end", async () => {
    const links = Array.from({ length: 8 }, (_, at) => `p${at}`);
    const start = serve({
      "/": page("start", links),
      ...Object.fromEntries(links.map((path) => [`/${path}`, page(path)])),
    });
    const { key } = await service.createKey({ creditBudget: 5 });
    const ask = (path: string, body?: object) =>
      service.ask(path, { key, ...(body === undefined ? {} : { method: "POST", body }) });
    const { body } = await ask("/v2/crawl", { url: `${start}/`, sitemap: "skip" });
    expect(body["warning"]).toContain("5 pages");
    let status = await ask(`/v2/crawl/${String(body["id"])}?skip=100`);
    while (status.body["status"] === "scraping")
      status = await ask(`/v2/crawl/${String(body["id"])}?skip=100`);
    expect(status.body).toMatchObject({ status: "completed", completed: 5, creditsUsed: 5 });
    const second = await ask("/v2/crawl", { url: `${start}/` });
    expect(second.status).toBe(402);
  });
});
