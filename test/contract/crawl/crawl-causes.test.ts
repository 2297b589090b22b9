// A crawl with few or no results explains why.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  closeCrawls,
  crawl,
  fates,
  openCrawls,
  page,
  listPaths,
  serve,
  service,
} from "../../crawls.ts";
import { openSite } from "../../http-fetching.ts";

beforeAll(openCrawls);
afterAll(closeCrawls);

/**
 * A site at the root of a host with text responses by path; the content type follows from the text.
 */
async function openTexts(
  texts: (base: string) => Readonly<Record<string, string | Buffer>>,
  packedType = "application/gzip",
): Promise<string> {
  const { base } = await openSite((request, response) => {
    const text = texts(base)[request.url ?? ""];
    if (text === undefined) return void response.writeHead(404).end();
    const type = typeof text === "string" ? (/^<[tm]/.test(text) ? "html" : "plain") : "";
    response.writeHead(200, { "content-type": type === "" ? packedType : `text/${type}` });
    response.end(text);
  });
  return base;
}

const urlset = (...urls: string[]): string =>
  `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;

describe("warning of a crawl with few results", () => {
  it("suggests a higher start when a crawl finds nothing below its start", async () => {
    const start = serve({ "/docs/": page("docs", ["/elsewhere"]) });
    const { warning } = await crawl(`${start}/docs/`);
    expect(warning).toContain("Only 1 page was found");
    expect(warning).toContain("crawlEntireDomain");
    expect(warning).toContain(`start at ${new URL(start).origin}/`);
  });

  it.each([404, 500])("reports that the start page answered %i", async (status) => {
    const start = serve({
      "/docs/": (_request, response) => void response.writeHead(status).end("no"),
    });
    const { warning } = await crawl(`${start}/docs/`);
    expect(warning).toContain(
      `The start URL ${start}/docs/ could not be read: it answered ${status}.`,
    );
    expect(warning).not.toContain("crawlEntireDomain");
  });

  it("reports a start page that breaks off when only a sitemap page was found", async () => {
    const { base } = await openSite((request, response) => {
      const at = `http://${request.headers.host}`;
      if (request.url === "/robots.txt") return void response.end(`Sitemap: ${at}/map.xml`);
      if (request.url === "/map.xml") return void response.end(urlset(`${at}/docs/one`));
      if (request.url === "/docs/one") return page("one")(request, response);
      response.socket?.destroy();
    });
    const job = await crawl(`${base}/docs/`, { sitemap: "include" });
    expect(job).toMatchObject({ status: "completed", completed: 1 });
    const { errors } = await service.client.crawlJob(job.id ?? "").errors();
    expect(job.warning).toContain(
      `The start URL ${base}/docs/ could not be read: ${errors[0]?.error}`,
    );
    expect(job.warning).not.toContain("crawlEntireDomain");
  });

  it("reports that includePaths excludes everything and does not mention the start path", async () => {
    const start = serve({ "/docs/": page("docs", ["a", "b"]) });
    const { warning } = await crawl(`${start}/docs/`, { includePaths: ["/nowhere"] });
    expect(warning).toContain("2 match none of includePaths");
    expect(warning).not.toContain("crawlEntireDomain");
  });

  it("reports that robots.txt blocks everything and where the URLs are listed", async () => {
    const base = await openTexts(() => ({
      "/robots.txt": "User-agent: *\nDisallow: /docs/",
      "/docs/": "<title>docs</title><main>x</main>",
    }));
    const job = await crawl(`${base}/docs/`);
    expect(job).toMatchObject({ status: "completed", completed: 0 });
    expect(job.warning).toContain("robots.txt");
    expect(job.warning).toContain("robotsBlocked");
    expect(job.warning).toContain("1 is forbidden by robots.txt");
    expect(job.warning).not.toContain("crawlEntireDomain");
  });

  it("applies only the first 500 KiB of an endless robots.txt", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url !== "/robots.txt")
        return void response.end(
          `<title>${request.url}</title><p>${request.url}</p><a href="/closed">c</a><a href="/open">o</a>`,
        );
      const pump = (): void => {
        while (response.write("# filler\n".repeat(2_000)));
      };
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("User-agent: *\nDisallow: /closed\n");
      response.on("drain", pump);
      pump();
    });
    const job = await crawl(`${base}/`);
    expect(job).toMatchObject({ status: "completed", completed: 2 });
    expect(job.warning).toContain("robotsBlocked");
  });

  it("fails the crawl when its start fails, even if a sitemap lists forbidden URLs", async () => {
    const base = await openTexts((own) => ({
      "/robots.txt": `Sitemap: ${own}/map.xml`,
      "/map.xml": urlset("https://elsewhere.example/a", "https://elsewhere.example/b"),
    }));
    const { port } = new URL(base);
    const dead = await service.client.crawl(`http://127.0.0.1:${port}/`, {
      scrapeOptions: { timeout: 1_000 },
    });
    // A page that answers 404 is a document.
    expect(dead).toMatchObject({ status: "completed", completed: 1 });
    const broken = await openSite((request, response) => {
      if (request.url === "/robots.txt") return void response.end(`Sitemap: ${base}/map.xml`);
      response.socket?.destroy();
    });
    const failed = await service.client.crawl(`${broken.base}/`, {});
    expect(failed).toMatchObject({ status: "failed", completed: 0, total: 0 });
    expect(failed.error).toContain(new URL(broken.base).host);
    const { errors } = await service.client.crawlJob(failed.id ?? "").errors();
    expect(errors).toMatchObject([{ url: `${broken.base}/`, error: failed.error }]);
    expect(Object.values(await fates(failed.id)).toSorted()).toEqual(["error", "scope", "scope"]);
  });

  it.each(["application/gzip", "application/x-gzip", "application/octet-stream", "text/xml"])(
    "reads a compressed sitemap (%s) as start URL without reporting a failure",
    async (type) => {
      const base = await openTexts(
        (own) => ({
          "/maps/sitemap.xml.gz": gzipSync(urlset(`${own}/maps/a`, `${own}/maps/b`)),
          "/maps/a": "<title>a</title><main>This is the page called a.</main>",
          "/maps/b": "<title>b</title><main>This is the page called b.</main>",
        }),
        type,
      );
      const job = await service.client.crawl(`${base}/maps/sitemap.xml.gz`, {});
      expect(listPaths(job)).toEqual(["/maps/a", "/maps/b"]);
      expect(await service.client.crawlJob(job.id ?? "").errors()).toMatchObject({
        errors: [],
        robotsBlocked: [],
      });
      expect((await fates(job.id))[`${base}/maps/sitemap.xml.gz`]).toBe("fileType");
    },
  );

  it("fails when the start is a compressed sitemap it may not read", async () => {
    const base = await openTexts(() => ({ "/sitemap.xml.gz": gzipSync(urlset("/a")) }));
    const job = await crawl(`${base}/sitemap.xml.gz`, { sitemap: "skip" });
    expect(job).toMatchObject({ status: "failed", completed: 0 });
  });
});
