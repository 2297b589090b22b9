// Every field of POST /v2/scrape that plain HTTP supports, by its effect on request and result.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TimeoutError } from "../../../client/errors.ts";
import type { ScrapeParameters } from "../../../client/client.ts";
import type { Document } from "../../../client/wire.ts";
import { isRemote, shareService, startService, type Service } from "../../service.ts";
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

const scrape = (path: string, parameters?: ScrapeParameters): Promise<Document> =>
  service.client.scrape(new URL(path, site.url).href, parameters);

/** A page with this body, served by the site. */
const made = (body: string): string => `/made?${new URLSearchParams({ body }).toString()}`;

/** Returns the request that the site received, from /echo. */
async function echoed(parameters: ScrapeParameters): Promise<Record<string, string>> {
  const { rawHtml } = await scrape("/echo", { maxAge: 0, ...parameters, formats: ["rawHtml"] });
  return (JSON.parse(rawHtml ?? "") as { headers: Record<string, string> }).headers;
}

describe("url and formats", () => {
  it("returns Markdown when no formats are requested", async () => {
    const document = await scrape("/article");
    expect(Object.keys(document).toSorted()).toEqual(["markdown", "metadata"]);
    expect(document.markdown).toContain("# Fenwick gets a wall that tires the sea");
  });

  it("assumes http:// for a URL without a scheme and returns the URL as written", async () => {
    const url = `${new URL(site.url).host}/article`;
    const { metadata } = await service.client.scrape(url);
    expect(metadata.sourceURL).toBe(url);
    expect(metadata.url).toBe(`${site.url}/article`);
  });

  it("returns exactly the requested formats, by name or object", async () => {
    const names = ["markdown", "html", "rawHtml", "links", "images"] as const;
    const byName = await scrape("/pictures", { formats: [...names] });
    const byObject = await scrape("/pictures", { formats: names.map((type) => ({ type })) });
    expect(Object.keys(byName).toSorted()).toEqual([...names, "metadata"].toSorted());
    for (const name of names) expect(byObject[name], name).toEqual(byName[name]);
    expect(Object.keys(byObject)).toEqual(Object.keys(byName));
  });

  it("leaves out formats that were not requested", async () => {
    expect(Object.keys(await scrape("/article", { formats: ["links"] })).toSorted()).toEqual([
      "links",
      "metadata",
    ]);
    expect(Object.keys(await scrape("/article", { formats: [] }))).toEqual(["metadata"]);
  });
});

describe("content selection", () => {
  it("onlyMainContent drops header, navigation and footer, and false keeps them", async () => {
    const main = await scrape("/article");
    expect(main.markdown).toContain("Basalt from the north");
    expect(main.markdown).not.toContain("Quay Street 4");
    expect(main.markdown).not.toContain("Handbook");
    const whole = await scrape("/article", { onlyMainContent: false });
    expect(whole.markdown).toContain("Quay Street 4");
    expect(whole.markdown).toContain("Handbook");
  });

  it("html follows onlyMainContent; links and rawHtml cover the whole page", async () => {
    const formats: ScrapeParameters["formats"] = ["links", "html", "rawHtml"];
    const main = await scrape("/article", { formats });
    const whole = await scrape("/article", { formats, onlyMainContent: false });
    expect(main.links).toContain(`${site.url}/documentation`);
    expect(main.links).toEqual(whole.links);
    expect(main.html).not.toContain("Quay Street 4");
    expect(whole.html).toContain("Quay Street 4");
    expect(main.rawHtml).toBe(whole.rawHtml);
    expect(main.rawHtml).toContain("Quay Street 4");
  });

  it("never returns empty Markdown for a page with text", async () => {
    const { markdown } = await scrape(
      made("<nav><p>Ferry at nine</p></nav><footer>Pier two</footer>"),
    );
    expect(markdown).toMatch(/Ferry at nine|Pier two/);
  });

  it("includeTags keeps matches in the original page, footer included", async () => {
    const { markdown } = await scrape("/article", { includeTags: ["footer", "h1"] });
    expect(markdown).toContain("Quay Street 4");
    expect(markdown).toContain("# Fenwick");
    expect(markdown).not.toContain("Basalt from the north");
  });

  it("excludeTags removes its matches together with onlyMainContent", async () => {
    const { markdown } = await scrape("/article", { excludeTags: ["blockquote", "figure"] });
    expect(markdown).not.toContain("not rebuilding the wall of 1912");
    expect(markdown).not.toContain("weighed before it is lowered");
    expect(markdown).toContain("Basalt from the north");
  });

  it("excludeTags works inside includeTags", async () => {
    const { markdown } = await scrape("/article", {
      includeTags: ["article"],
      excludeTags: ["h2"],
    });
    expect(markdown).toContain("340 blocks of basalt");
    expect(markdown).not.toContain("Basalt from the north");
  });

  it("warns about an invalid selector without failing the scrape", async () => {
    const document = await scrape("/article", { excludeTags: ["p[", "h2"] });
    expect(document.warning).toContain("p[");
    expect(document.markdown).not.toContain("Basalt from the north");
    expect(document.markdown).toContain("340 blocks");
  });

  it("a plain iframe selector matches the inlined frame, .iframe-x does not", async () => {
    const page = made(
      '<article><p>Text of the page itself.</p><iframe src="/inner" title="Map of the harbour"></iframe><p class="iframe-x">Caption of the map.</p></article>',
    );
    const formats: ScrapeParameters["formats"] = ["html"];
    const kept = await scrape(page, { formats, onlyMainContent: false });
    expect(kept.html).toContain('data-original-tag="iframe"');
    const without = await scrape(page, {
      formats,
      onlyMainContent: false,
      excludeTags: ["iframe"],
    });
    expect(without.html).not.toContain('data-original-tag="iframe"');
    expect(without.html).toContain("Caption of the map");
  });

  it("removeBase64Images replaces images in the Markdown only", async () => {
    const data = "data:image/png;base64,iVBORw0KGgo=";
    const page = made(
      `<article><h1>Stamp</h1><p>The harbour office stamps every page of the log by hand, as it always has.</p><p><img src="${data}" alt="Stamp of the office"></p></article>`,
    );
    const formats: ScrapeParameters["formats"] = ["markdown", "html", "rawHtml"];
    const removed = await scrape(page, { formats });
    expect(removed.markdown).toContain("![Stamp of the office](<Base64-Image-Removed>)");
    expect(removed.markdown).not.toContain(data);
    expect(removed.html).toContain(data);
    expect(removed.rawHtml).toContain(data);
    const kept = await scrape(page, { formats, removeBase64Images: false });
    expect(kept.markdown).toContain(`![Stamp of the office](${data})`);
  });
});

