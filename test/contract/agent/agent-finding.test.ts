// Page discovery by a run with a model: the server's search, and maps with sitemaps. A scripted
// model.
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { agentCalls } from "../../agent-runs.ts";
import {
  startModelServer,
  type ChatRequest,
  type ModelServer,
  type Turn,
} from "../../model-server.ts";
import { startService, type Service } from "../../service.ts";
import { docsSite, startPages, type PageAnswer } from "../../site/agent-sites.ts";

let service: Service;
let model: ModelServer;
let turns: Turn[] = [];
const { run } = agentCalls(() => service);

beforeAll(async () => {
  model = await startModelServer({
    turns: (request, nth) => {
      const turn = turns.shift() ?? { text: "The script is over." };
      return typeof turn === "function" ? turn(request, nth) : turn;
    },
  });
  service = await startService(undefined, {
    egressAllow: ["127.0.0.1"],
    model: "openai-compatible/scripted",
    modelBaseUrl: model.baseUrl,
  });
});
afterAll(async () => {
  await service.close();
  await model.close();
});
beforeEach(() => {
  turns = [];
});

const call = (name: string, given: unknown) => ({ name, arguments: given });
const lastTool = (request: ChatRequest): string =>
  request.messages.findLast(({ role }) => role === "tool")?.content ?? "";
const served =
  (type: string, text: string): PageAnswer =>
  (_request, response) =>
    void response.writeHead(200, { "content-type": type }).end(text);

it("reads pages found by search within the limits of their robots.txt", async () => {
  await using open = await startPages(docsSite());
  await using closed = await startPages({
    ...docsSite(),
    "/robots.txt": served("text/plain", "User-agent: *\nDisallow: /install"),
  });
  await service.page({ url: `${open.url}/limits`, maxAge: 0 });
  await service.page({ url: `${closed.url}/install`, maxAge: 0 });
  closed.asked.length = 0;
  turns = [
    { toolCalls: [call("search", { query: "heron installation pond" })] },
    (request) => {
      expect(lastTool(request)).toContain(`${closed.url}/install`);
      return {
        toolCalls: [
          call("scrape", { url: `${closed.url}/install` }),
          call("scrape", { url: `${open.url}/limits` }),
        ],
      };
    },
    (request) => {
      const [, refused, read] = request.messages
        .filter(({ role }) => role === "tool")
        .map(({ content }) => content);
      expect(refused).toContain("robots.txt");
      expect(read).toContain("250 MB");
      return { toolCalls: [call("finish", { data: { limit: "250 MB" } })] };
    },
  ];
  const state = await run({ prompt: "upload limit of the heron" });
  expect(state, state.error).toMatchObject({ status: "completed", data: { limit: "250 MB" } });
  expect(closed.asked).toEqual([]);
  model.check();
  expect(turns).toEqual([]);
});

it("does not open search results when the caller gave URLs", async () => {
  await using named = await startPages(docsSite());
  await using other = await startPages(docsSite());
  await service.page({ url: `${other.url}/limits`, maxAge: 0 });
  other.asked.length = 0;
  turns = [
    { toolCalls: [call("search", { query: "upload limits quotas heron" })] },
    (request) => {
      expect(lastTool(request)).not.toContain(other.url);
      return { toolCalls: [call("scrape", { url: `${other.url}/limits` })] };
    },
    (request) => {
      expect(lastTool(request)).toContain("may visit");
      return { toolCalls: [call("scrape", { url: `${named.url}/limits` })] };
    },
    { toolCalls: [call("finish", { data: { limit: "250 MB" } })] },
  ];
  const state = await run({ prompt: "upload limit", urls: [named.url] });
  expect(state.status, state.error).toBe("completed");
  expect(other.asked).toEqual([]);
  model.check();
  expect(turns).toEqual([]);
});

it("executes at most 16 calls of one answer and reports the rest", async () => {
  await using site = await startPages(docsSite());
  const answers = (request: ChatRequest): string[] =>
    request.messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
  turns = [
    { toolCalls: Array.from({ length: 40 }, (_, from) => call("read", { page: "p1", from })) },
    (request) => {
      expect(answers(request).filter((text) => text.startsWith("There is no page"))).toHaveLength(
        16,
      );
      expect(answers(request).filter((text) => text.startsWith("Not done"))).toHaveLength(24);
      return { toolCalls: [call("scrape", { url: `${site.url}/limits` })] };
    },
    { toolCalls: [call("finish", { data: { limit: "250 MB" } })] },
  ];
  const state = await run({ prompt: "upload limit", urls: [site.url] });
  model.check();
  expect(state).toMatchObject({ status: "completed", data: { limit: "250 MB" } });
});

