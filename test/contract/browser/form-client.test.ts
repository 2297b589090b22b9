// Requests of n8n's node (@mendable/n8n-nodes-firecrawl 2.1.2): a body with every request, form
// groups beside the actual fields, null for empty lists.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

/** Like axios: a GET or DELETE with a body, which fetch does not send. */
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

const expectStarted = async (path: string, body: object): Promise<string> => {
  const { status, body: reply } = await send("POST", path, body);
  expect(reply).toMatchObject({ success: true });
  expect(status).toBe(200);
  return String(reply["id"]);
};

describe("n8n form client", () => {
  it("n8n scrapes with all its options", async () => {
    const { status, body } = await send("POST", "/scrape", {
      url: `${site.url}/article`,
      parsers: [{ type: "pdf" }],
      ...groups,
      formats: ["markdown"],
    });
    expect(body).toMatchObject({ success: true, data: { metadata: { statusCode: 200 } } });
    expect(status).toBe(200);
  });

  it("n8n crawls, also with formats beside the options", async () => {
    const plain = { url: `${site.url}/tiny`, limit: 1, maxConcurrency: 100, prompt: "" };
    await expectStarted("/crawl", { ...plain, includePaths: null, excludePaths: null });
    const id = await expectStarted("/crawl", {
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

  it("n8n extracts with formats beside the options", async () => {
    await expectStarted("/extract", {
      urls: [`${site.url}/article`],
      prompt: "the title",
      schema: { type: "object", properties: { title: { type: "string" } } },
      formats: [],
      scrapeOptions: groups,
    });
  });

  it("n8n previews a crawl with a GET that has a body", async () => {
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

  it("n8n reads and cancels jobs with an empty body", async () => {
    const id = await expectStarted("/batch/scrape", {
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

describe("crawl preview by GET", () => {
  const ask = (query: string) => service.ask(`/v2/crawl/params-preview${query}`);

  it("reads url and prompt of a preview from the query", async () => {
    const url = encodeURIComponent(`${site.url}/`);
    const { status, body } = await ask(`?url=${url}&prompt=at+most+3+pages`);
    expect([status, body.data]).toEqual([200, expect.objectContaining({ limit: 3 })]);
  });

  it("names missing fields of a preview", async () => {
    const { status, body } = await ask("");
    expect(status).toBe(400);
    expect(body.details?.map(({ path }) => path)).toEqual([["url"], ["prompt"]]);
  });

  it("rejects a preview body that is not JSON or too long", async () => {
    const path = "/crawl/params-preview";
    expect(await sendText("GET", path, "{")).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST_INVALID_JSON" },
    });
    const long = JSON.stringify({ prompt: "a".repeat(70_000) });
    expect((await sendText("GET", path, long)).status).toBe(413);
  });
});
