// The URLs of a site from its page, its sitemaps and earlier fetches.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
beforeAll(async () => {
  site = await startSite();
  service = await startService(site);
});
afterAll(async () => {
  await service.close();
  await site.close();
  await closeAll();
});

const map = (path: string, parameters: object = {}) =>
  service.client.map(`${site.url}${path}`, { limit: 5_000, useIndex: false, ...parameters });
const pathsOf = ({ links }: { links: readonly { url: string }[] }): string[] =>
  links.map(({ url }) => url.replace(site.url, ""));

describe("map", () => {
  it("lists the page, its links and the sitemap's URLs once each with titles", async () => {
    const { links, id } = await map("/");
    const paths = pathsOf({ links });
    expect(paths).toEqual(expect.arrayContaining(["/", "/article", "/articles/20", "/tiny"]));
    expect(new Set(paths).size).toBe(paths.length);
    expect(links.find(({ url }) => url === `${site.url}/`)?.title).toContain("Front page");
    expect(links.find(({ url }) => url.endsWith("/list"))?.title).toBeDefined();
    expect(paths.some((path) => path.startsWith("http"))).toBe(false);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("warns about a location without a proxy and headers that are not sent", async () => {
    const { warning } = await map("/", { location: { country: "DE" }, headers: { Host: "a" } });
    expect(warning).toContain("No proxy in DE is configured");
    expect(warning).toContain("The header Host belongs to the connection");
    expect((await map("/", { sitemap: "skip" })).warning).toBeUndefined();
  });

  it("leaves out URLs blocked by robots.txt unless told otherwise", async () => {
    expect(pathsOf(await map("/"))).not.toContain("/private/");
    expect(pathsOf(await map("/", { ignoreRobotsTxt: true }))).toContain("/private/");
  });

  it("with sitemap only lists exactly the sitemap's URLs, including compressed and nested ones", async () => {
    const only = pathsOf(await map("/", { sitemap: "only" }));
    expect(only).toHaveLength(23);
    expect(only).toContain("/list");
    expect(only).toContain("/articles/20");
    const whole = pathsOf(await map("/", { sitemap: "only", ignoreQueryParameters: false }));
    expect(whole).toContain("/list?page=1&order=new");
    expect(await map("/", { sitemap: "only", limit: 7 })).toMatchObject({ links: { length: 7 } });
  });

  it("with sitemap skip lists no sitemap URLs", async () => {
    const paths = pathsOf(await map("/list", { sitemap: "skip", filterByPath: false }));
    expect(paths).toContain("/articles/3");
    expect(paths).not.toContain("/articles/20");
  });

  it("explains an empty map: the page's status, an unreadable sitemap, or none", async () => {
    let hasSitemap = true;
    const { base } = await openSite((request, response) => {
      if (request.url === "/sitemap.xml" && hasSitemap) response.writeHead(500).end();
      else response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not here</h1>");
    });
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    onTestFinished(() => own.close());
    const ask = async (parameters: object = {}) =>
      (
        await own.client.map(`${base}/gone`, {
          useIndex: false,
          ignoreCache: true,
          ...parameters,
        })
      ).warning;
    expect(await ask({ sitemap: "skip" })).toBe(`${base}/gone answered 404.`);
    expect(await ask()).toBe(
      `${base}/gone answered 404. 1 of the site's sitemaps could not be read: ${base}/sitemap.xml (status 500).`,
    );
    hasSitemap = false;
    expect(await ask({ sitemap: "only" })).toBe(
      `${new URL(base).host} has no sitemap that can be read.`,
    );
  });

  it("stays below the path and warns when little is found there", async () => {
    const { links, warning } = await map("/articles/1", { sitemap: "skip" });
    expect(links.length).toBeLessThanOrEqual(1);
    expect(warning).toContain(site.url);
    expect((await map("/articles/1", { sitemap: "skip", limit: 1 })).warning).toBeUndefined();
  });

  it("ranks and filters by search before the limit", async () => {
    const { links } = await map("/", { search: "documentation handbook", limit: 1 });
    expect(links).toMatchObject([{ url: `${site.url}/documentation` }]);
    expect((await map("/", { search: "zeppelin" })).links).toEqual([]);
    const inside = await map("/", { search: "CUMENTAT" });
    expect(inside.links).toMatchObject([{ url: `${site.url}/documentation` }]);
  });

  it("includes pages the account fetched before", async () => {
    const found = await service.client.map(`${site.url}/`, { limit: 5_000, sitemap: "skip" });
    expect(pathsOf(found)).not.toContain("/articles/44");
    await service.client.crawl(`${site.url}/articles/44`, { sitemap: "skip", limit: 1 });
    const again = await service.client.map(`${site.url}/articles/44`, { filterByPath: false });
    expect(pathsOf(again)).toContain("/articles/44");
    const other = await service.client.map(`${site.url}/list`, {
      limit: 5_000,
      sitemap: "skip",
      filterByPath: false,
    });
    expect(pathsOf(other)).not.toContain("/articles/49");
  });

  it("searches titles and descriptions of pages crawled or scraped before", async () => {
    const words = new Map([
      ["/", '<title>Start</title><a href="/a">next</a>'],
      ["/a", '<title>One</title><a href="/p1">next</a>'],
      ["/p1", '<title>Airships</title><meta name="description" content="All about the zeppelin.">'],
      ["/p2", "<title>Quokka pictures</title>"],
    ]);
    const { base } = await openSite((request, response) => {
      const head = words.get(request.url ?? "");
      response.writeHead(head === undefined ? 404 : 200, { "content-type": "text/html" });
      response.end(`${head ?? ""}<main><p>${`This is ${request.url}. `.repeat(20)}</p></main>`);
    });
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    onTestFinished(() => own.close());
    await own.client.crawl(`${base}/`, { sitemap: "skip" });
    await own.client.scrape(`${base}/p2`);
    const search = (text: string) => own.client.map(`${base}/`, { search: text });
    const airships = {
      url: `${base}/p1`,
      title: "Airships",
      description: "All about the zeppelin.",
    };
    expect((await search("zeppelin")).links).toEqual([airships]);
    expect((await search("airships")).links).toEqual([airships]);
    await expect
      .poll(async () => (await search("quokka")).links)
      .toEqual([{ url: `${base}/p2`, title: "Quokka pictures" }]);
  });

  it("uses the entries of a feed listed as sitemap", async () => {
    const { base } = await openSite((request, response) => {
      const body = new Map([
        ["/robots.txt", `Sitemap: ${base}/feed.xml`],
        [
          "/feed.xml",
          "<rss><channel><item><title>Airships</title><link>/p1</link><description>&lt;p&gt;All about &lt;b&gt;zeppelins&lt;/b&gt;.&lt;/p&gt;</description></item></channel></rss>",
        ],
        ["/", "<title>Start</title><main>Nothing here</main>"],
      ]).get(request.url ?? "");
      response.writeHead(body === undefined ? 404 : 200, {
        "content-type": request.url === "/" ? "text/html" : "text/plain",
      });
      response.end(body);
    });
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    onTestFinished(() => own.close());
    expect((await own.client.map(`${base}/`, { search: "zeppelins" })).links).toEqual([
      { url: `${base}/p1`, title: "Airships", description: "All about zeppelins." },
    ]);
  });

  it("prefers the title of a fetched page over a link text", async () => {
    const { base } = await openSite((request, response) => {
      response.writeHead(/^\/(?:p\d)?$/.test(request.url ?? "") ? 200 : 404, {
        "content-type": "text/html",
      });
      response.end(
        request.url === "/"
          ? '<title>Start</title><a href="/p1">Read more</a> <a href="/p2">Next</a>'
          : `<title>Airships</title><main>${`This is ${request.url}. `.repeat(20)}</main>`,
      );
    });
    const own = await startService(undefined, { egressAllow: ["127.0.0.1"] });
    onTestFinished(() => own.close());
    await own.client.crawl(`${base}/`, { sitemap: "skip", includePaths: ["^/p1$"] });
    expect((await own.client.map(`${base}/`)).links).toEqual([
      { url: `${base}/`, title: "Start" },
      { url: `${base}/p1`, title: "Airships" },
      { url: `${base}/p2`, title: "Next" },
    ]);
    expect((await own.client.map(`${base}/`, { search: "airships" })).links).toHaveLength(1);
  });

  it("answers 408 MAP_TIMEOUT at the timeout", async () => {
    const { status, body } = await service.ask("/v2/map", {
      method: "POST",
      body: { url: `${site.url}/slow/never`, timeout: 100 },
    });
    expect([status, body.code]).toEqual([408, "MAP_TIMEOUT"]);
    expect(body.error).toContain("timed out");
  });

  it("answers MAP_FAILED free of charge when nothing is reachable, and charges one credit otherwise", async () => {
    const before = (await service.client.creditUsageHistory()).at(-1)?.creditsUsed ?? 0;
    const { status, body } = await service.ask("/v2/map", {
      method: "POST",
      body: { url: "http://127.0.0.1:1/" },
    });
    expect([status, body.code]).toEqual([
      expect.any(Number),
      expect.stringMatching(/MAP_FAILED|UNSUPPORTED_SITE/),
    ]);
    expect((await service.client.creditUsageHistory()).at(-1)?.creditsUsed ?? 0).toBe(before);
    await map("/");
    expect((await service.client.creditUsageHistory()).at(-1)?.creditsUsed).toBe(before + 1);
  });
});
