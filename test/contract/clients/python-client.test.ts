// The wire format of the published Python client: what it sends for /v2 and /v1 (used by
// langchain-community's loader), and what its models require.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";
import { PYTHON_MODELS } from "./python-models.ts";

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

const origin = "python-sdk@4.40.0";
/** The client's defaults. */
const scrapeDefaults = {
  onlyMainContent: true,
  mobile: false,
  skipTlsVerification: true,
  removeBase64Images: true,
  fastMode: false,
  blockAds: true,
  maxAge: 14_400_000,
  storeInCache: true,
};
const schema = {
  title: "Page",
  type: "object",
  properties: { title: { title: "Title", type: "string" } },
  required: ["title"],
};

/** Sends like the client and validates the answer with its model. */
async function call<Model extends z.ZodType>(
  model: Model,
  method: string,
  path: string,
  body?: object,
): Promise<z.output<Model>> {
  const sent = body === undefined ? {} : { body: { ...body, origin } };
  const answer = await service.ask(path, { method, ...sent });
  expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined]);
  return model.parse(answer.body);
}
const expectPost = <Model extends z.ZodType>(model: Model, path: string, body: object) =>
  call(model, "POST", path, body);
const expectGet = <Model extends z.ZodType>(model: Model, path: string) => call(model, "GET", path);

async function finish(path: string): Promise<void> {
  while (true) {
    const { body } = await service.ask(path);
    if (body["status"] !== "processing" && body["status"] !== "scraping") return;
  }
}

const {
  scrape,
  started,
  job,
  cancelled,
  ended,
  errors,
  active,
  preview,
  map,
  search,
  extract,
  agent,
  agents,
  trace,
  browser,
  browsers,
  executed,
  destroyed,
  concurrency,
  credits,
  history,
  queue,
  v1Document,
  v1Job,
  v1Map,
  v1Search,
  v1Credits,
} = PYTHON_MODELS;

