// Searches of pages this server has scraped, without configuration or external requests.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";

type Page = {
  readonly title: string;
  readonly text: string;
  readonly description?: string;
  readonly language?: string;
  readonly links?: readonly string[];
};

const filler = "Rivers carry sand to the sea and the sea carries it back to the shore. ".repeat(8);

const PAGES: Readonly<Record<string, Page>> = {
  "/": {
    title: "Harbour handbook",
    text: "Everything about the harbour of the town.",
    links: [
      "/ferries",
      "/docs/tides",
      "/docs/lighthouse",
      "/fahre",
      "/tokyo",
      "/fish",
      "/old/tides",
    ],
  },
  "/ferries": {
    title: "Ferries and their timetables",
    description: "When the ferries leave.",
    text: "The running costs of a ferry are paid by its passengers. Ferries leave twice a day from the old pier.",
  },
  "/docs/tides": {
    title: "Tides",
    text: "Spring tides come at full moon. The tide table hangs at the old pier of the harbour.",
  },
  "/docs/lighthouse": {
    title: "Lighthouse keeper",
    text: "The keeper of the lighthouse reads about ferries and tides, and about nothing so much as zeppelins.",
  },
  "/fahre": {
    title: "Die Fähre",
    language: "de",
    text: "Die Häuser am Hafen sind alt. Mit der Fähre kommt man zu den Häusern auf der anderen Seite.",
  },
  "/tokyo": {
    title: "東京都の港",
    language: "ja",
    text: "東京湾にはたくさんの船が来ます。港の近くには市場があります。",
  },
  "/fish": {
    title: "Fish market",
    text: "Crème brûlée is sold beside the fish, and old fishing piers are painted.",
  },
  "/old/tides": {
    title: "Tides of old",
    text: "Tide tables of the past century, no longer kept at the pier.",
  },
};

const toHtml = ({ title, text, description, language = "en", links = [] }: Page): string =>
  `<!doctype html><html lang="${language}"><title>${title}</title>${
    description === undefined ? "" : `<meta name="description" content="${description}">`
  }<main><h1>${title}</h1><p>${text}</p>${language === "en" ? `<p>${title} ${filler}</p>` : ""}${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(" ")}</main></html>`;

let base: string;
let service: Service;
let firecrawl: Firecrawl;
let asked = 0;
beforeAll(async () => {
  const site = await openSite((request, response) => {
    asked += 1;
    const page = PAGES[(request.url ?? "/").split("?")[0] ?? ""];
    response.writeHead(page === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
    });
    response.end(page === undefined ? "no" : toHtml(page));
  });
  base = site.base;
  service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  firecrawl = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
  await service.client.crawl(`${base}/`, { sitemap: "skip" });
});
afterAll(async () => {
  await service.close();
  await closeAll();
});

type Found = { readonly url: string; readonly [name: string]: unknown };

async function search(query: string, parameters: object = {}, on = service) {
  const { status, body, text } = await on.ask("/v2/search", {
    method: "POST",
    body: { query, ...parameters },
  });
  expect(status, text).toBe(200);
  const data = body.data as unknown as Record<string, Found[]>;
  return {
    success: body.success,
    id: String(body["id"]),
    creditsUsed: body["creditsUsed"],
    warning: String(body["warning"]),
    data,
    paths: (data["web"] ?? []).map(({ url }) => url.replace(base, "")),
  };
}

