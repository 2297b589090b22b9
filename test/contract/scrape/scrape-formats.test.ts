// Results: every plain HTTP format, every kind of body, every metadata key.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Document } from "../../../client/wire.ts";
import { documentSchema } from "../../../src/contract/page/document.ts";
import { shareService, type Service } from "../../service.ts";
import { PDF_LINE } from "../../site/behaviours/files.ts";
import { startSite, type Site } from "../../site/site.ts";

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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const scrape = (path: string, parameters?: ScrapeParameters): Promise<Document> =>
  service.client.scrape(new URL(path, site.url).href, parameters);
const siteText = async (path: string): Promise<string> => (await fetch(site.url + path)).text();

describe("formats of an HTML page", () => {
  it("markdown keeps code, tables, lists, math and details", async () => {
    const { markdown } = await scrape("/documentation");
    expect(markdown).toContain("# Tide clock handbook");
    expect(markdown).toContain(
      "```sh\nnpm install tide-clock\nnpx tide-clock --port /dev/ttyUSB0\n```",
    );
    expect(markdown).toContain("| Command | Meaning | Since |");
    expect(markdown).toContain("high water \\| low water");
    expect(markdown).toContain("\\sum_i A_i \\cos(\\omega_i t + \\varphi_i)");
    expect(markdown).toContain("    return sum(a * cos(w * t + p) for a, w, p in parts)");
    expect(markdown).toContain("Why is my clock late?");
    expect(markdown).toContain(`[the story](${site.url}/article)`);
  });

  it("html has absolute URLs and no scripts; rawHtml is the body byte for byte", async () => {
    const { html, rawHtml } = await scrape("/article", { formats: ["html", "rawHtml"] });
    expect(html).not.toContain("<script");
    expect(rawHtml).toBe(await siteText("/article"));
    const links = await scrape("/base-tag", { formats: ["html"] });
    expect(links.html).toContain(`href="${site.url}/articles/1"`);
    expect(links.html).toContain(`src="${site.url}/articles/pic.png"`);
  });

  it("links are absolute, ordered and unique, without fragments, with mailto", async () => {
    const { links } = await scrape("/links/here", { formats: ["links"] });
    const inMain = (links ?? []).filter(
      (link) => !/^http:\/\/127\.0\.0\.1:\d+\/(list|documentation|login-wall)?$/.test(link),
    );
    expect(inMain.slice(0, 6)).toEqual([
      `${site.url}/links/one`,
      `${site.url}/links/two`,
      `${site.url}/three`,
      "http://127.0.0.1/four",
      `${site.url}/five?a=1&b=2#part`,
      "mailto:desk@gazette.example",
    ]);
    expect(links).toContain("http://six");
    expect(links).toContain(`${site.url}/with%20space`);
    expect(links).toContain("https://xn--r8jz45g.jp/%E4%B8%83");
    expect(new Set(links).size).toBe(links?.length);
    expect(links?.filter((link) => /#here|javascript:/.test(link))).toEqual([]);
  });

  it("images include lazy, srcset, picture and poster sources, absolute and unique", async () => {
    const { images } = await scrape("/pictures", { formats: ["images"] });
    for (const name of [
      "lazy.jpg",
      "small.jpg",
      "large.jpg",
      "wall.webp",
      "wall-2x.webp",
      "wall.jpg",
      "d1.jpg",
      "d2.jpg",
      "poster.jpg",
    ])
      expect(images, name).toContain(`${site.url}/images/${name}`);
    expect(new Set(images).size).toBe(images?.length);
    const metadata = await scrape("/metadata", { formats: ["images"] });
    expect(metadata.images).toContain("https://gazette.example/wall.jpg");
    expect(metadata.images).toContain(`${site.url}/icons/anchor.png`);
  });

  it("attributes are in request and document order; an invalid selector gives an empty list", async () => {
    const selectors = [
      { selector: "article img", attribute: "alt" },
      { selector: "article img", attribute: "srcset" },
      { selector: "p[", attribute: "id" },
      { selector: "video", attribute: "poster" },
    ];
    const { attributes } = await scrape("/pictures", {
      formats: [{ type: "attributes", selectors }],
    });
    expect(attributes?.map(({ selector, attribute }) => ({ selector, attribute }))).toEqual(
      selectors,
    );
    expect(attributes?.[0]?.values.slice(0, 4)).toEqual([
      "Barge at dawn",
      "Crane",
      "Wall",
      "Divers",
    ]);
    expect(attributes?.[1]?.values).toContain("/images/d1.jpg 1x, /images/d2.jpg 2x");
    expect(attributes?.[2]?.values).toEqual([]);
    expect(attributes?.[3]?.values).toEqual(["/images/poster.jpg"]);
  });

  it("rawBase64 of an HTML page is left out without an error", async () => {
    const document = await scrape("/article", { formats: ["markdown", "rawBase64"] });
    expect(Object.keys(document).toSorted()).toEqual(["markdown", "metadata"]);
  });
});

describe("non-HTML bodies", () => {
  it("JSON is fenced unchanged and rawHtml can be parsed", async () => {
    for (const path of ["/data.json", "/broken.json"]) {
      const body = await siteText(path);
      const document = await scrape(path, { formats: ["markdown", "rawHtml"] });
      expect(document.markdown).toBe(`\`\`\`json\n${body}\n\`\`\``);
      expect(document.rawHtml).toBe(body);
      expect(document.metadata.contentType).toMatch(/^application\/json/);
    }
  });

  it("recognizes JSON by MIME type with parameters and +json", async () => {
    for (const type of [
      "application/json; charset=utf-8",
      "application/problem+json",
      "Application/JSON",
    ]) {
      const query = new URLSearchParams({ type, body: '{"a":1}' }).toString();
      expect((await scrape(`/made?${query}`)).markdown, type).toBe('```json\n{"a":1}\n```');
    }
  });

  it("keeps plain text unchanged", async () => {
    const document = await scrape("/notes.txt", {
      formats: ["markdown", "rawHtml", "html", "links"],
    });
    expect(document.markdown).toContain("09:40  towed <Ostwind> to berth 4");
    expect(document.rawHtml).toBe(await siteText("/notes.txt"));
    expect(document.html).toContain("&lt;Ostwind&gt;");
    expect(document.links).toEqual([]);
  });

  it("converts a feed to its items with links and dates; rawHtml is the original feed", async () => {
    const { markdown, rawHtml, html, links, metadata } = await scrape("/feed.xml", {
      formats: ["markdown", "rawHtml", "html", "links"],
    });
    expect(markdown).toBe(
      `# [Harbour Gazette](${site.url}/)\n\nNews of the quay\n\n## [Fenwick gets a wall](${site.url}/article)\n\n2024-05-14 05:30 UTC`,
    );
    expect(rawHtml).toBe(await siteText("/feed.xml"));
    expect(html).toContain("<h2>");
    expect(links).toEqual([`${site.url}/`, `${site.url}/article`]);
    expect(metadata).toMatchObject({
      title: "Harbour Gazette",
      contentType: "application/rss+xml; charset=utf-8",
    });
  });

  it("treats XML that is no feed as text", async () => {
    const { markdown, rawHtml } = await scrape("/tides.xml", { formats: ["markdown", "rawHtml"] });
    expect(markdown).toContain("```xml\n<?xml");
    expect(markdown).toContain('<tide at="06:14">3.2</tide>');
    expect(rawHtml).toBe(await siteText("/tides.xml"));
  });

  it("rejects an image without rawBase64 and returns a data URL with it", async () => {
    await expect(scrape("/images/wall.png")).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringMatching(/cannot process image\/png.*rawBase64/) as string,
    });
    const { rawBase64, metadata } = await scrape("/images/wall.png", { formats: ["rawBase64"] });
    expect(rawBase64).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
    expect(metadata.contentType).toBe("image/png");
  });

  it("parses a PDF to text, and returns base64 with an empty parsers array", async () => {
    const parsed = await scrape("/file.pdf");
    expect(parsed.markdown).toBe(PDF_LINE);
    expect(parsed.metadata).toMatchObject({ numPages: 1, totalPages: 1, creditsUsed: 1 });
    for (const path of [
      "/file.pdf",
      "/wrong-type/pdf-as-html",
      "/wrong-type/pdf-as-png",
      "/wrong-type/pdf-as-octets",
    ]) {
      const { markdown, metadata } = await scrape(path, { parsers: [] });
      expect(markdown, path).toMatch(/^JVBER/);
      expect(Buffer.from(markdown ?? "", "base64").toString("latin1"), path).toContain("%%EOF");
      expect(metadata.contentType, path).toBe("application/pdf");
      expect(metadata.creditsUsed, path).toBe(1);
      expect((await scrape(path)).markdown, path).toBe(PDF_LINE);
    }
  });

  it("trusts the body over its label: HTML under other types, an image labelled HTML", async () => {
    for (const path of [
      "/wrong-type/html-as-octets",
      "/wrong-type/html-untyped",
      "/wrong-type/html-as-pdf",
    ])
      expect((await scrape(path)).markdown, path).toContain(
        "This is a page, whatever its label says.",
      );
    await expect(scrape("/wrong-type/png-as-html")).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
    });
  });

  it("rejects other binary bodies and names the type", async () => {
    await expect(scrape("/download")).rejects.toMatchObject({
      status: 500,
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("cannot process application/octet-stream") as string,
    });
  });

  it("returns documents for an empty body and a page without content", async () => {
    for (const [path, status] of [
      ["/empty", 200],
      ["/no-content", 204],
    ] as const) {
      const document = await scrape(path);
      expect(document.markdown, path).toBe("");
      expect(document.metadata.statusCode, path).toBe(status);
    }
    expect((await scrape("/empty")).warning).toContain("nothing but headers");
  });
});

