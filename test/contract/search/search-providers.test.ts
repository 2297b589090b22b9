// Searches through SearXNG, Brave and Serper: requests, mapping of results, and failures.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "../../../src/settings/secret.ts";
import type { Config } from "../../../src/config.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import {
  answerAsBrave,
  answerAsSearxng,
  answerAsSerper,
  startSearchEngine,
  type SearchEngine,
} from "../../search-provider.ts";
import { startService, type Service } from "../../service.ts";

type Item = Readonly<Record<string, unknown>>;

const searchOn = (service: Service) => async (body: object) => {
  const answer = await service.ask("/v2/search", { method: "POST", body });
  const data = (answer.body.data ?? {}) as unknown as Record<string, Item[]>;
  return { ...answer, data };
};

/** A provider and a server that uses it; the allow-list of scrapes does not include it. */
async function start(
  answer: Parameters<typeof startSearchEngine>[0],
  settings: Partial<Config>,
  overrides: Partial<Config> = {},
): Promise<{ engine: SearchEngine; service: Service }> {
  const engine = await startSearchEngine(answer);
  const service = await startService(undefined, {
    searchUrl: engine.url,
    ...settings,
    ...overrides,
  });
  return { engine, service };
}

let running: { engine: SearchEngine; service: Service };
const end = async (): Promise<void> => {
  await running.service.close();
  await running.engine.close();
};
afterAll(closeAll);

