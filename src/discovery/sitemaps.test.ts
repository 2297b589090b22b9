import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  listSitemapFaults,
  listSitemapSources,
  walkSitemaps,
  type FetchedSitemap,
  type SitemapSource,
  type WalkOptions,
} from "./sitemaps.ts";

const ROOT = "https://example.com/sitemap.xml";
const declared = (...urls: string[]): SitemapSource[] =>
  urls.map((url) => ({ url: new URL(url, ROOT).href, certainty: "declared" }));
type Body = string | Uint8Array | Error | Partial<FetchedSitemap>;

function answer(url: string, body: Body | undefined): FetchedSitemap {
  if (body instanceof Error) throw body;
  const base = { status: 200, url, contentType: "application/xml", body: Buffer.from("") };
  if (body === undefined) return { ...base, status: 404 };
  if (typeof body === "string") return { ...base, body: Buffer.from(body) };
  return body instanceof Uint8Array ? { ...base, body } : { ...base, ...body };
}

/** Walks the sitemaps of a site with these files. */
async function walk(files: Record<string, Body>, options: Partial<WalkOptions> = {}) {
  const asked: string[] = [];
  const { batches, report } = walkSitemaps({
    sources: declared("/sitemap.xml"),
    fetch: async (url) => {
      asked.push(url);
      return answer(url, files[url.replace("https://example.com", "")]);
    },
    ...options,
  });
  const pages: {
    url: string;
    title: string | undefined;
    description: string | undefined;
    from: string;
  }[] = [];
  for await (const { from, pages: some } of batches)
    for (const page of some) pages.push({ ...page, from });
  return {
    pages,
    urls: pages.map(({ url }) => url.replace("https://example.com", "")),
    asked,
    report,
  };
}
const read = async (body: Body) => (await walk({ "/sitemap.xml": body })).urls;
const urlset = (...locations: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map(
      (location) =>
        `<url><loc>${location}</loc><lastmod>2026-01-01</lastmod><priority>1</priority></url>`,
    )
    .join("\n")}</urlset>`;
const index = (...locations: string[]) =>
  `<sitemapindex>${locations.map((location) => `<sitemap><loc>${location}</loc></sitemap>`).join("")}</sitemapindex>`;

describe("walkSitemaps with one file", () => {
  it.each<[string, Body, string[]]>([
    ["a urlset", urlset("https://example.com/a", " \n/b?x=1&amp;y=2 "), ["/a", "/b?x=1&y=2"]],
    ["CDATA", urlset("<![CDATA[https://example.com/a?b&c]]>"), ["/a?b&c"]],
    ["prefixes", "<s:urlset xmlns:s='x'><s:url><s:loc>/a</s:loc></s:url></s:urlset>", ["/a"]],
    [
      "images and videos",
      "<urlset><url><loc>/a</loc><image:image><image:loc>/i.png</image:loc></image:image><video:video><video:player_loc>/v</video:player_loc></video:video></url></urlset>",
      ["/a"],
    ],
    [
      "languages",
      "<urlset><url><loc>/a</loc><xhtml:link rel='alternate' hreflang='de' href='/de'/></url></urlset>",
      ["/a", "/de"],
    ],
    [
      "a plain list",
      {
        body: Buffer.from("https://example.com/a\r\nhttps://example.com/b\n\nnonsense\n"),
        contentType: "text/plain",
      },
      ["/a", "/b"],
    ],
    [
      "a plain list with BOM, no end of line",
      "\uFEFFhttps://example.com/a\nhttps://example.com/b",
      ["/a", "/b"],
    ],
    ["one short line", "http://a.io/", ["http://a.io/"]],
    [
      "RSS",
      "<rss><channel><link>/home</link><item><title>A</title><link>https://example.com/a</link></item><item><guid>https://example.com/b</guid></item></channel></rss>",
      ["/a", "/b"],
    ],
    ["RSS 1.0", "<rdf:RDF><item rdf:about='x'><link>/a</link></item></rdf:RDF>", ["/a"]],
    [
      "Atom",
      "<feed><link href='/self'/><entry><link rel='edit' href='/e'/><link href='/a'/><title>A</title></entry></feed>",
      ["/a"],
    ],
    [
      "UTF-16",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(urlset("/ü"), "utf16le")]),
      ["/%C3%BC"],
    ],
    [
      "Latin-1",
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><urlset><url><loc>/ü</loc></url></urlset>',
        "latin1",
      ),
      ["/%C3%BC"],
    ],
    [
      "an unknown encoding",
      '<?xml version="1.0" encoding="nonsense"?><urlset><url><loc>/a</loc></url></urlset>',
      ["/a"],
    ],
    ["blank lines before the declaration", `\n\n ${urlset("/a")}`, ["/a"]],
    ["gzip", gzipSync(urlset("/a")), ["/a"]],
    ["a bare ampersand", urlset("/a?b&c", "/d"), ["/a?b&c", "/d"]],
    [
      "an unclosed element",
      "<urlset><url><loc>/a</loc><url><loc>/b</loc></url></urlset>",
      ["/a", "/b"],
    ],
    [
      "a wrong end tag",
      "<urlset><url><loc>/a</loc></ulr></url><url><loc>/b</loc></url></urlset>",
      ["/a", "/b"],
    ],
    ["a cut file", "<urlset><url><loc>/a</loc></url><url><loc>/b", ["/a"]],
    ["two roots", `${urlset("/a")}${urlset("/b")}`, ["/a", "/b"]],
    ["the same URL twice", urlset("/a", "/a"), ["/a"]],
    ["an empty urlset", "<urlset></urlset>", []],
    ["HTML", "<!DOCTYPE html><html><a href=/a><loc>/b</loc></html>", []],
    ["HTML without doctype", "<html><body>https://example.com/a</body></html>", []],
    ["XHTML", "<?xml version='1.0'?><html><body><url><loc>/b</loc></url></body></html>", []],
    ["JSON", '{"loc": "https://example.com/a"}', []],
    ["nothing", "", []],
    [
      "an entity of the document type",
      '<!DOCTYPE u [<!ENTITY x "boo">]><urlset><url><loc>/&x;</loc></url></urlset>',
      ["/&x;"],
    ],
  ])("reads the entries of %s", async (_, body, expected) => {
    expect(await read(body)).toEqual(expected);
  });

  it("keeps what can be decompressed of a truncated archive", async () => {
    const text = urlset(
      ...Array.from({ length: 3_000 }, (__, place) => `/page/${place}/${place * 7919}`),
    );
    const packed = gzipSync(text);
    const { urls } = await walk({ "/sitemap.xml": packed.subarray(0, packed.length / 2) });
    expect(urls.length).toBeGreaterThan(500);
    expect(urls[0]).toBe("/page/0/0");
  });

  it("stops at the entry limit and reports it", async () => {
    const many = urlset(...Array.from({ length: 12 }, (_, place) => `/${place}`));
    const { urls, report } = await walk({ "/sitemap.xml": many }, { maxEntriesPerFile: 10 });
    expect(urls).toHaveLength(10);
    expect(report.files[0]?.reason).toBe("more than 10 entries");
    const cut = await walk({ "/sitemap.xml": many }, { limit: 5 });
    expect([cut.urls.length, cut.report.cut]).toEqual([5, "more than 5 entries"]);
  });

  it("reads more than the 50,000 entries that the protocol allows", async () => {
    const many = urlset(...Array.from({ length: 50_010 }, (_, place) => `/${place}`));
    const { urls, report } = await walk({ "/sitemap.xml": many });
    expect([urls.length, listSitemapFaults(report)]).toEqual([50_010, []]);
  });

  it("reports a declared file that is not a sitemap, and a guessed one when the site was too busy", async () => {
    const page = await walk({ "/sitemap.xml": "<!doctype html><title>Hello</title>" });
    expect(listSitemapFaults(page.report)).toEqual([
      `1 of the site's sitemaps could not be read: ${ROOT} (no sitemap).`,
    ]);
    const guess: SitemapSource[] = [{ url: ROOT, certainty: "guess" }];
    for (const [status, faults] of [
      [503, [`1 of the site's sitemaps could not be read: ${ROOT} (status 503).`]],
      [404, []],
    ] as const) {
      const { report } = await walk({ "/sitemap.xml": { status } }, { sources: guess });
      expect(listSitemapFaults(report)).toEqual(faults);
    }
  });

  it("summarizes sitemap faults and names the first one", () => {
    const file = { kind: undefined, entries: 0, foreign: 0 };
    const failed = ["/a", "/b", "/c", "/d"].map((url) => ({
      ...file,
      url,
      outcome: "failed" as const,
      reason: "status 500",
    }));
    const short = { ...file, url: "/e", outcome: "read" as const, reason: "more than 10 entries" };
    const fine = { ...short, reason: undefined };
    const report = { files: [...failed, short, fine], filesOmitted: 0, cut: "more than 20 files" };
    expect(listSitemapFaults(report)).toEqual([
      "4 of the site's sitemaps could not be read: /a (status 500), /b (status 500), /c (status 500) and others.",
      "1 of the site's sitemaps was not read completely: /e (more than 10 entries).",
      "The sitemaps were not read completely: more than 20 files.",
    ]);
  });

  it("bounds the decompressed size", async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from(urlset("/a")), Buffer.alloc(60 * 1024 * 1024, 32)]),
    );
    const { urls, report } = await walk({ "/sitemap.xml": bomb });
    expect(urls).toEqual(["/a"]);
    expect(report.files[0]?.reason).toBe("larger than 52428800 bytes");
  });

  it("reads endless tags in bounded time", async () => {
    const started = process.cpuUsage();
    await read(`<urlset>${"<a>".repeat(300_000)}`);
    await read(`<urlset>${"</b>".repeat(300_000)}`);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(4_000);
  });

  it("never throws for any sitemap file", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            "<url>",
            "<loc>",
            "</loc>",
            "&",
            "<![CDATA[",
            "]]>",
            "<!--",
            "<?",
            "/a",
            "\0",
            "<!DOCTYPE x [",
            "'",
            "<urlset>",
            "</",
          ),
          { maxLength: 20 },
        ),
        async (parts) => void (await read(`<urlset>${parts.join("")}`)),
      ),
    );
  });
});

