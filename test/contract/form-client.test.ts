// What n8n's node (@mendable/n8n-nodes-firecrawl 2.1.2) sends: a body with every request, groups of its form beside what
// they mean, null for lists that nobody filled in.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type Service } from "../service.ts";
import { startSite, type Site } from "../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const integration = "n8n";
const groups = {
  formats: { format: [{ type: "markdown" }] },
  includeTags: [],
  excludeTags: ["nav"],
  headers: { key: "x-a", value: "b" },
  onlyMainContent: true,
  waitFor: 0,
  mobile: false,
  skipTlsVerification: false,
  timeout: 30_000,
  actions: [],
  location: { settings: { country: "US", languages: {} }, country: "US", languages: [] },
  removeBase64Images: true,
  blockAds: true,
  storeInCache: true,
  proxy: "basic",
};

type Reply = { readonly status: number; readonly body: Record<string, unknown> };

/** As axios does it: a GET or DELETE with a body, which fetch refuses to send. */
function sendText(method: string, path: string, text: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const headers = {
    authorization: `Bearer ${service.key}`,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  };
  const sent = request(`${service.url}/v2${path}`, { method, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
      resolve({ status: answer.statusCode ?? 0, body });
    });
  });
  sent.on("error", reject);
  sent.end(text);
  return promise;
}

const send = (method: string, path: string, body: object): Promise<Reply> =>
  sendText(method, path, JSON.stringify({ integration, ...body }));

const started = async (path: string, body: object): Promise<string> => {
  const { status, body: reply } = await send("POST", path, body);
  expect(reply).toMatchObject({ success: true });
  expect(status).toBe(200);
  return String(reply["id"]);
};

describe("the form of n8n", () => {
  it("scrapes with all its options", async () => {
    const { status, body } = await send("POST", "/scrape", {
      url: `${site.url}/article`,
      parsers: [{ type: "pdf" }],
      ...groups,
      formats: ["markdown"],
    });
    expect(body).toMatchObject({ success: true, data: { metadata: { statusCode: 200 } } });
    expect(status).toBe(200);
  });

  it("crawls as it stands, and with the formats beside the options", async () => {
    const plain = { url: `${site.url}/tiny`, limit: 1, maxConcurrency: 100, prompt: "" };
    await started("/crawl", { ...plain, includePaths: null, excludePaths: null });
    const id = await started("/crawl", {
      ...plain,
      includePaths: [],
      excludePaths: [],
      ignoreSitemap: true,
      formats: ["rawHtml"],
      scrapeOptions: groups,
    });
    const keys: string[][] = [];
    for await (const page of service.client.crawlJob(id).documents())
      keys.push(Object.keys(page).toSorted());
    expect(keys).toEqual([["metadata", "rawHtml"]]);
  });

  it("extracts with them, too", async () => {
    await started("/extract", {
      urls: [`${site.url}/article`],
      prompt: "the title",
      schema: { type: "object", properties: { title: { type: "string" } } },
      formats: [],
      scrapeOptions: groups,
    });
  });

  it("asks for a preview of a crawl with a GET that has a body", async () => {
    const { status, body } = await send("GET", "/crawl/params-preview", {
      url: `${site.url}/`,
      prompt: "at most 7 pages",
    });
    expect([status, body["success"], body["data"]]).toEqual([
      200,
      true,
      expect.objectContaining({ limit: 7 }),
    ]);
  });

  it("reads and cancels with a body that says nothing", async () => {
    const id = await started("/batch/scrape", {
      urls: [`${site.url}/tiny`],
      ...groups,
      formats: ["html"],
    });
    for (const [method, path] of [
      ["GET", `/batch/scrape/${id}`],
      ["GET", `/batch/scrape/${id}/errors`],
      ["DELETE", `/batch/scrape/${id}`],
      ["GET", "/crawl/active"],
      ["GET", "/team/credit-usage"],
      ["GET", "/browser"],
    ] as const)
      expect([path, (await send(method, path, {})).status]).toEqual([path, 200]);
  });
});

describe("a preview by GET", () => {
  const ask = (query: string) => service.ask(`/v2/crawl/params-preview${query}`);

  it("takes url and prompt from the query", async () => {
    const url = encodeURIComponent(`${site.url}/`);
    const { status, body } = await ask(`?url=${url}&prompt=at+most+3+pages`);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ limit: 3 })]);
  });

  it("names what is missing", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(400);
    expect(body.details?.map(({ path }) => path)).toEqual([["url"], ["prompt"]]);
  });

  it("refuses a body that is no JSON, or too long", async () => {
    const path = "/crawl/params-preview";
    expect(await sendText("GET", path, "{")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST_INVALID_JSON" },
    });
    const long = JSON.stringify({ prompt: "a".repeat(70_000) });
    expect((await sendText("GET", path, long)).status).toBe(413);
  });
});
