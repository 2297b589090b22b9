// Encoded, truncated, compressed, endless and trapped pages: correct text or a named error, in
// bounded memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Document } from "../../../client/wire.ts";
import { isRemote, siteHosts, startService, type Service } from "../../service.ts";
import { charsetText } from "../../site/behaviours/charsets.ts";
import { startSite, type Site } from "../../site/site.ts";

const MEGABYTE = 1_048_576;
const MAX_BYTES = 24 * MEGABYTE;

let site: Site;
let service: Service;
/** Address of a site that no longer exists. */
let goneUrl: string;
beforeAll(async () => {
  site = await startSite();
  const gone = await startSite();
  goneUrl = gone.url;
  await gone.close();
  service = await startService(site, {
    maxBodyBytes: MAX_BYTES,
    egressAllow: [...siteHosts(site), ...siteHosts(gone)],
  });
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const scrape = (path: string, parameters?: ScrapeParameters): Promise<Document> =>
  service.client.scrape(new URL(path, site.url).href, { maxAge: 0, ...parameters });

describe("text encodings", () => {
  const names = [
    "shift_jis",
    "euc-jp",
    "gbk",
    "gb18030",
    "big5",
    "euc-kr",
    "windows-1251",
    "koi8-r",
    "windows-1252",
    "utf-8",
  ];
  it.each(names.flatMap((name) => ["header", "meta", "none"].map((by) => [name, by] as const)))(
    "decodes %s declared by %s",
    async (name, by) => {
      const { markdown, rawHtml, metadata } = await scrape(`/charset/${name}/${by}`, {
        formats: ["markdown", "rawHtml"],
      });
      expect(markdown).toContain(charsetText(name));
      expect(rawHtml).toContain(charsetText(name));
      expect(metadata.title).not.toContain("\uFFFD");
    },
  );

  it.each([
    "utf-8/mark",
    "utf-16le/mark",
    "utf-16be/mark",
    "shift_jis/latin1-header",
    "gbk/latin1-header",
    "utf-8/latin1-header",
  ])("%s: prefers a byte order mark, and meta over a Latin-1 header", async (path) => {
    const [name = ""] = path.split("/");
    expect((await scrape(`/charset/${path}`)).markdown).toContain(charsetText(name));
  });

  it("decodes UTF-8 that its header labels as windows-1252", async () => {
    expect((await scrape("/charset-mislabelled")).markdown).toContain(charsetText("windows-1251"));
  });
});

describe("content codings", () => {
  it.each([
    "gzip",
    "x-gzip",
    "br",
    "zstd",
    "deflate",
    "deflate-raw",
    "twice",
    "two-members",
    "identity",
    "false-gzip",
  ])("decodes the content coding %s", async (coding) => {
    const { markdown } = await scrape(`/compressed/${coding}`);
    expect(markdown).toContain("tires the sea");
    expect(markdown).toContain("every day but Monday");
  });

  it.each(["truncated-gzip", "truncated-br", "truncated-zstd"])(
    "%s: returns the received part with a warning, or a named error",
    async (coding) => {
      const answer = await service.scrape({ url: `${site.url}/compressed/${coding}`, maxAge: 0 });
      if (answer.status === 200)
        expect(answer.body.data?.warning).toMatch(/cut|incomplete|truncated|broke/i);
      else expect(answer.body.code).toBe("SCRAPE_SITE_ERROR");
    },
  );

  it("reports an unknown content coding", async () => {
    const answer = await service.scrape({ url: `${site.url}/compressed/unknown`, maxAge: 0 });
    if (answer.status === 200) expect(answer.body.data?.warning).toContain("content encoding");
    else expect(answer.body.error).toMatch(/rot13|cannot be read/);
  });

  it("does not report a truncated body as a plain success", async () => {
    const answer = await service.scrape({ url: `${site.url}/short-body`, maxAge: 0 });
    if (answer.status === 200) expect(answer.body.data?.warning).toBeTypeOf("string");
    else expect(answer.body.code).toBe("SCRAPE_SITE_ERROR");
  });
});

describe("size limits", () => {
  it.each(["gzip", "deflate", "br", "zstd"])(
    "rejects a %s bomb in bounded memory",
    async (coding) => {
      const before = process.memoryUsage().rss;
      await expect(
        scrape(`/bomb/${coding}?megabytes=2048`, { timeout: 20_000 }),
      ).rejects.toMatchObject({
        status: 500,
        code: "SCRAPE_RESPONSE_TOO_LARGE",
        message: expect.stringContaining(String(MAX_BYTES)) as string,
      });
      if (!isRemote) expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEGABYTE);
    },
  );

  it("rejects an endless page in bounded memory", async () => {
    const before = process.memoryUsage().rss;
    await expect(scrape("/endless", { timeout: 20_000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^SCRAPE_(RESPONSE_TOO_LARGE|TIMEOUT)$/) as string,
    });
    if (!isRemote) expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEGABYTE);
  });

  it("handles oversized headers with an error or by reading them", async () => {
    expect((await scrape("/long-headers?bytes=10000")).markdown).toContain("Look above");
    await expect(scrape("/long-headers?bytes=1000000")).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("headers") as string,
    });
  });

  it("keeps or reports the text at the bottom of a very deep page", async () => {
    for (const path of [
      "/deep",
      "/deep?tag=div&depth=100000",
      "/deep?tag=ul&depth=5000",
      "/deep?tag=b&depth=20000",
    ]) {
      const { markdown } = await scrape(path, { timeout: 20_000 });
      expect(markdown, path).toContain("At the bottom lies the anchor.");
    }
  });

  it("converts two megabytes of table completely", async () => {
    const { markdown = "" } = await scrape("/big?megabytes=2", { timeout: 60_000 });
    expect(markdown).toContain("# Tide log");
    expect(markdown.length).toBeGreaterThan(MEGABYTE);
  });

  it("scrapes an ordinary page quickly after all hostile ones", async () => {
    const started = performance.now();
    expect((await scrape("/article")).markdown).toContain("Basalt from the north");
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("redirects", () => {
  it.each(["301", "302", "303", "307", "308", "relative", "chain/9"])(
    "follows %s to the article",
    async (name) => {
      const { metadata, markdown } = await scrape(`/redirect/${name}`);
      expect(metadata.url).toBe(`${site.url}/article`);
      expect(metadata.sourceURL).toBe(`${site.url}/redirect/${name}`);
      expect(markdown).toContain("Basalt from the north");
    },
  );

  it("follows redirects with spaces, non-Latin letters and fragments", async () => {
    for (const [name, url] of [
      ["spaces", "/article?note=two%20words"],
      ["unicode", "/article?ort=K%C3%B6ln"],
      ["fragment", "/article#basalt"],
    ] as const)
      expect((await scrape(`/redirect/${name}`)).metadata.url, name).toBe(site.url + url);
  });

  it("follows meta refresh and a redirect that sets a cookie", async () => {
    expect((await scrape("/meta-refresh")).metadata.url).toBe(`${site.url}/article`);
    expect((await scrape("/cookies/start")).markdown).toContain("Your pass is good for today");
    expect((await scrape("/cookies/needed")).metadata.statusCode).toBe(403);
  });

  it("returns a named error for circular and endless redirects", async () => {
    for (const name of ["loop", "ping", "chain/50"])
      await expect(scrape(`/redirect/${name}`), name).rejects.toMatchObject({
        status: 500,
        code: "SCRAPE_TOO_MANY_REDIRECTS",
      });
  });

  it("returns the page of a redirect without a valid Location", async () => {
    const none = await scrape("/redirect/none");
    expect(none.metadata.statusCode).toBe(302);
    expect(none.markdown).toContain("pointed nowhere");
    expect((await scrape("/redirect/broken")).metadata.statusCode).toBe(302);
  });

  it("keeps personal headers within their origin on redirects", async () => {
    const target = encodeURIComponent(`${site.secureUrl}/echo`);
    const { rawHtml } = await scrape(`/redirect/to?url=${target}`, {
      headers: { "x-api-key": "canary-1", authorization: "Bearer canary-2", cookie: "a=canary-3" },
      skipTlsVerification: true,
      formats: ["rawHtml"],
    });
    expect(rawHtml).toContain('"path":"/echo"');
    expect(rawHtml).not.toContain("canary");
  });
});

describe("failing sites", () => {
  it("names host and reason when the site hangs up", async () => {
    await expect(scrape("/hang-up")).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("closed the connection") as string,
    });
  });

  it("reports a refused connection", async () => {
    await expect(scrape(goneUrl)).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("refused the connection") as string,
    });
  });
});