describe("Python client on /v2", () => {
  it("the Python client scrapes to every format", async () => {
    const { data } = await expectPost(scrape, "/v2/scrape", {
      url: `${site.url}/article`,
      ...scrapeDefaults,
      formats: [
        "markdown",
        "html",
        "rawHtml",
        "links",
        "images",
        "summary",
        { type: "json", prompt: "the title", schema },
        { type: "changeTracking", modes: ["git-diff"], tag: null },
        { type: "question", question: "What is it about?" },
        { type: "highlights", query: "lighthouse" },
        { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
      ],
      parsers: [{ type: "pdf", maxPages: 2 }],
      location: { country: "US", languages: ["en"] },
      proxy: "basic",
    });
    expect(data.markdown).not.toBe("");
    expect(data.metadata?.["scrapeId"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("the Python client reads cache hits and 404 pages", async () => {
    const body = { url: `${site.url}/tiny`, formats: ["markdown"], ...scrapeDefaults };
    await expectPost(scrape, "/v2/scrape", body);
    const { data } = await expectPost(scrape, "/v2/scrape", body);
    expect(data.metadata?.cacheState).toBe("hit");
    const missing = await expectPost(scrape, "/v2/scrape", {
      url: `${site.url}/status/404`,
      ...scrapeDefaults,
    });
    expect(missing.data.metadata?.statusCode).toBe(404);
  });

  it("the Python client crawls, reads errors and active crawls, and cancels", async () => {
    const { id } = await expectPost(started, "/v2/crawl", {
      url: `${site.url}/list`,
      limit: 3,
      crawlEntireDomain: true,
      sitemap: "skip",
      maxConcurrency: 2,
      scrapeOptions: { formats: ["markdown"], ...scrapeDefaults },
      integration: "_test",
    });
    await expectGet(job, `/v2/crawl/${id}`);
    await expectGet(active, "/v2/crawl/active");
    await service.client.crawlJob(id).wait();
    const { data } = await expectGet(job, `/v2/crawl/${id}`);
    expect(data).toHaveLength(3);
    await expectGet(errors, `/v2/crawl/${id}/errors`);
    expect((await call(ended, "DELETE", `/v2/crawl/${id}`)).status).toBe("completed");
    const running = await expectPost(started, "/v2/crawl", {
      url: `${site.url}/list`,
      limit: 3,
      crawlEntireDomain: true,
      delay: 30,
      scrapeOptions: { formats: ["markdown"], ...scrapeDefaults },
    });
    await call(cancelled, "DELETE", `/v2/crawl/${running.id}`);
  });

  it("the Python client previews a crawl", async () => {
    const body = { url: `${site.url}/`, prompt: "at most 5 pages with subdomains" };
    const { data } = await expectPost(preview, "/v2/crawl/params-preview", body);
    expect(data).toMatchObject({ limit: 5, allowSubdomains: true });
    const others = await service.client.previewCrawl(body.url, body.prompt);
    expect(others.data).toMatchObject({ limit: 5, allowSubdomains: true });
  });

  it("the Python client scrapes a batch with a failed page", async () => {
    const { id } = await expectPost(started, "/v2/batch/scrape", {
      urls: [`${site.url}/tiny`, "http://127.0.0.1:1/"],
      formats: ["markdown", "html"],
      ...scrapeDefaults,
      ignoreInvalidURLs: true,
    });
    await service.client.batchJob(id).wait();
    expect((await expectGet(job, `/v2/batch/scrape/${id}`)).data).toHaveLength(1);
    expect((await expectGet(errors, `/v2/batch/scrape/${id}/errors`)).errors).toHaveLength(1);
    expect((await call(ended, "DELETE", `/v2/batch/scrape/${id}`)).status).toBe("completed");
  });

  it("the Python client maps and searches", async () => {
    const options = { sitemap: "include", includeSubdomains: true, limit: 5, timeout: 20_000 };
    await expectPost(map, "/v2/map", { url: `${site.url}/`, ...options });
    await expectPost(search, "/v2/search", {
      query: "archive",
      sources: [{ type: "web" }],
      limit: 2,
      timeout: 300_000,
      scrapeOptions: { formats: ["markdown"], ...scrapeDefaults },
    });
  });

  it("the Python client extracts", async () => {
    const body = { urls: [`${site.url}/article`], prompt: "the title", schema, showSources: true };
    const { id } = await expectPost(started.pick({ success: true, id: true }), "/v2/extract", body);
    await finish(`/v2/extract/${id}`);
    expect(await expectGet(extract, `/v2/extract/${id}`)).toMatchObject({ status: "completed" });
  });

  it("the Python client runs an agent and reads its list and trace", async () => {
    const body = { urls: [`${site.url}/article`], prompt: "the title", schema, maxCredits: 50 };
    const { id } = await expectPost(started.pick({ success: true, id: true }), "/v2/agent", body);
    await expectGet(agent, `/v2/agent/${id}`);
    await finish(`/v2/agent/${id}`);
    await expectGet(agent, `/v2/agent/${id}`);
    await expectGet(agents, "/v2/agent");
    expect((await expectGet(trace, `/v2/agent/${id}/trace`)).events.length).toBeGreaterThan(1);
  });

  it("the Python client opens a browser, runs code in it and ends it", async () => {
    const { id } = await expectPost(browser, "/v2/browser", {
      ttl: 60,
      activityTtl: 60,
      streamWebView: true,
    });
    const list = await expectGet(browsers, "/v2/browser?status=active");
    expect(list.sessions.map((session) => session.id)).toContain(id);
    const code = "await page.title()";
    await expectPost(executed, `/v2/browser/${id}/execute`, {
      code,
      language: "node",
      timeout: 30,
    });
    await call(destroyed, "DELETE", `/v2/browser/${id}`);
  });

  it("the Python client reads usage", async () => {
    await expectGet(concurrency, "/v2/concurrency-check");
    await expectGet(credits, "/v2/team/credit-usage");
    await expectGet(history, "/v2/team/credit-usage/historical?byApiKey=true");
    await expectGet(queue, "/v2/team/queue-status");
  });
});

describe("Python client on /v1", () => {
  const options = { onlyMainContent: true, timeout: 30_000, integration: "langchain" };

  it("the /v1 Python client scrapes", async () => {
    const { data } = await expectPost(v1Document, "/v1/scrape", {
      url: `${site.url}/article`,
      formats: ["markdown", "html", "rawHtml", "links", "extract", "changeTracking"],
      extract: { prompt: "the title", schema },
      changeTrackingOptions: { modes: ["git-diff"] },
      parsePDF: true,
      proxy: "basic",
      ...options,
    });
    expect(data.markdown).not.toBe("");
  });

  it("the /v1 Python client scrapes with actions", async () => {
    await expectPost(v1Document, "/v1/scrape", {
      url: `${site.url}/article`,
      formats: ["markdown", "screenshot@fullPage"],
      actions: [{ type: "wait", milliseconds: 5 }, { type: "screenshot" }],
      ...options,
    });
  });

  it("the /v1 Python client crawls like langchain-community", async () => {
    const { id } = await expectPost(started, "/v1/crawl", {
      url: `${site.url}/list`,
      limit: 2,
      includePaths: ["/.*"],
      excludePaths: [],
      allowBackwardLinks: true,
      allowExternalLinks: false,
      maxDepth: 2,
      ignoreSitemap: true,
      scrapeOptions: { formats: ["markdown"], timeout: 30_000 },
      integration: "langchain",
    });
    await service.client.crawlJob(id).wait();
    await expectGet(v1Job, `/v1/crawl/${id}`);
    await expectGet(errors, `/v1/crawl/${id}/errors`);
  });

  it("the /v1 Python client maps, searches, and reads usage", async () => {
    const integration = "langchain";
    const { links } = await expectPost(v1Map, "/v1/map", {
      url: `${site.url}/`,
      limit: 5,
      integration,
    });
    expect(links.length).toBeGreaterThan(1);
    const words = { query: "archive", limit: 2, lang: "en", country: "us", timeout: 60_000 };
    await expectPost(v1Search, "/v1/search", {
      ...words,
      scrapeOptions: { formats: ["markdown"], timeout: 30_000 },
    });
    await expectGet(v1Credits, "/v1/team/credit-usage");
  });
});
