// POST /v1/scrape and /v1/team through the frozen client and over plain HTTP.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LEGACY_ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import { shareService, type Answer, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let client: Firecrawl["v1"];
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
  client = new Firecrawl({ apiKey: service.key, apiUrl: service.url }).v1;
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const scrape = (body: object): Promise<Answer> =>
  service.ask("/v1/scrape", { method: "POST", body: { url: `${site.url}/tiny`, ...body } });

describe("frozen /v1 client", () => {
  it("the /v1 client scrapes a page", async () => {
    const page = await client.scrapeUrl(`${site.url}/tiny`, {
      formats: ["markdown", "html", "rawHtml", "links"],
      onlyMainContent: false,
      timeout: 20_000,
    });
    if (!page.success) throw new Error(page.error);
    expect(page.markdown).toBeTruthy();
    expect(page.rawHtml).toContain("<html");
    expect(page.html).toBeTruthy();
    expect(page.links).toBeInstanceOf(Array);
    expect(page.metadata).toMatchObject({ sourceURL: `${site.url}/tiny`, statusCode: 200 });
  });

  it("the /v1 client gets the reason of an invalid request", async () => {
    await expect(
      client.scrapeUrl(`${site.url}/tiny`, { waitFor: 20_000, timeout: 10_000 }),
    ).rejects.toThrow("waitFor must not exceed half of timeout");
  });

  it("the /v1 client reads usage by the old names", async () => {
    const usage = await client.getCreditUsage();
    expect(usage).toMatchObject({
      success: true,
      data: { remaining_credits: expect.any(Number), plan_credits: expect.any(Number) },
    });
    const tokens = await client.getTokenUsage();
    expect(tokens).toMatchObject({ data: { remaining_tokens: expect.any(Number) } });
    expect(await client.getQueueStatus()).toMatchObject({ success: true });
    expect(await client.getCreditUsageHistorical()).toMatchObject({ periods: expect.any(Array) });
  });
});

describe("POST /v1/scrape", () => {
  it("POST /v1/scrape uses the /v1 defaults: no cache and a basic proxy", async () => {
    for (const body of [{}, {}]) {
      const { body: answer } = await scrape(body);
      expect(answer.data?.metadata).toMatchObject({ proxyUsed: "basic" });
      expect(answer.data?.metadata.cacheState).not.toBe("hit");
    }
    await scrape({ maxAge: 3_600_000 });
    const { body: again } = await scrape({ maxAge: 3_600_000 });
    expect(again.data?.metadata.cacheState).toBe("hit");
  });

  it("marks every /v1 response as deprecated and names the replacement", async () => {
    for (const { headers } of [await scrape({}), await scrape({ formats: "none" })]) {
      expect(headers.get("deprecation")).toBe("true");
      expect(headers.get("link")).toBe('</v2/scrape>; rel="successor-version"');
      expect(headers.get("warning")).toContain("/v2/scrape");
    }
    const { headers } = await service.scrape({ url: `${site.url}/tiny` });
    expect(headers.get("deprecation")).toBeNull();
  });

  it.each([
    ["an unknown key", { onlyClean: true }, "Unrecognized key in body -- please review the v1 API"],
    ["a format without its options", { formats: ["json"] }, "jsonOptions is needed"],
    ["options without their format", { extract: { prompt: "p" } }, "extract is needed"],
    ["an object as format", { formats: [{ type: "markdown" }] }, "Bad Request"],
    ["a page that is not one", { url: "nowhere" }, "URL must have a host"],
  ])("POST /v1/scrape answers 400 for %s", async (_, body, text) => {
    const answer = await scrape(body);
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.error).toContain(text);
  });

  it.each([["the browser agent", { agent: { model: "FIRE-1" } }]])(
    "POST /v1/scrape answers 501 instead of an unknown key for %s",
    async (_, body) => {
      const answer = await scrape(body);
      expect(answer.status, answer.text).toBe(501);
      expect(answer.body.code).toBe("NOT_IMPLEMENTED");
    },
  );

  it.each([
    ["json", { formats: ["json"], jsonOptions: { prompt: "the url", systemPrompt: "s" } }],
    ["extract", { formats: ["extract"], extract: { prompt: "the url" } }],
  ])("POST /v1/scrape returns data under the requested name: %s", async (name, body) => {
    const answer = await scrape(body);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.data?.[name]).toMatchObject({ url: expect.any(String) as string });
  });

  it("POST /v1/scrape stores the document, readable under /v1 and /v2", async () => {
    const { body } = await scrape({});
    const id = String(body.data?.metadata.scrapeId);
    for (const version of ["v1", "v2"])
      expect((await service.ask(`/${version}/scrape/${id}`)).body.data).toEqual(body.data);
  });

  it("POST /v1/scrape is listed in the activity as a /v1 call", async () => {
    const { body } = await scrape({});
    const id = body.data?.metadata.scrapeId;
    const { body: activity } = await service.ask("/v2/team/activity?limit=1");
    expect(activity.data).toMatchObject([{ id, api_version: "v1" }]);
  });
});

describe("remaining /v1 routes", () => {
  it("other /v1 routes answer 501 and name the replacement", async () => {
    for (const { method, path, replacement } of LEGACY_ENDPOINTS) {
      const target = path.replace(":id", "0199f0c0-0000-7000-8000-000000000000");
      const { status, headers } = await service.ask(target, { method });
      expect(status, path).toBe(501);
      expect(headers.get("deprecation")).toBe("true");
      expect(headers.get("link") ?? "").toContain(replacement?.split("/{")[0] ?? "");
    }
  });
});