it("the map tool lists the sitemap's URLs and fetches none of another site", async () => {
  await using canary = await startPages({});
  const pages: Record<string, PageAnswer> = { ...docsSite() };
  await using site = await startPages(pages);
  const entries = ["/unlinked/wingspan", "/unlinked/feathers"].map(
    (path) => `<url><loc>${site.url}${path}</loc></url>`,
  );
  const head = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`;
  pages["/robots.txt"] = served(
    "text/plain",
    `Sitemap: ${site.url}/sitemap.xml\nSitemap: ${canary.url}/sitemap.xml\nSitemap: ${site.url}/moved.xml`,
  );
  pages["/sitemap.xml"] = served(
    "application/xml",
    `${head}${entries.join("")}<url><loc>${canary.url}/steal</loc></url></urlset>`,
  );
  pages["/moved.xml"] = (_request, response) =>
    void response.writeHead(302, { location: `${canary.url}/moved.xml` }).end();
  turns = [
    { toolCalls: [call("map", { url: site.url, search: "wingspan" })] },
    (request) => {
      const text = lastTool(request);
      expect(text).toMatch(/<page-[0-9a-f]+ links>\n\S+\/unlinked\/wingspan/);
      expect(text).toContain("/unlinked/feathers");
      expect(text).toContain("/limits");
      expect(text).not.toContain(canary.url);
      return { toolCalls: [call("finish", { data: {} })] };
    },
    ...Array.from({ length: 2 }, () => ({ toolCalls: [call("finish", { data: {} })] })),
  ];
  await run({ prompt: "wingspan", urls: [site.url] });
  model.check();
  expect(turns).toEqual([]);
  expect(canary.asked).toEqual([]);
});

it("the map tool lists pages the account fetched before even if no page links to them", async () => {
  const pages: Record<string, PageAnswer> = { ...docsSite() };
  pages["/hidden-away"] = `<title>Feathers of the heron</title><main><p>They are grey.</p></main>`;
  await using site = await startPages(pages);
  await service.page({ url: `${site.url}/hidden-away`, maxAge: 0 });
  // It is stored a moment after the response.
  const mapped = () => service.ask("/v2/map", { method: "POST", body: { url: site.url } });
  await expect.poll(async () => (await mapped()).text).toContain("hidden-away");
  turns = [
    { toolCalls: [call("map", { url: site.url, search: "feathers" })] },
    (request) => {
      expect(lastTool(request)).toMatch(/ links>\n\S+\/hidden-away Feathers of the heron/);
      return { toolCalls: [call("scrape", { url: `${site.url}/hidden-away` })] };
    },
    { toolCalls: [call("finish", { data: { colour: "grey" } })] },
  ];
  const state = await run({ prompt: "colour of the feathers", urls: [site.url] });
  model.check();
  expect(state.data).toEqual({ colour: "grey" });
  expect(turns).toEqual([]);
});

it("executes calls of one answer concurrently", async () => {
  const meeting = Promise.withResolvers<void>();
  let waiting = 0;
  const meet: PageAnswer = (_request, response) => {
    waiting += 1;
    if (waiting === 2) meeting.resolve();
    void meeting.promise.then(() =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end("<main><p>The limit is 250 MB.</p></main>"),
    );
  };
  await using one = await startPages({ "/": meet });
  await using other = await startPages({ "/": meet });
  const urls = [one.url, other.url];
  turns = [
    { toolCalls: urls.map((url) => call("scrape", { url })) },
    (request) => {
      const texts = request.messages.filter(({ role }) => role === "tool");
      for (const { content } of texts) expect(content).toContain("250 MB");
      return { toolCalls: [call("finish", { data: { limit: "250 MB" } })] };
    },
  ];
  const state = await run({ prompt: "limit", urls, strictConstrainToURLs: true });
  model.check();
  expect(state.data).toEqual({ limit: "250 MB" });
});