describe("walkSitemaps of a site", () => {
  it("follows nested sitemap indexes, each once", async () => {
    const { urls, asked, report } = await walk({
      "/sitemap.xml": index("/one.xml", "/more.xml", "/sitemap.xml"),
      "/more.xml": index("two.xml.gz", "/one.xml"),
      "/one.xml": urlset("/a"),
      "/two.xml.gz": gzipSync(urlset("/b", "/a")),
    });
    expect(urls).toEqual(["/a", "/b"]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(report.files.map(({ kind, entries }) => [kind, entries])).toEqual([
      ["index", 0],
      ["urlset", 1],
      ["index", 0],
      ["urlset", 2],
    ]);
  });

  it("continues when a sitemap fails and reports the outcome of each", async () => {
    const { urls, report } = await walk(
      {
        "/a.xml": new Error("reset"),
        "/b.xml": { status: 500 },
        "/c.xml": "<html></html>",
        "/d.xml": urlset("/d"),
      },
      { sources: declared("/a.xml", "/b.xml", "/c.xml", "/d.xml", "/e.xml") },
    );
    expect(urls).toEqual(["/d"]);
    expect(report.files.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["failed", "reset"],
      ["failed", "status 500"],
      ["ignored", "no sitemap"],
      ["read", undefined],
      ["failed", "status 404"],
    ]);
  });

  it("reads at most twenty files and counts the rest", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 30 }, (_, place) => [`/${place}.xml`, urlset(`/p${place}`)]),
    );
    const { urls, report } = await walk({ "/sitemap.xml": index(...Object.keys(files)), ...files });
    expect(urls).toHaveLength(19);
    expect([report.cut, report.filesOmitted]).toEqual(["more than 20 files", 11]);
  });

  it("does not follow sitemaps of other sites or return entries that are not accepted", async () => {
    const { urls, asked, report } = await walk(
      {
        "/sitemap.xml": index(
          "https://evil.example/s.xml",
          "https://cdn.example.com/s.xml",
          "/s.xml",
        ),
        "/s.xml": urlset("/a", "https://other.example/b", "http://[bad"),
      },
      { accepts: (url) => url.host === "example.com" },
    );
    expect(urls).toEqual(["/a"]);
    expect(asked).not.toContain("https://evil.example/s.xml");
    expect(asked).toContain("https://cdn.example.com/s.xml");
    expect(report.files.at(-1)).toMatchObject({ entries: 3, foreign: 2 });
    expect(report.filesOmitted).toBe(1);
  });

  it("resolves entries against the redirected sitemap address", async () => {
    const moved = { url: "https://example.com/maps/s.xml", body: Buffer.from(urlset("a")) };
    expect(await read(moved)).toEqual(["/maps/a"]);
  });

  it("stops when the time is up", async () => {
    const { urls, report } = await walk(
      { "/sitemap.xml": urlset("/a") },
      { signal: AbortSignal.abort() },
    );
    expect([urls, report.cut]).toEqual([[], "the time was up"]);
  });

  it("stops reading a large sitemap when the time limit is reached", async () => {
    const ending = new AbortController();
    const locations = Array.from({ length: 50_000 }, (_, index) => `https://a.example/${index}`);
    const { batches, report } = walkSitemaps({
      sources: [{ url: "https://a.example/sitemap.xml", certainty: "declared" }],
      signal: ending.signal,
      fetch: async (url) => ({
        status: 200,
        url,
        contentType: "application/xml",
        body: Buffer.from(
          `<urlset>${locations.map((loc) => `<url><loc>${loc}</loc></url>`).join("")}</urlset>`,
        ),
      }),
    });
    let count = 0;
    for await (const { pages } of batches) {
      count += pages.length;
      ending.abort();
    }
    expect(count).toBeLessThan(5_000);
    expect(report.files).toMatchObject([{ outcome: "read", reason: "the time was up" }]);
  });

  it("reads the sitemap at the root only when no other had an entry", async () => {
    const sources: SitemapSource[] = [
      ...declared("/robots.xml"),
      { url: ROOT, certainty: "lastResort" },
    ];
    const files = { "/robots.xml": urlset("/a"), "/sitemap.xml": urlset("/b") };
    expect((await walk(files, { sources })).asked).toEqual(["https://example.com/robots.xml"]);
    const empty = await walk({ ...files, "/robots.xml": "<urlset/>" }, { sources });
    expect(empty.urls).toEqual(["/b"]);
    const nested = { ...files, "/robots.xml": index("/n.xml"), "/n.xml": urlset("/n") };
    expect((await walk(nested, { sources })).urls).toEqual(["/n"]);
  });
});