describe("metadata", () => {
  it("returns every metadata key that the page has", async () => {
    const { metadata } = await scrape("/metadata");
    expect(metadata).toMatchObject({
      title: expect.stringMatching(/^A wall that tires the sea/) as string,
      description: "A wall of rough basalt replaces the one the storm took., With pictures.",
      language: "en-GB",
      keywords: ["harbour, wall", "storm"],
      robots: "max-image-preview:large",
      favicon: `${site.url}/icons/anchor.png`,
      ogTitle: "A wall that tires the sea",
      ogDescription: "Rough on purpose.",
      ogUrl: "https://gazette.example/wall",
      ogImage: "https://gazette.example/wall.jpg",
      ogAudio: "https://gazette.example/wall.mp3",
      ogVideo: "https://gazette.example/wall.mp4",
      ogDeterminer: "a",
      ogLocale: "en_GB",
      ogLocaleAlternate: ["fr_FR", "de_DE"],
      ogSiteName: "Harbour Gazette",
      articleSection: "Coast",
      articleTag: "storm",
      publishedTime: "2024-05-14T06:30:00+01:00",
      modifiedTime: "2024-05-15T10:00:00+01:00",
      dcDescription: "About a wall",
      dcSubject: "Coast",
      dcType: "Text",
      dcDate: "2024-05-14",
      dcDateCreated: "2024-05-13",
      dcTermsCreated: "2024-05-12",
      dcTermsKeywords: "sea",
      dcTermsSubject: "Walls",
      dcTermsAudience: "Readers",
      dcTermsType: "Article",
    });
  });

  it("returns every meta tag under its own name, repeated ones as a list", async () => {
    const { metadata } = await scrape("/metadata");
    expect(metadata).toMatchObject({
      "og:title": "A wall that tires the sea",
      "og:locale:alternate": ["fr_FR", "de_DE"],
      "article:section": "Coast",
      author: "Marta Keene",
      wordCount: "412",
    });
  });

  it("returns metadata about the scrape", async () => {
    const url = `${site.url}/redirect/chain/2?a=1&b`;
    const { metadata } = await service.client.scrape(url);
    expect(metadata).toMatchObject({
      sourceURL: url,
      url: `${site.url}/article`,
      statusCode: 200,
      contentType: "text/html; charset=utf-8",
      proxyUsed: "basic",
      creditsUsed: 1,
      cacheState: "miss",
      concurrencyLimited: false,
      scrapeId: expect.stringMatching(UUID) as string,
    });
    expect(metadata).not.toHaveProperty("error");
    expect(metadata).not.toHaveProperty("cachedAt");
  });

  it("metadata matches the contract for every kind of page", async () => {
    for (const path of [
      "/metadata",
      "/data.json",
      "/notes.txt",
      "/status/404",
      "/challenge-200",
      "/empty",
    ]) {
      const parsed = documentSchema.safeParse(await scrape(path));
      expect(parsed.error?.issues, path).toBeUndefined();
    }
  });

  it("a page cannot forge the scrape's metadata", async () => {
    const head = [
      "error",
      "statusCode",
      "scrapeId",
      "creditsUsed",
      "cacheState",
      "cachedAt",
      "proxyUsed",
      "sourceURL",
      "concurrencyQueueDurationMs",
      "__proto__",
    ]
      .map((name) => `<meta name="${name}" content="forged">`)
      .join("");
    const body = `<!doctype html><head><title>Forger</title>${head}</head><p>Seven vessels are in port.</p>`;
    const { metadata } = await scrape(`/made?${new URLSearchParams({ body }).toString()}`);
    const { __proto__: _, ...own } = metadata as Record<string, unknown>;
    expect(Object.entries(own).filter(([, value]) => value === "forged")).toEqual([]);
    expect(metadata.statusCode).toBe(200);
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
  });
});