describe("requests to the site", () => {
  it("sends the caller's headers over the defaults and bypasses the cache", async () => {
    const headers = { "X-Berth": "4", Cookie: "pass=harbour-7", "User-Agent": "Gull/1" };
    const sent = await echoed({ headers });
    expect(sent).toMatchObject({
      "x-berth": "4",
      cookie: "pass=harbour-7",
      "user-agent": "Gull/1",
    });
    const { metadata } = await scrape("/cookies/needed", { headers });
    expect(metadata.statusCode).toBe(200);
    expect(metadata).not.toHaveProperty("cacheState");
  });

  it("accepts headers in the {key, value} form of form-based clients", async () => {
    const headers = [{ key: "X-Berth", value: "7" }] as unknown as ScrapeParameters["headers"] &
      object;
    expect(await echoed({ headers })).toMatchObject({ "x-berth": "7" });
  });

  it("sends the honest user agent by default", async () => {
    expect((await echoed({}))["user-agent"]).toMatch(/^ServiceAgent\//);
  });

  it("sends location.languages as Accept-Language", async () => {
    const location = { country: "DE", languages: ["de-AT", "en"] };
    expect((await echoed({ location }))["accept-language"]).toMatch(
      /^de-AT,de;q=0\.\d,en;q=0\.\d$/,
    );
    const { markdown } = await scrape("/language", { location: { languages: ["fr"] } });
    expect(markdown).toContain("le bac circule normalement");
  });

  it("accepts location.country in any case and warns when it has no proxy", async () => {
    const document = await scrape("/article", { location: { country: "jP" } });
    expect(document.warning).toContain("JP");
    expect((await scrape("/article", { location: { country: "us" } })).warning).toBeUndefined();
  });

  it("sends user name and password of the URL as Basic authorization", async () => {
    const url = `${site.url.replace("://", "://desk:tide-table@")}/basic-auth`;
    const { markdown, metadata } = await service.client.scrape(url);
    expect(markdown).toContain("ready for print");
    expect(metadata.url).toBe(`${site.url}/basic-auth`);
    expect(metadata.sourceURL, "neither given back nor kept").toBe(`${site.url}/basic-auth`);
    const kept = await service.ask(`/v2/scrape/${String(metadata.scrapeId)}`);
    expect(kept.body.data?.metadata).toEqual(metadata);
    expect(kept.text).not.toContain("tide-table");
  });
});

describe("skipTlsVerification", () => {
  const of = (url: string, parameters: ScrapeParameters): Promise<Document> =>
    service.client.scrape(`${url}/article`, { maxAge: 0, ...parameters });

  it("accepts an invalid certificate by default with a warning", async () => {
    for (const [url, reason] of [
      [site.secureUrl, "self-signed"],
      [site.expiredUrl, "expired"],
    ] as const) {
      const document = await of(url, {});
      expect(document.markdown).toContain("tires the sea");
      expect(document.warning, url).toContain(reason);
    }
  });

  it("skipTlsVerification false rejects both invalid certificates and names the reason", async () => {
    for (const [url, reason] of [
      [site.secureUrl, "self-signed"],
      [site.expiredUrl, "expired"],
    ] as const) {
      await expect(of(url, { skipTlsVerification: false })).rejects.toMatchObject({
        status: 500,
        code: "SCRAPE_SSL_ERROR",
        message: expect.stringContaining(reason) as string,
      });
    }
  });

  it("skipTlsVerification defaults to false with headers and can be enabled", async () => {
    const headers = { "x-pass": "1" };
    await expect(of(site.expiredUrl, { headers })).rejects.toMatchObject({
      code: "SCRAPE_SSL_ERROR",
    });
    const document = await of(site.expiredUrl, { headers, skipTlsVerification: true });
    expect(document.metadata.statusCode).toBe(200);
  });

  it("an unverified page does not answer a verified request from the cache", async () => {
    await service.client.scrape(`${site.secureUrl}/tiny`, { skipTlsVerification: true });
    await expect(
      service.client.scrape(`${site.secureUrl}/tiny`, { skipTlsVerification: false }),
    ).rejects.toMatchObject({ code: "SCRAPE_SSL_ERROR" });
  });
});

describe("timeout", () => {
  it("ends a slow scrape with SCRAPE_TIMEOUT in time", async () => {
    const paths = ["/slow/never", "/slow/silent", "/slow/body?milliseconds=20000", "/endless"];
    const started = performance.now();
    const ends = paths.map(async (path) => {
      const error = await scrape(path, { timeout: 1_000 }).catch((reason: unknown) => reason);
      return { path, error, ms: performance.now() - started };
    });
    for (const { path, error, ms } of await Promise.all(ends)) {
      expect(error, path).toBeInstanceOf(TimeoutError);
      expect(error, path).toMatchObject({ status: 408, code: "SCRAPE_TIMEOUT" });
      expect(ms, path).toBeGreaterThan(950);
      // Long before the page would end; a busy machine may notice late.
      expect(ms, path).toBeLessThan(10_000);
    }
  });

  it("returns a slow page that arrives in time", async () => {
    const document = await scrape("/slow/headers?milliseconds=300", { timeout: 5_000 });
    expect(document.markdown).toContain("tires the sea");
  });
});

describe.skipIf(isRemote)("server without a browser", () => {
  let plain: Service;
  beforeAll(async () => {
    plain = await startService(site, { browser: "none" });
  });
  afterAll(() => plain.close());
  const url = (path: string): string => site.url + path;

  it("warns that waitFor and mobile had no effect", async () => {
    const { warning } = await plain.page({ url: url("/article"), waitFor: 100, mobile: true });
    expect(warning).toContain("waitFor");
    expect(warning).toContain("mobile");
  });

  it("answers 501 for actions, profiles and screenshots without a browser", async () => {
    for (const wish of [
      { actions: [{ type: "wait", milliseconds: 10 }] },
      { profile: { name: "desk" } },
      { formats: ["screenshot"] },
      { formats: ["branding"] },
    ]) {
      const { status, body } = await plain.scrape({ url: url("/article"), ...wish });
      expect(status, JSON.stringify(wish)).toBe(501);
      expect(body.code).toBe("NOT_IMPLEMENTED");
    }
  });

  it("reports an application shell without a browser", async () => {
    for (const path of ["/shell", "/shell-state"]) {
      const { warning, metadata } = await plain.page({ url: url(path) });
      expect(warning, path).toContain("scripts");
      expect(metadata?.error, path).toContain("shell");
    }
  });
});

describe("fields without effect", () => {
  it("rejects redactPII instead of returning unredacted text", async () => {
    const url = `${site.url}/article`;
    const wishes = [{ redactPII: true }, { redactPII: { mode: "fast", entities: ["EMAIL"] } }];
    for (const wish of wishes) {
      const refused = await service.scrape({ url, ...wish });
      expect([refused.status, refused.body.code]).toEqual([501, "NOT_IMPLEMENTED"]);
      expect(refused.body.error).toContain("redactPII");
    }
    const body = { url, scrapeOptions: { redactPII: true } };
    expect((await service.ask("/v2/crawl", { method: "POST", body })).status).toBe(501);
    const plain = await service.scrape({ url, onlyCleanContent: true });
    expect(plain.status).toBe(200);
    expect((plain.body.data as Document).warning).toContain("onlyCleanContent");
  });

  it("warns about each requested option that has no effect", async () => {
    const names = ["threatProtection", "auditMetadata", "safeMode", "useMock", "domainTools"];
    const { body } = await service.scrape({
      url: `${site.url}/article`,
      threatProtection: { mode: "normal", blacklist: ["a.example"] },
      auditMetadata: { username: "desk" },
      safeMode: true,
      useMock: "none",
      domainTools: true,
    });
    const { warning } = body.data as Document;
    for (const name of names) expect(warning).toContain(`${name} is ignored`);

    const quiet = await service.scrape({
      url: `${site.url}/article`,
      threatProtection: { mode: "off", blacklist: [] },
      safeMode: false,
      domainTools: false,
    });
    expect((quiet.body.data as Document).warning).toBeUndefined();
    const threatProtection = { blacklist: ["a.example"] };
    const map = await service.ask("/v2/map", {
      method: "POST",
      body: { url: site.url, threatProtection },
    });
    expect(map.body["warning"]).toContain("threatProtection is ignored");
    const search = await service.ask("/v2/search", {
      method: "POST",
      body: { query: "sea", threatProtection },
    });
    expect(search.body["warning"]).toContain("threatProtection is ignored");
  });

  it("accepts fields that clients send without effect", async () => {
    const { status, text } = await service.scrape({
      url: `${site.url}/article`,
      origin: "js-sdk@4.42.0",
      integration: "cli",
      blockAds: true,
      fastMode: true,
      proxy: "stealth",
      redactPII: false,
      useMock: "none",
      parsers: [{ type: "pdf" }],
      threatProtection: {},
      auditMetadata: { username: "desk" },
      headers: {},
      actions: [],
    });
    expect(status, text).toBe(200);
  });
});

describe("selectors without effect", () => {
  it("warns when excludeTags leaves no text, and about an invalid selector of attributes", async () => {
    const emptied = await scrape("/article", { excludeTags: ["body > *"] });
    expect(emptied.markdown).toBe("");
    expect(emptied.warning).toContain("excludeTags: the selectors match all text of the page");
    const some = await scrape("/article", { excludeTags: ["h1"] });
    expect(some.warning).toBeUndefined();

    const selectors = [
      { selector: "a[", attribute: "href" },
      { selector: "h1", attribute: "id" },
    ];
    const read = await scrape("/article", { formats: [{ type: "attributes", selectors }] });
    expect(read.attributes?.[0]?.values).toEqual([]);
    expect(read.warning).toBe(
      'attributes: Selector "a[" is not a valid CSS selector and was ignored.',
    );
  });
});

describe("markdown", () => {
  const page = made(
    '<title>Boats</title><h1 id="boats">Boats</h1><p>See <a href="/a" title="Tip">the list</a>.</p><h2>Sails</h2><p>Of canvas.</p>',
  );

  it("writes links, headings and front matter as requested, in chunks with their position", async () => {
    const { markdown, chunks } = await scrape(page, {
      onlyMainContent: false,
      markdown: {
        links: "text",
        firstHeadingLevel: 2,
        headingAnchors: true,
        frontMatter: true,
        chunks: { tokens: 100 },
      },
    });
    expect(markdown).toMatch(
      /^---\nurl: ".*"\ntitle: "Boats"\n---\n\n## Boats \{#boats\}\n\nSee the/,
    );
    expect(chunks?.map(({ path, fragment }) => [path, fragment])).toEqual([
      [["Boats"], "boats"],
      [["Boats", "Sails"], "boats"],
    ]);
    expect(chunks?.map(({ start, end }) => markdown?.slice(start, end))).toEqual(
      chunks?.map(({ text }) => text),
    );
  });

  it("leaves out titles of links unless requested", async () => {
    const plain = await scrape(page, { onlyMainContent: false });
    expect(plain.markdown).toContain(`[the list](${site.url}/a)`);
    const titled = await scrape(page, { onlyMainContent: false, markdown: { linkTitles: true } });
    expect(titled.markdown).toContain(`[the list](${site.url}/a "Tip")`);
  });

  it("warns when the Markdown was cut", async () => {
    const { markdown, warning } = await scrape("/article", { markdown: { maxTokens: 60 } });
    expect(markdown).toContain("# Fenwick");
    expect(warning).toMatch(/cut to \d+ of \d+ tokens/);
  });

  it("rejects markdown options without the markdown format", async () => {
    await expect(
      scrape("/article", { formats: ["html"], markdown: { links: "text" } }),
    ).rejects.toThrow("markdown");
  });
});