describe("listSitemapSources (wire contract 5.6)", () => {
  it.each<[string, string[], string[]]>([
    ["https://example.com/", [], ["lastResort https://example.com/sitemap.xml"]],
    [
      "https://www.example.com/",
      ["/s.xml"],
      ["declared https://www.example.com/s.xml", "lastResort https://www.example.com/sitemap.xml"],
    ],
    [
      "https://example.com/docs/",
      [],
      ["guess https://example.com/docs/sitemap.xml", "lastResort https://example.com/sitemap.xml"],
    ],
    [
      "https://example.com/docs/index.html",
      [],
      ["guess https://example.com/docs/sitemap.xml", "lastResort https://example.com/sitemap.xml"],
    ],
    [
      "https://docs.example.com/",
      [],
      ["guess https://example.com/sitemap.xml", "lastResort https://docs.example.com/sitemap.xml"],
    ],
    [
      "https://example.com/sitemap_index.xml",
      ["/sitemap_index.xml"],
      [
        "declared https://example.com/sitemap_index.xml",
        "lastResort https://example.com/sitemap.xml",
      ],
    ],
    ["http://127.0.0.1:8080/", [], ["lastResort http://127.0.0.1:8080/sitemap.xml"]],
  ])("lists sitemap sources for %s with %j", (start, fromRobots, expected) => {
    const sources = listSitemapSources(new URL(start), fromRobots);
    expect(sources.map(({ certainty, url }) => `${certainty} ${url}`)).toEqual(expected);
  });
});
