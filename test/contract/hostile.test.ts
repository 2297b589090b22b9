// Pages that are encoded, cut, packed, endless or full of traps: right text or a named error, in bounded memory.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeParameters } from "../../client/client.ts";
import type { Document } from "../../client/wire.ts";
import { isRemote, siteHosts, startService, type Service } from "../service.ts";
import { charsetText } from "../site/behaviours/charsets.ts";
import { startSite, type Site } from "../site/site.ts";

const MEGABYTE = 1_048_576;
const MAX_BYTES = 24 * MEGABYTE;

let site: Site;
let service: Service;
/** Where a site was and is no more. */
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

describe("encodings of text", () => {
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
    "%s declared by %s",
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
  ])("%s: a mark wins, and so does meta over a header that says Latin-1", async (path) => {
    const [name = ""] = path.split("/");
    expect((await scrape(`/charset/${path}`)).markdown).toContain(charsetText(name));
  });

  it("UTF-8 that its header calls windows-1252", async () => {
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
  ])("%s is read", async (coding) => {
    const { markdown } = await scrape(`/compressed/${coding}`);
    expect(markdown).toContain("tires the sea");
    expect(markdown).toContain("every day but Monday");
  });

  it.each(["truncated-gzip", "truncated-br", "truncated-zstd"])(
    "%s: what came is returned with a warning, or the error is named",
    async (coding) => {
      const answer = await service.scrape({ url: `${site.url}/compressed/${coding}`, maxAge: 0 });
      if (answer.status === 200)
        expect(answer.body.data?.warning).toMatch(/cut|incomplete|truncated|broke/i);
      else expect(answer.body.code).toBe("SCRAPE_SITE_ERROR");
    },
  );

  it("a coding nobody knows is a named error or told", async () => {
    const answer = await service.scrape({ url: `${site.url}/compressed/unknown`, maxAge: 0 });
    if (answer.status === 200) expect(answer.body.data?.warning).toContain("content encoding");
    else expect(answer.body.error).toMatch(/rot13|cannot be read/);
  });

  it("a body shorter than promised is not a plain success", async () => {
    const answer = await service.scrape({ url: `${site.url}/short-body`, maxAge: 0 });
    if (answer.status === 200) expect(answer.body.data?.warning).toBeTypeOf("string");
    else expect(answer.body.code).toBe("SCRAPE_SITE_ERROR");
  });
});

describe("too much of it", () => {
  it.each(["gzip", "deflate", "br", "zstd"])(
    "a %s bomb is an error, in bounded memory",
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

  it("a page that never ends is an error, in bounded memory", async () => {
    const before = process.memoryUsage().rss;
    await expect(scrape("/endless", { timeout: 20_000 })).rejects.toMatchObject({
      code: expect.stringMatching(/^SCRAPE_(RESPONSE_TOO_LARGE|TIMEOUT)$/) as string,
    });
    if (!isRemote) expect(process.memoryUsage().rss - before).toBeLessThan(200 * MEGABYTE);
  });

  it("headers without measure are an error or are read", async () => {
    expect((await scrape("/long-headers?bytes=10000")).markdown).toContain("Look above");
    await expect(scrape("/long-headers?bytes=1000000")).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("headers") as string,
    });
  });

  it("depth does not kill: the text at the bottom is there, or is told", async () => {
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

  it("two megabytes of table come through whole", async () => {
    const { markdown = "" } = await scrape("/big?megabytes=2", { timeout: 60_000 });
    expect(markdown).toContain("# Tide log");
    expect(markdown.length).toBeGreaterThan(MEGABYTE);
  });

  it("after all this an ordinary page still takes no time", async () => {
    const started = performance.now();
    expect((await scrape("/article")).markdown).toContain("Basalt from the north");
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("redirects", () => {
  it.each(["301", "302", "303", "307", "308", "relative", "chain/9"])(
    "%s leads to the article",
    async (name) => {
      const { metadata, markdown } = await scrape(`/redirect/${name}`);
      expect(metadata.url).toBe(`${site.url}/article`);
      expect(metadata.sourceURL).toBe(`${site.url}/redirect/${name}`);
      expect(markdown).toContain("Basalt from the north");
    },
  );

  it("with spaces, letters of other scripts and fragments", async () => {
    for (const [name, url] of [
      ["spaces", "/article?note=two%20words"],
      ["unicode", "/article?ort=K%C3%B6ln"],
      ["fragment", "/article#basalt"],
    ] as const)
      expect((await scrape(`/redirect/${name}`)).metadata.url, name).toBe(site.url + url);
  });

  it("by meta refresh, and with a cookie set on the way", async () => {
    expect((await scrape("/meta-refresh")).metadata.url).toBe(`${site.url}/article`);
    expect((await scrape("/cookies/start")).markdown).toContain("Your pass is good for today");
    expect((await scrape("/cookies/needed")).metadata.statusCode).toBe(403);
  });

  it("circles and endless chains are a named error", async () => {
    for (const name of ["loop", "ping", "chain/50"])
      await expect(scrape(`/redirect/${name}`), name).rejects.toMatchObject({
        status: 500,
        code: "SCRAPE_TOO_MANY_REDIRECTS",
      });
  });

  it("without an address, or with one that is none, the answer itself is the page", async () => {
    const none = await scrape("/redirect/none");
    expect(none.metadata.statusCode).toBe(302);
    expect(none.markdown).toContain("pointed nowhere");
    expect((await scrape("/redirect/broken")).metadata.statusCode).toBe(302);
  });

  it("keep what is personal within its origin", async () => {
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

describe("a site that fails", () => {
  it("hangs up: an error that names host and reason", async () => {
    await expect(scrape("/hang-up")).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("closed the connection") as string,
    });
  });

  it("is not there: refused connection", async () => {
    await expect(scrape(goneUrl)).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("refused the connection") as string,
    });
  });
});