describe("SearXNG", () => {
  beforeAll(async () => {
    running = await start(answerAsSearxng, { searchProvider: "searxng" });
  });
  afterAll(end);
  const search = (body: object) => searchOn(running.service)(body);
  const last = () => running.engine.asked.at(-1)?.query;

  it("requests SearXNG pages until there are enough results, each once", async () => {
    const { data, body } = await search({ query: "ships", limit: 25 });
    expect(data["web"]).toHaveLength(25);
    expect(data["web"]?.[0]).toEqual({
      url: "https://site1.example/page",
      title: "Result 1",
      description: "Text of result 1 & more",
      position: 1,
    });
    expect(data["web"]?.at(-1)).toMatchObject({ position: 25 });
    expect(body["creditsUsed"]).toBe(6);
    expect(running.engine.asked.map(({ query }) => query["pageno"])).toEqual(["1", "2", "3"]);
    expect((await search({ query: "ships", limit: 100 })).data["web"]).toHaveLength(30);
  });

  it("sends SearXNG language, country, time range and safe search", async () => {
    await search({ query: "ships", lang: "de", country: "AT", tbs: "qdr:w", safe: true, limit: 1 });
    expect(last()).toMatchObject({
      q: "ships",
      format: "json",
      categories: "general",
      language: "de-AT",
      time_range: "week",
      safesearch: "2",
    });
  });

  it("sends SearXNG domains and categories as query operators", async () => {
    const { data } = await search({
      query: "ships",
      includeDomains: ["a.example", "site1.example"],
      categories: ["pdf", { type: "github" }],
      limit: 1,
    });
    expect(last()?.["q"]).toBe(
      "ships (site:a.example OR site:site1.example) (filetype:pdf OR site:github.com)",
    );
    expect(data["web"]?.[0]).not.toHaveProperty("category");
    await search({ query: "ships", excludeDomains: ["b.example"], limit: 1 });
    expect(last()?.["q"]).toBe("ships -site:b.example");
  });

  it("maps SearXNG news and images", async () => {
    const { data } = await search({ query: "ships", sources: ["news", "images"], limit: 1 });
    expect(data).toEqual({
      news: [
        {
          title: "Result 1",
          url: "https://site1.example/page",
          snippet: "Text of result 1 & more",
          date: "2026-11-01T00:00:00",
          position: 1,
        },
      ],
      images: [
        {
          title: "Result 1",
          imageUrl: "https://images.example/1.png",
          imageWidth: 640,
          imageHeight: 480,
          url: "https://site1.example/page",
          position: 1,
        },
      ],
    });
  });

  it("returns an empty answer with a warning when no SearXNG engine answers", async () => {
    running.engine.next({ body: { results: [], unresponsive_engines: [["slow", "timeout"]] } });
    const { data, body } = await search({ query: "ships" });
    expect(data).toEqual({ web: [] });
    expect(body["warning"]).toContain("slow: timeout");
    expect(body["creditsUsed"]).toBe(0);
  });

  it("names the SearXNG setting when JSON is not allowed, and every other failure", async () => {
    const faults = [
      [{ status: 403, body: "" }, 500, "search.formats"],
      [{ status: 500, body: "" }, 500, "answered 500"],
      [{ status: 302, body: "" }, 500, "redirect"],
      [{ body: "<html>" }, 500, "did not answer with JSON"],
      [{ status: 429, body: "" }, 429, "over its rate limit"],
      ["break", 500, "could not be reached"],
    ] as const;
    for (const [reply, status, words] of faults) {
      running.engine.next(reply);
      const answer = await search({ query: "ships" });
      expect([answer.status, answer.body.success], words).toEqual([status, false]);
      expect(answer.body.error, words).toContain(words);
    }
    expect(running.engine.asked.some(({ path }) => path === "/elsewhere")).toBe(false);
  });

  it("a hanging provider takes no longer than the timeout and nothing is charged", async () => {
    running.engine.next("hang");
    const answer = await search({ query: "ships", timeout: 300 });
    expect([answer.status, answer.body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
    expect(answer.body.error).toContain("300 ms");
  });

  it("allows the provider's address for searches only", async () => {
    const scraped = await running.service.scrape({ url: running.engine.url });
    expect(scraped.status).toBe(403);
  });
});

describe("Brave", () => {
  beforeAll(async () => {
    running = await start(answerAsBrave, {
      searchProvider: "brave",
      searchApiKey: new Secret("brave-key"),
    });
  });
  afterAll(end);
  const search = (body: object) => searchOn(running.service)(body);

  it("requests twenty Brave results at a time in its own parameters", async () => {
    const { data } = await search({
      query: "ships",
      limit: 50,
      tbs: "qdr:m",
      country: "de",
      lang: "de",
    });
    expect(data["web"]).toHaveLength(50);
    expect(data["web"]?.[0]).toEqual({
      url: "https://brave1.example/",
      title: "Brave 1",
      description: "It's result 1",
      position: 1,
    });
    const [first] = running.engine.asked;
    expect(first?.query).toMatchObject({
      q: "ships",
      count: "20",
      offset: "0",
      country: "DE",
      search_lang: "de",
      freshness: "pm",
    });
    expect(running.engine.asked).toHaveLength(3);
    await search({ query: "a", limit: 1, tbs: "cdr:1,cd_min:2/1/2026,cd_max:2/28/2026" });
    expect(running.engine.asked.at(-1)?.query["freshness"]).toBe("2026-02-01to2026-02-28");
  });

  it("maps Brave news and images", async () => {
    const { data } = await search({ query: "ships", sources: ["news", "images"], limit: 1 });
    expect(data["news"]?.[0]).toMatchObject({
      date: "3 days ago",
      imageUrl: "https://thumbs.example/1",
    });
    expect(data["images"]).toEqual([
      {
        title: "Brave 1",
        imageUrl: "https://images.example/1.jpg",
        imageWidth: 800,
        imageHeight: 600,
        url: "https://brave1.example/",
        position: 1,
      },
    ]);
  });

  it("never shows the Brave key, even when it is wrong", async () => {
    const wrong = await start(answerAsBrave, {
      searchProvider: "brave",
      searchApiKey: new Secret("canary-key"),
    });
    onTestFinished(async () => {
      await wrong.service.close();
      await wrong.engine.close();
    });
    const answer = await searchOn(wrong.service)({ query: "ships" });
    expect(answer.status).toBe(500);
    expect(answer.body.error).toContain("QUARRY_SEARCH_API_KEY");
    expect(wrong.engine.asked).toHaveLength(1);
    expect(`${answer.text}${wrong.service.log()}`).not.toContain("canary-key");
  });
});

describe("Serper", () => {
  beforeAll(async () => {
    running = await start(answerAsSerper, {
      searchProvider: "serper",
      searchApiKey: new Secret("serper-key"),
    });
  });
  afterAll(end);
  const search = (body: object) => searchOn(running.service)(body);

  it("requests Serper page by page with time range and place", async () => {
    const { data } = await search({
      query: "ships",
      limit: 25,
      tbs: "qdr:d",
      location: "Berlin",
      lang: "de",
    });
    expect(data["web"]).toHaveLength(23);
    expect(data["web"]?.[22]).toMatchObject({
      url: "https://serper3.example/".replace("3", "23"),
      position: 23,
    });
    expect(running.engine.asked.map(({ body }) => body)).toMatchObject([
      { q: "ships", num: 25, gl: "us", hl: "de", location: "Berlin", tbs: "qdr:d" },
      { page: 2 },
      { page: 3 },
    ]);
  });

  it("maps Serper images and news without invalid picture URLs", async () => {
    const { data } = await search({ query: "ships", sources: ["news", "images"], limit: 1 });
    expect(data["news"]).toEqual([
      {
        title: "Serper 1",
        url: "https://serper1.example/",
        snippet: "Snippet 1",
        date: "2 days ago",
        position: 1,
      },
    ]);
    expect(data["images"]?.[0]).toMatchObject({
      imageUrl: "https://images.example/1.gif",
      imageWidth: 100,
    });
  });
});

describe("provider results", () => {
  it("scrapes provider results under the usual rules and refuses private addresses one by one", async () => {
    const site = await openSite((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<title>Open</title><main><p>This page may be reached by everybody.</p></main>");
    });
    const results = [`${site.base}/`, "http://127.0.0.1:1/", "http://169.254.169.254/"].map(
      (url, index) => ({ url, title: `R${index}` }),
    );
    const { engine, service } = await start(
      ({ query }) => ({ body: { results: query["pageno"] === "1" ? results : [] } }),
      { searchProvider: "searxng" },
      { egressAllow: [new URL(site.base).host] },
    );
    onTestFinished(async () => {
      await service.close();
      await engine.close();
    });
    const { data, body } = await searchOn(service)({
      query: "open",
      scrapeOptions: { formats: ["markdown"] },
    });
    expect(data["web"]).toMatchObject([
      { title: "R0", markdown: expect.stringContaining("everybody") },
      { title: "R1", metadata: { error: expect.any(String) } },
      { title: "R2", metadata: { error: expect.any(String) } },
    ]);
    expect(body["creditsUsed"]).toBe(3);
  });
});
