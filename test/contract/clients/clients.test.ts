// The published JavaScript client, unchanged, and our own: both scrape the fixture site through the
// real service.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import {
  BadRequestError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  QuarryApiError,
  TimeoutError,
  UnauthorizedError,
} from "../../../client/errors.ts";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let published: Firecrawl;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
  published = new Firecrawl({ apiKey: service.key || "none", apiUrl: service.url });
});
afterAll(async () => {
  await service.close();
  await site.close();
});

describe("published client", () => {
  it("the published client scrapes to Markdown by default", async () => {
    const document = await published.scrape(`${site.url}/article`);
    expect(document.markdown).toContain("# Fenwick gets a wall that tires the sea");
    expect(document.metadata).toMatchObject({
      sourceURL: `${site.url}/article`,
      statusCode: 200,
      language: "en",
      proxyUsed: "basic",
      creditsUsed: 1,
    });
    expect(document.metadata?.scrapeId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("the published client scrapes to every format with every option of plain HTTP", async () => {
    const document = await published.scrape(`${site.url}/pictures`, {
      formats: [
        "markdown",
        "html",
        "rawHtml",
        "links",
        "images",
        { type: "attributes", selectors: [{ selector: "img", attribute: "alt" }] },
      ],
      onlyMainContent: false,
      excludeTags: ["footer"],
      headers: { "x-berth": "4" },
      timeout: 10_000,
      location: { country: "US", languages: ["en"] },
      skipTlsVerification: false,
      removeBase64Images: true,
      blockAds: true,
      proxy: "basic",
      maxAge: 0,
      storeInCache: false,
      parsers: ["pdf"],
      integration: "contract-test",
    });
    expect(document.markdown).toContain("# Pictures of the repair");
    expect(document.html).toContain(`${site.url}/images/large.jpg`);
    expect(document.rawHtml).toContain("data-srcset");
    expect(document.links).toContain(`${site.url}/list`);
    expect(document.images).toContain(`${site.url}/images/poster.jpg`);
    expect(document.attributes?.[0]?.values).toContain("Barge at dawn");
    expect(site.requests.at(-1)?.headers["x-berth"]).toBe("4");
  });

  it("the published client returns a 404 page as data", async () => {
    const { metadata, markdown } = await published.scrape(`${site.url}/status/404`);
    expect(metadata?.statusCode).toBe(404);
    expect(metadata?.error).toContain("404");
    expect(markdown).toContain("Page not found");
  });

  it("the published client throws with status, code and text", async () => {
    const failure = async (run: () => Promise<unknown>): Promise<Record<string, unknown>> => {
      try {
        return { answered: await run() };
      } catch (error) {
        const { status, code, message, details } = error as Record<string, unknown>;
        return { status, code, message, details };
      }
    };
    expect(await failure(() => published.scrape("http://10.0.0.1/"))).toMatchObject({
      status: 403,
      code: "UNSUPPORTED_SITE",
    });
    expect(
      await failure(() => published.scrape(`${site.url}/slow/never`, { timeout: 1_000 })),
    ).toMatchObject({ status: 408, code: "SCRAPE_TIMEOUT" });
    expect(
      await failure(() => published.scrape(`${site.url}/tiny?unseen`, { minAge: 1 })),
    ).toMatchObject({ status: 404, code: "SCRAPE_NO_CACHED_DATA" });
    expect(
      await failure(() => published.scrape(`${site.url}/tiny`, { colour: "blue" } as never)),
    ).toMatchObject({
      status: 400,
      message: expect.stringContaining("Unrecognized key in body") as string,
    });
    expect(
      await failure(() => published.scrape(`${site.url}/tiny`, { formats: ["video"] })),
    ).toMatchObject({
      status: 501,
      code: "NOT_IMPLEMENTED",
    });
    expect(await published.listMonitors()).toEqual([]);
    expect(await failure(() => published.scrape("http://nowhere.invalid/"))).toMatchObject({
      message: expect.stringContaining("nowhere.invalid") as string,
    });
    const stranger = new Firecrawl({ apiKey: "fc-unknown", apiUrl: service.url });
    expect(await failure(() => stranger.getCreditUsage())).toMatchObject({ status: 401 });
  });

  it("the published client reads usage, queue and concurrency", async () => {
    const credits = await published.getCreditUsage();
    expect(credits.remainingCredits).toBeGreaterThan(0);
    expect(await published.getTokenUsage()).toMatchObject({
      remainingTokens: expect.any(Number) as number,
    });
    expect(await published.getConcurrency()).toMatchObject({
      concurrency: 0,
      maxConcurrency: expect.any(Number) as number,
    });
    expect(await published.getQueueStatus()).toMatchObject({ jobsInQueue: 0 });
    const history = await published.getCreditUsageHistorical();
    expect(history.periods.at(-1)?.creditsUsed).toBeGreaterThan(0);
    const byKey = await published.getTokenUsageHistorical(true);
    expect(byKey.periods.at(-1)?.apiKey).toBeTypeOf("string");
  });
});

describe("our client", () => {
  it("our client scrapes and reads the result again by its id", async () => {
    const document = await service.client.scrape(`${site.url}/documentation`, {
      formats: [
        "markdown",
        { type: "attributes", selectors: [{ selector: "h2", attribute: "id" }] },
      ],
    });
    expect(document.attributes?.[0]?.values).toEqual(["install", "commands", "theory"]);
    const again = await service.client.scrapeResult(String(document.metadata.scrapeId));
    expect(again).toEqual(document);
  });

  it("our client throws the matching error class", async () => {
    const { client } = service;
    await expect(client.scrape("not a url at all")).rejects.toBeInstanceOf(BadRequestError);
    await expect(client.scrape("http://10.0.0.1/")).rejects.toBeInstanceOf(ForbiddenError);
    await expect(client.scrape(`${site.url}/tiny?none`, { minAge: 1 })).rejects.toBeInstanceOf(
      NotFoundError,
    );
    await expect(
      client.scrape(`${site.url}/slow/never`, { timeout: 1_000 }),
    ).rejects.toBeInstanceOf(TimeoutError);
    await expect(client.scrape(`${site.url}/tiny`, { formats: ["video"] })).rejects.toBeInstanceOf(
      NotImplementedError,
    );
    const stranger = new QuarryClient({ apiUrl: service.url, apiKey: "qy-unknown" });
    await expect(stranger.creditUsage()).rejects.toBeInstanceOf(UnauthorizedError);
    const unresolved = await client
      .scrape("http://nowhere.invalid/")
      .catch((error: unknown) => error);
    expect(unresolved).toBeInstanceOf(QuarryApiError);
    expect(unresolved).toMatchObject({
      status: 200,
      retryable: false,
      requestId: expect.any(String) as string,
    });
  });

  it("our client reads health, metrics and capabilities", async () => {
    expect(await service.client.health()).toEqual({ status: "ok" });
    expect(await service.client.metrics()).toMatch(/^quarry_http_requests_total\{.*\} \d+$/m);
    const { capabilities, version } = await service.client.capabilities();
    expect(version).toMatch(/^\d+\.\d+/);
    expect(capabilities.scrape).toEqual({ available: true });
    expect(capabilities.crawl).toEqual({ available: true });
    expect(capabilities.monitor).toEqual({ available: true });
  });

  it("our client disconnects at once when its caller aborts", async () => {
    const controller = new AbortController();
    const path = "/slow/never?key=client";
    const call = service.client.scrape(site.url + path, {}, { signal: controller.signal });
    await expect.poll(() => site.requests.some(({ url }) => url === path)).toBe(true);
    controller.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  });
});
