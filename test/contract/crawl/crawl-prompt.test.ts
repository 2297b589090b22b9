// Crawl prompts, read by rules and by a model, over HTTP and through the published client.
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeCrawls, openCrawls, page, listPaths, serve, service } from "../../crawls.ts";
import { startModelServer } from "../../model-server.ts";
import { isRemote, startService } from "../../service.ts";
import { PYTHON_MODELS } from "../clients/python-models.ts";

beforeAll(async () => {
  if (!isRemote) await openCrawls();
});
afterAll(async () => {
  if (!isRemote) await closeCrawls();
});

/** A site with a start path of its own. */
function openSite(): { start: string; place: string } {
  const links = ["./blog", "./blog/one", "./blog/archive/old", "./docs/intro", "./pricing"];
  const paths = links.map((link) => link.slice(1));
  const site = serve({
    "/": page("start", links),
    ...Object.fromEntries(paths.map((path) => [path, page(path)])),
  });
  return { start: `${site}/`, place: new URL(site).pathname };
}

const preview = async (body: object, ask = service.ask) => {
  const answer = await ask("/v2/crawl/params-preview", { method: "POST", body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Record<string, unknown>;
};

describe.skipIf(isRemote)("POST /v2/crawl/params-preview", () => {
  it("previews how a prompt was interpreted against the site's URLs and what was not understood", async () => {
    const { start } = openSite();
    const prompt = "only interesting blog posts, skip the archive, at most 50, with subdomains";
    const body = await preview({ url: start, prompt });
    expect(body["data"]).toEqual({
      url: start,
      excludePaths: ["/archive(/|$)"],
      limit: 50,
      allowSubdomains: true,
    });
    expect(body).toMatchObject({
      readBy: "rules",
      notUnderstood: [{ text: "interesting blog posts" }],
      known: { urls: 6, matching: 5 },
    });
    expect(body["warning"]).toContain('Not understood: "interesting blog posts"');
  });

  it("the published client reads a crawl preview", async () => {
    const { start } = openSite();
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    const told = await client.crawlParamsPreview(start, "just the docs, 2 levels deep");
    expect(told).toEqual({ url: start, includePaths: ["/docs(/|$)"], maxDiscoveryDepth: 2 });
    const nonsense = await client.crawlParamsPreview(start, "fnord glorb");
    expect(nonsense).toMatchObject({ url: start });
    expect(nonsense["warning"]).toContain('"fnord glorb"');
    expect((await preview({ url: start, prompt: "" }))["data"]).toEqual({ url: start });
  });

  it("a crawl preview is free and works for an unreachable site", async () => {
    const { key } = await service.createKey({ creditBudget: 1 });
    const body = { url: "http://127.0.0.1:9/", prompt: "only /blog" };
    const answer = await service.ask("/v2/crawl/params-preview", { method: "POST", body, key });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body["data"]).toMatchObject({ includePaths: ["^/blog(/|$)"] });
    expect(answer.body["warning"]).toContain("could not be looked at");
    const usage = await service.ask("/v2/team/credit-usage", { key });
    expect(usage.body.data).toMatchObject({ remainingCredits: 1 });
  });

  it.each([
    [{ prompt: "a" }, "url"],
    [{ url: "https://a.test", prompt: "a".repeat(10_001) }, "prompt"],
    [{ url: "https://a.test" }, "prompt"],
  ])("a crawl preview rejects invalid requests", async (body, field) => {
    const answer = await service.ask("/v2/crawl/params-preview", { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(field);
  });
});

describe.skipIf(isRemote)("crawl with a prompt", () => {
  it("applies the prompt, and explicit fields win", async () => {
    const { start, place } = openSite();
    const prompt = "skip the blog and the pricing page, at most 50, with subdomains";
    const { body } = await service.ask("/v2/crawl", {
      method: "POST",
      body: { url: start, prompt, limit: 20, allowSubdomains: false, sitemap: "skip" },
    });
    expect(body["promptGeneratedOptions"]).toEqual({
      excludePaths: ["/blog(/|$)", "/pricing(/|$)"],
      limit: 50,
      allowSubdomains: true,
    });
    expect(body["finalCrawlerOptions"]).toMatchObject({
      excludePaths: ["/blog(/|$)", "/pricing(/|$)"],
      limit: 20,
      allowSubdomains: false,
    });
    const documents = [];
    for await (const document of service.client.crawlJob(String(body["id"])).documents())
      documents.push(document);
    const job = { documents } as unknown as Parameters<typeof listPaths>[0];
    expect(listPaths(job)).toEqual(["/", "/docs/intro"]);
    expect(place).not.toBe("");
  });

  it("runs with a nonsense or empty prompt and reports what was not understood", async () => {
    const { start } = openSite();
    for (const [prompt, warning] of [
      ["fnord", 'Not understood: "fnord"'],
      ["", undefined],
    ] as const) {
      const { body, status } = await service.ask("/v2/crawl", {
        method: "POST",
        body: { url: start, prompt, limit: 2 },
      });
      expect(status).toBe(200);
      expect(body["promptGeneratedOptions"]).toEqual({});
      const { warning: told } = await service.client.crawlJob(String(body["id"])).wait();
      if (warning === undefined) expect(told ?? "").not.toContain("Not understood");
      else expect(told).toContain(warning);
    }
  });
});

describe.skipIf(isRemote)("prompt read by a model", () => {
  it("rounds a delay up to whole seconds, as the Python client reads it", async () => {
    await using model = await startModelServer({
      turns: [{ json: { delay: 1.5, limit: 5 } }, { json: { delay: 0.2 } }],
    });
    const own = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      model: "openai-compatible/scripted",
      modelBaseUrl: model.baseUrl,
    });
    try {
      const { start } = openSite();
      const body = { url: start, prompt: "5 pages, slowly" };
      for (const delay of [2, 1]) {
        const answer = await preview(body, own.ask);
        expect(PYTHON_MODELS.preview.parse(answer).data.delay).toBe(delay);
      }
      model.check();
    } finally {
      await own.close();
    }
  });

  it("treats the model's answer as a proposal checked by schema and URLs", async () => {
    await using model = await startModelServer({
      turns: [
        (request) => {
          const sent = request.messages.map(({ content }) => content ?? "").join("\n");
          expect(sent).toContain("only the essays");
          expect(sent).toContain("/blog/one");
          return {
            json: {
              includePaths: ["/blog", "/essays"],
              limit: 5,
              ignoreRobotsTxt: true,
              notUnderstood: ["written by cats"],
            },
          };
        },
        { json: { includePaths: ["(?=broken"], limit: 5 } },
        { json: { limit: "many" } },
        { text: "I would rather not." },
        // Asked again without the schema, then without JSON mode.
        { status: 400, error: "no" },
        { status: 400, error: "no" },
        { status: 400, error: "no" },
      ],
    });
    const own = await startService(undefined, {
      egressAllow: ["127.0.0.1"],
      model: "openai-compatible/scripted",
      modelBaseUrl: model.baseUrl,
    });
    try {
      const { start } = openSite();
      const body = { url: start, prompt: "only the essays written by cats, at most 5" };
      const first = await preview(body, own.ask);
      expect(first).toMatchObject({ readBy: "model" });
      expect(first["data"]).toEqual({ url: start, includePaths: ["/blog"], limit: 5 });
      expect(first["warning"]).toContain('"written by cats"');
      expect(first["warning"]).toContain('"/essays" (no known URL of the site matches it)');
      for (let turn = 2; turn <= 5; turn++) {
        const later = await preview(body, own.ask);
        expect(later).toMatchObject({ readBy: "rules", data: { limit: 5 } });
        expect(later["warning"]).toContain("read by rules");
      }
      model.check();
    } finally {
      await own.close();
    }
  });
});