describe("search of the server's own index", () => {
  it("finds crawled pages by their words in the contract's format", async () => {
    const { data, id, creditsUsed, paths, success } = await search("zeppelins");
    expect(paths).toEqual(["/docs/lighthouse"]);
    expect(data["web"]).toEqual([
      {
        url: `${base}/docs/lighthouse`,
        title: "Lighthouse keeper",
        description: expect.stringContaining("zeppelins"),
        position: 1,
      },
    ]);
    expect(Object.keys(data)).toEqual(["web"]);
    expect({ success, creditsUsed }).toEqual({ success: true, creditsUsed: 2 });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("ranks pages with the words in their title first", async () => {
    expect((await search("ferries")).paths[0]).toBe("/ferries");
    expect((await search("lighthouse")).paths[0]).toBe("/docs/lighthouse");
  });

  it("finds word forms in the language of the page", async () => {
    expect((await search("run cost")).paths).toContain("/ferries");
    expect((await search("haus")).paths).toEqual(["/fahre"]);
  });

  it("matches with and without accents", async () => {
    expect((await search("creme brulee")).paths).toEqual(["/fish"]);
    expect((await search("fähre")).paths).toEqual(["/fahre"]);
  });

  it("finds text without spaces between words, down to one character", async () => {
    for (const query of ["東京湾", "市場", "港", "東京 船"])
      expect((await search(query)).paths, query).toEqual(["/tokyo"]);
    expect((await search("京都市")).paths).toEqual([]);
  });

  it("matches phrases as consecutive words", async () => {
    const loose = (await search("old pier")).paths;
    expect(loose).toEqual(expect.arrayContaining(["/ferries", "/docs/tides", "/fish"]));
    const together = (await search('"old pier"')).paths;
    expect(together.toSorted()).toEqual(["/docs/tides", "/ferries"]);
    expect((await search('tide -"old pier"')).paths).not.toContain("/docs/tides");
    expect((await search('"東京湾"')).paths).toEqual(["/tokyo"]);
  });

  it("excludes pages with a word and supports OR", async () => {
    expect((await search("tides -lighthouse")).paths).not.toContain("/docs/lighthouse");
    expect((await search("zeppelins OR brulee")).paths.toSorted()).toEqual([
      "/docs/lighthouse",
      "/fish",
    ]);
  });

  it("supports site:, inurl:, intitle: and their negations", async () => {
    const host = new URL(base).hostname;
    const below = (await search(`tide site:${host}/docs`)).paths;
    expect(below.toSorted()).toEqual(["/docs/lighthouse", "/docs/tides"]);
    expect((await search("tide site:example.com")).paths).toEqual([]);
    expect((await search(`tide -site:${host}/docs`)).paths).not.toContain("/docs/tides");
    expect((await search("tide inurl:old")).paths).toEqual(["/old/tides"]);
    expect((await search("tide -inurl:old")).paths).not.toContain("/old/tides");
    expect((await search("intitle:tides")).paths.toSorted()).toEqual(["/docs/tides", "/old/tides"]);
    expect((await search("allintitle: tides old")).paths).toEqual(["/old/tides"]);
    expect((await search(`site:${host} zeppelins`)).paths).toEqual(["/docs/lighthouse"]);
    expect((await search("tide related:example.com")).warning).toContain("related:");
  });

  it("respects included and excluded domains", async () => {
    const host = "127.0.0.1";
    expect((await search("zeppelins", { includeDomains: ["example.com"] })).paths).toEqual([]);
    expect((await search("tide", { excludeDomains: ["example.com"] })).paths).not.toEqual([]);
    const both = await service.ask("/v2/search", {
      method: "POST",
      body: { query: "a", includeDomains: ["a.com"], excludeDomains: [`${host}.com`] },
    });
    expect(both.status).toBe(400);
    expect(both.body.error).toContain("cannot both be specified");
    const wrong = await service.ask("/v2/search", { method: "POST", body: { query: 1 } });
    expect(wrong.body.error).toMatch(/^Invalid request body: /);
  });

  it("ranks partial matches after full ones", async () => {
    const { paths } = await search("zeppelins lighthouse unheard-of-word ferries");
    expect(paths[0]).toBe("/docs/lighthouse");
  });

  it("respects limit and time range", async () => {
    expect((await search("tide", { limit: 1 })).paths).toHaveLength(1);
    expect((await search("tide", { tbs: "qdr:h" })).paths).not.toEqual([]);
    expect((await search("tide", { tbs: "cdr:1,cd_min:1/1/2001,cd_max:1/31/2001" })).paths).toEqual(
      [],
    );
  });

  it("returns empty news and images with a warning", async () => {
    const { data, creditsUsed, warning } = await search("tide", {
      sources: ["news", { type: "images" }],
    });
    expect(data).toEqual({ news: [], images: [] });
    expect(creditsUsed).toBe(0);
    expect(warning).toContain("no news");
    expect(warning).toContain("no images");
  });

  it("explains why nothing was found", async () => {
    const { paths, warning } = await search("quetzalcoatl");
    expect(paths).toEqual([]);
    expect(warning).toContain("8 pages");
    expect((await search("", { query: "!?" })).warning).toContain("no words");
  });

  it("finds pages scraped a moment ago, also by a batch", async () => {
    const unheard = await openSite((request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        toHtml({ title: "New", text: `This page is about ${(request.url ?? "").slice(1)}.` }),
      );
    });
    await service.client.scrape(`${unheard.base}/snufkin`);
    expect((await search("snufkin")).data["web"]).toMatchObject([
      { url: `${unheard.base}/snufkin` },
    ]);
    await service.client.batch([`${unheard.base}/moomintroll`]);
    expect((await search("moomintroll")).data["web"]).toHaveLength(1);
    await service.client.scrape(`${unheard.base}/hattifatteners`, { formats: ["html"] });
    expect((await search("hattifattener")).data["web"]).toHaveLength(1);
  });

  it("never finds pages that may not be stored, personal pages, and error pages", async () => {
    const secret = await openSite((request, response) => {
      response.writeHead(request.url === "/gone" ? 404 : 200, { "content-type": "text/html" });
      response.end(toHtml({ title: "Xylograph", text: `Xylograph ${request.url ?? ""}` }));
    });
    await service.client.scrape(`${secret.base}/a`, { zeroDataRetention: true });
    await service.client.scrape(`${secret.base}/b`, { storeInCache: false });
    await service.client.scrape(`${secret.base}/c`, { headers: { cookie: "me=1" } });
    await service.client.scrape(`${secret.base}/gone`);
    await service.client.crawl(`${secret.base}/d`, { limit: 1, zeroDataRetention: true });
    expect((await search("xylograph")).paths).toEqual([]);
    await service.client.scrape(`${secret.base}/e`);
    expect((await search("xylograph")).data["web"]).toMatchObject([{ url: `${secret.base}/e` }]);
  });

  it("finds nothing of other accounts", async () => {
    const other = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    onTestFinished(() => other.close());
    const { paths, warning } = await search("tide", {}, other);
    expect(paths).toEqual([]);
    expect(warning).toContain("none yet");
  });

  it("scrapes results through the cache and charges them", async () => {
    const before = asked;
    const { data, creditsUsed } = await search("zeppelins", {
      scrapeOptions: { formats: ["markdown", "links"] },
    });
    expect(asked).toBe(before);
    expect(data["web"]?.[0]).toMatchObject({
      title: "Lighthouse keeper",
      position: 1,
      markdown: expect.stringContaining("keeper of the lighthouse"),
      links: expect.any(Array),
      metadata: { statusCode: 200, cacheState: "hit", creditsUsed: 1 },
    });
    expect(creditsUsed).toBe(3);
  });

  it("keeps the place of a result that cannot be scraped", async () => {
    let isGone = false;
    const dying = await openSite((_request, response) => {
      if (isGone) return void response.destroy();
      response.writeHead(200, { "content-type": "text/html" });
      response.end(toHtml({ title: "Pterodactyl", text: "A pterodactyl." }));
    });
    await service.client.scrape(`${dying.base}/`);
    await search("pterodactyl");
    isGone = true;
    const { data, creditsUsed, warning } = await search("pterodactyl", {
      scrapeOptions: { formats: ["markdown"], maxAge: 0 },
    });
    expect(data["web"]).toMatchObject([
      { title: "Pterodactyl", position: 1, metadata: { error: expect.any(String) } },
    ]);
    expect(creditsUsed).toBe(2);
    expect(warning).toContain("1 of 1");
  });

  it("answers 403 for features of the hosted service", async () => {
    for (const body of [{ sources: ["alexandria"] }, { enterprise: ["zdr"] }]) {
      const { status, body: answer } = await service.ask("/v2/search", {
        method: "POST",
        body: { query: "tide", ...body },
      });
      expect(status).toBe(403);
      expect(answer.error).toBe("This endpoint is not enabled for this team.");
    }
  });

  it("charges by results, rejects beyond the budget, and records activity", async () => {
    const { key } = await service.createKey({ creditBudget: 3 });
    const ask = (query: string) =>
      service.ask("/v2/search", { method: "POST", body: { query }, key });
    expect((await ask("tide")).body["creditsUsed"]).toBe(2);
    const refused = await ask("tide");
    expect(refused.status).toBe(402);
    const activity = await service.client.activity({ endpoint: "search", limit: 1 });
    expect(activity.data).toMatchObject([{ endpoint: "search", target: "tide" }]);
  });
});

describe("published client and search", () => {
  it("the published client searches and reads scraped results as documents", async () => {
    const plain = await firecrawl.search("zeppelins", { limit: 5 });
    expect(plain.web).toMatchObject([
      { url: `${base}/docs/lighthouse`, title: "Lighthouse keeper" },
    ]);
    const scraped = await firecrawl.search("zeppelins", {
      limit: 5,
      sources: ["web", "news"],
      scrapeOptions: { formats: ["markdown"] },
    });
    expect(scraped.web).toMatchObject([{ markdown: expect.stringContaining("zeppelins") }]);
    expect(scraped.news).toEqual([]);
  });

  it("the /v1 client searches with a single list", async () => {
    const found = await firecrawl.v1.search("zeppelins", {
      scrapeOptions: { formats: ["markdown"] },
    });
    expect(found.success).toBe(true);
    expect(found.data).toMatchObject([
      {
        url: `${base}/docs/lighthouse`,
        title: "Lighthouse keeper",
        description: expect.stringContaining("zeppelins"),
        markdown: expect.stringContaining("zeppelins"),
      },
    ]);
    expect(found.data[0]).not.toHaveProperty("position");
  });
});

describe("search with the index disabled", () => {
  it("indexes nothing and says so when the index is disabled", async () => {
    const off = await startService(undefined, { egressAllow: ["127.0.0.1"], searchIndex: false });
    onTestFinished(() => off.close());
    await off.client.scrape(`${base}/docs/tides`);
    const { paths, warning } = await search("tide", {}, off);
    expect(paths).toEqual([]);
    expect(warning).toContain("QUARRY_SEARCH_INDEX");
  });
});