describe("pages without the requested content", () => {
  it.each([400, 401, 403, 404, 410, 429, 451, 500, 502, 503])(
    "returns a page with status %i as data with metadata.error",
    async (status) => {
      const { body, status: answered } = await service.scrape({
        url: `${site.url}/status/${status}`,
      });
      expect(answered).toBe(200);
      expect(body.success).toBe(true);
      expect(body.data?.metadata.statusCode).toBe(status);
      expect(body.data?.metadata.error).toContain(String(status));
      expect(body.data?.markdown).toMatch(/^# /m);
    },
  );

  it("never reports a bot check as a plain success", async () => {
    for (const path of ["/challenge", "/challenge-200"]) {
      const { metadata, warning } = await scrape(path);
      expect(metadata.error, path).toMatch(/bot check|block page/);
      expect(warning, path).toMatch(/not the content of the page/);
    }
  });

  it("reports a login wall and a soft 404 in error and warning", async () => {
    const wall = await scrape("/login-wall");
    expect(wall.metadata.error).toContain("login");
    expect(wall.warning).toContain("login");
    const missing = await scrape("/soft-404");
    expect(missing.metadata.error).toContain("does not exist");
    expect(missing.metadata.statusCode).toBe(200);
  });

  it("does not mistake an article under a cookie banner for a shell", async () => {
    const { metadata, markdown } = await scrape("/consent");
    expect(metadata).not.toHaveProperty("error");
    expect(markdown).toContain("340 blocks of basalt");
  });
});
