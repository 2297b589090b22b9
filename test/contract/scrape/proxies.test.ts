// proxy basic, enhanced and auto with upstream proxies: which proxy is used, retries, and cost.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { QuarryClient } from "../../../client/client.ts";
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Document } from "../../../client/wire.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";
import { PROXY_PASSWORD, startUpstreamProxy, type UpstreamProxy } from "../../upstream-proxy.ts";

let site: Site;
let service: Service;
let basic: UpstreamProxy;
let enhanced: UpstreamProxy;
let german: UpstreamProxy;

beforeAll(async () => {
  site = await startSite();
  [basic, enhanced, german] = await Promise.all([
    startUpstreamProxy("basic", { silent: true }),
    startUpstreamProxy("enhanced"),
    startUpstreamProxy("german"),
  ]);
  const gone = await startUpstreamProxy("gone");
  await gone.close();
  service = await startService(site, {
    proxyBasic: [basic.url, `${gone.url}#country=PL`],
    proxyEnhanced: [enhanced.url, `${german.url}#country=DE`, `${gone.url}#country=FR`],
  });
});
afterAll(async () => {
  await service.close();
  await Promise.all([basic, enhanced, german].map((proxy) => proxy.close()));
  await site.close();
});
beforeEach(() => {
  for (const proxy of [basic, enhanced, german]) proxy.asked.length = 0;
});

const scrape = (path: string, parameters: ScrapeParameters): Promise<Document> =>
  service.client.scrape(site.url + path, { maxAge: 0, ...parameters });
const sent = async (parameters: ScrapeParameters): Promise<Record<string, string>> => {
  const { rawHtml } = await scrape("/echo", { ...parameters, formats: ["rawHtml"] });
  return (JSON.parse(rawHtml ?? "") as { headers: Record<string, string> }).headers;
};

describe.skipIf(isRemote)("proxy selection", () => {
  it("basic uses a basic proxy and costs 1", async () => {
    const { metadata } = await scrape("/tiny", { proxy: "basic" });
    expect(metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1 });
    expect(basic.asked).toEqual([`${site.url}/tiny`]);
    expect(enhanced.asked).toEqual([]);
  });

  it("enhanced uses an enhanced proxy and costs 5; stealth is an alias", async () => {
    for (const proxy of ["enhanced", "stealth"] as const) {
      const { metadata } = await scrape("/tiny", { proxy });
      expect(metadata, proxy).toMatchObject({ proxyUsed: "stealth", creditsUsed: 5 });
    }
    expect(enhanced.asked).toHaveLength(2);
    expect(basic.asked).toEqual([]);
  });

  it("proxy auto does not use the enhanced proxy when the basic attempt returns the page", async () => {
    const { metadata } = await scrape("/tiny", {});
    expect(metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1 });
    expect(enhanced.asked).toEqual([]);
  });

  it("a country selects its proxy", async () => {
    expect((await sent({ proxy: "enhanced", location: { country: "de" } }))["x-via-proxy"]).toBe(
      "german",
    );
    for (const location of [undefined, { country: "US" }, { country: "jp" }])
      expect(
        (await sent({ proxy: "enhanced", ...(location === undefined ? {} : { location }) }))[
          "x-via-proxy"
        ],
        JSON.stringify(location),
      ).toBe("enhanced");
  });

  it("the proxy's credentials never reach the site, an answer or the log", async () => {
    expect(await sent({ proxy: "basic" })).not.toHaveProperty("proxy-authorization");
    const failed = await service.scrape({
      url: `${site.url}/tiny`,
      proxy: "enhanced",
      location: { country: "FR" },
    });
    expect(failed.text).not.toContain(PROXY_PASSWORD);
    expect(service.log()).not.toContain(PROXY_PASSWORD);
  });
});

describe.skipIf(isRemote)("proxy auto retries", () => {
  it("retries on 403 and returns the retry's page as stealth for 5 credits", async () => {
    const document = await scrape("/proxy-only", {});
    expect(document.markdown).toContain("Basalt from the north");
    expect(document.metadata).toMatchObject({
      statusCode: 200,
      proxyUsed: "stealth",
      creditsUsed: 5,
    });
    expect([basic.asked.length, enhanced.asked.length]).toEqual([1, 1]);
  });

  it.each([
    ["/status/401", 1],
    // Over plain HTTP, then as a browser with a window.
    ["/status/403", 2],
    ["/status/429", 1],
  ])("retries on %s and charges 1 when the retry did not help", async (path, tries) => {
    const { metadata } = await scrape(path, {});
    expect(metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1 });
    expect(metadata.error).toBeTypeOf("string");
    expect([basic.asked.length, enhanced.asked.length]).toEqual([1, tries]);
  });

  it.each(["/challenge", "/challenge-200"])(
    "retries %s through the enhanced proxy and charges 1 credit when every attempt fails",
    async (path) => {
      const { metadata } = await scrape(path, {});
      expect(metadata).toMatchObject({ proxyUsed: "basic", creditsUsed: 1 });
      expect(metadata.error).toBeTypeOf("string");
      expect(basic.asked).toContain(site.url + path);
      expect(enhanced.asked).toContain(site.url + path);
    },
  );

  it.each(["/status/404", "/status/410", "/status/500", "/status/503", "/soft-404", "/login-wall"])(
    "does not retry on %s",
    async (path) => {
      expect((await scrape(path, {})).metadata.proxyUsed).toBe("basic");
      expect([basic.asked.length, enhanced.asked.length]).toEqual([1, 0]);
    },
  );

  it("returns the 403 page without a retry when basic is requested", async () => {
    const { metadata } = await scrape("/proxy-only", { proxy: "basic" });
    expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: "basic", creditsUsed: 1 });
    expect(enhanced.asked).toEqual([]);
  });

  it("keeps the first answer when the second proxy is down", async () => {
    const { metadata } = await scrape("/proxy-only", { location: { country: "FR" } });
    expect(metadata).toMatchObject({ statusCode: 403, proxyUsed: "basic", creditsUsed: 1 });
  });

  it("retries when the first proxy is down and charges only what returned the page", async () => {
    const location = { country: "PL" };
    expect((await scrape("/tiny", { location })).metadata).toMatchObject({
      statusCode: 200,
      proxyUsed: "stealth",
      creditsUsed: 5,
    });
    expect((await scrape("/status/403", { location })).metadata).toMatchObject({
      statusCode: 403,
      creditsUsed: 1,
    });
  });

  it("returns a named error free of charge when the only enhanced proxy is down", async () => {
    const { key } = await service.createKey({ creditBudget: 100 });
    const client = new QuarryClient({ apiUrl: service.url, apiKey: key, retries: 0 });
    await expect(
      client.scrape(`${site.url}/tiny`, { proxy: "enhanced", location: { country: "FR" } }),
    ).rejects.toMatchObject({ status: 500, code: "SCRAPE_PROXY_SELECTION_ERROR" });
    expect((await client.creditUsage()).remainingCredits).toBe(100);
  });
});

describe.skipIf(isRemote)("charges by proxy", () => {
  it("reduces the balance by the credits in metadata for each proxy mode", async () => {
    const { key } = await service.createKey({ creditBudget: 100 });
    const client = new QuarryClient({ apiUrl: service.url, apiKey: key, retries: 0 });
    let left = 100;
    for (const [path, parameters, cost] of [
      ["/tiny", { proxy: "basic" }, 1],
      ["/tiny", { proxy: "enhanced" }, 5],
      ["/proxy-only", {}, 5],
      ["/status/403", {}, 1],
      ["/proxy-only", { zeroDataRetention: true }, 6],
    ] as const) {
      const { metadata } = await client.scrape(site.url + path, {
        maxAge: 0,
        ...parameters,
      });
      expect(metadata.creditsUsed, path).toBe(cost);
      left -= cost;
      expect((await client.creditUsage()).remainingCredits, path).toBe(left);
    }
  });

  it("a page fetched by enhanced has no cacheState and serves later scrapes for 1 credit", async () => {
    const first = await scrape("/hits?key=stealth", { proxy: "enhanced", maxAge: 1_000_000 });
    expect(first.metadata).not.toHaveProperty("cacheState");
    const later = await scrape("/hits?key=stealth", { proxy: "basic", maxAge: 1_000_000 });
    expect(later.markdown).toContain("opened 1 times");
    expect(later.metadata).toMatchObject({ cacheState: "hit", creditsUsed: 1 });
  });
});
