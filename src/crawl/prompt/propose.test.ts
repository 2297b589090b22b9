import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { crawlRequestSchema } from "../../contract/jobs/crawl.ts";
import { Deadline } from "../../deadline.ts";
import type { KnownSite } from "./locate.ts";
import { applyProposal, propose } from "./propose.ts";
import type { PromptOptions } from "./reading.ts";

const NOW = Date.UTC(2026, 10, 21);
const PATHS = [
  "/",
  "/about",
  "/pricing",
  "/blog",
  "/blog/2023/05/old-lighthouse",
  "/blog/2024/02/first-post",
  "/blog/2024/09/harbour-lights",
  "/blog/2025/01/second-post",
  "/blog/archive/2019",
  "/archive",
  "/archive/2018/x",
  "/tags/sea",
  "/author/ann",
  "/docs/intro",
  "/docs/api/reference",
  "/docs/tutorials/knots",
  "/de/ueber-uns",
  "/fr/a-propos",
  "/careers",
  "/login",
  "/files/report.pdf",
  "/lighthouses/eddystone",
];
const siteOf = (paths: readonly string[], start = "/", host = "https://site.test"): KnownSite => ({
  start: new URL(start, host),
  urls: paths.map((path) => new URL(path, host)),
  checked: true,
});
const SITE = siteOf(PATHS);

async function read(prompt: string, site: KnownSite = SITE) {
  using deadline = Deadline.start(5_000);
  return await propose({ prompt, site, model: undefined, deadline, now: NOW });
}

const BLOG = "^/blog(/|$)";
const ARCHIVE = "/archive(/|$)";
const FROM_2024 = "^/blog(/.*)?[/_-](2024|2025)([/_.-]|$)";

describe("prompts that the rules fully understand", () => {
  it.each<[string, PromptOptions]>([
    [
      "only blog posts from /blog, skip the archive, at most 50, with subdomains",
      { includePaths: [BLOG], excludePaths: [ARCHIVE], limit: 50, allowSubdomains: true },
    ],
    ["just the docs", { includePaths: ["^/docs(/|$)"] }],
    ["Only crawl the documentation.", { includePaths: ["^/docs(/|$)"] }],
    [
      "crawl the blog but skip tag pages and author pages",
      { includePaths: [BLOG], excludePaths: ["^/tags(/|$)", "^/author(/|$)"] },
    ],
    ["everything except /archive", { crawlEntireDomain: true, excludePaths: ["^/archive(/|$)"] }],
    [
      "Everything under /docs, no more than 200 pages",
      { includePaths: ["^/docs(/|$)"], limit: 200 },
    ],
    ["the whole site, max 1,000 pages", { crawlEntireDomain: true, limit: 1_000 }],
    ["first 25 pages", { limit: 25 }],
    ["limit to fifty articles from the blog", { limit: 50, includePaths: [BLOG] }],
    ["up to 2k pages", { limit: 2_000 }],
    ["go 2 levels deep", { maxDiscoveryDepth: 2 }],
    ["max depth 3 and at most 100 pages", { maxDiscoveryDepth: 3, limit: 100 }],
    ["no deeper than three clicks", { maxDiscoveryDepth: 3 }],
    ["only pages linked from this page", { maxDiscoveryDepth: 1 }],
    ["only this page", { limit: 1, maxDiscoveryDepth: 0, sitemap: "skip" }],
    ["sitemap only", { sitemap: "only" }],
    ["Use only the sitemap, at most 500 urls", { sitemap: "only", limit: 500 }],
    ["ignore the sitemap and follow external links", { sitemap: "skip", allowExternalLinks: true }],
    ["without query strings", { ignoreQueryParameters: true }],
    [
      "drop url parameters and include subdomains",
      { ignoreQueryParameters: true, allowSubdomains: true },
    ],
    ["no subdomains, no external links", { allowSubdomains: false, allowExternalLinks: false }],
    ["stay on this domain", { allowExternalLinks: false }],
    ["wait 2 seconds between pages", { delay: 2 }],
    ["500 ms delay between requests", { delay: 0.5 }],
    ["be gentle to the server", { delay: 1 }],
    ["one page every 5 seconds", { delay: 5 }],
    ["blog posts from 2024 on", { includePaths: [FROM_2024] }],
    [
      "only posts since September 2024",
      {
        includePaths: [
          "^/blog(/.*)?[/_-](2025)([/_.-]|$)",
          "^/blog(/.*)?[/_-]2024[/_-](0?9|0?10|0?11|0?12)([/_.-]|$)",
        ],
      },
    ],
    [
      "skip everything before 2020",
      { crawlEntireDomain: true, excludePaths: ["[/_-](2018|2019)([/_.-]|$)"] },
    ],
    [
      "articles between 2023 and 2024",
      { includePaths: ["^/blog(/.*)?[/_-](2023|2024)([/_.-]|$)"] },
    ],
    ["posts from last year", { includePaths: ["^/blog(/.*)?[/_-](2025)([/_.-]|$)"] }],
    ["only English", { excludePaths: ["^/de(-[A-Za-z]{2})?(/|$)", "^/fr(-[A-Za-z]{2})?(/|$)"] }],
    ["only the German pages", { includePaths: ["^/de(-[A-Za-z]{2})?(/|$)"] }],
    ["skip the French version", { excludePaths: ["^/fr(-[A-Za-z]{2})?(/|$)"] }],
    ["no translations", { excludePaths: ["^/de(-[A-Za-z]{2})?(/|$)", "^/fr(-[A-Za-z]{2})?(/|$)"] }],
    ["no PDFs", { excludePaths: ["\\.pdf$"] }],
    [
      "don't crawl the login or careers pages",
      { excludePaths: ["^/login(/|$)", "^/careers(/|$)"] },
    ],
    [
      "Skip the archive. Get the pricing page.",
      { includePaths: ["^/pricing(/|$)"], excludePaths: [ARCHIVE] },
    ],
    ["skip the archive, get the blog", { includePaths: [BLOG], excludePaths: [ARCHIVE] }],
    ["tutorials from /docs", { includePaths: ["^/docs(/.*)?/tutorials(/|$)"] }],
    [
      "pages about lighthouses",
      { includePaths: ["/(?:[^/]*[-_.])?lighthouse(?:s|es)?(?:[-_.][^/]*)?(/|$)"] },
    ],
    [
      "/blog/* and /docs but not /docs/api",
      { includePaths: [BLOG, "^/docs(/|$)"], excludePaths: ["^/docs/api(/|$)"] },
    ],
    ["https://site.test/docs only", { includePaths: ["^/docs(/|$)"] }],
    ["respect robots.txt, 10 pages max", { limit: 10 }],
    ["", {}],
  ])('reads crawl options from the prompt "%s"', async (prompt, options) => {
    const proposal = await read(prompt);
    expect(proposal.notUnderstood).toEqual([]);
    expect(proposal.options).toEqual(options);
    expect(proposal.warnings).toEqual([]);
    const request = { url: "https://site.test/", ...proposal.options };
    expect(crawlRequestSchema.safeParse(request).success).toBe(true);
  });
});

describe("prompts that the rules do not fully understand", () => {
  it.each<[string, PromptOptions, string[]]>([
    ["only the interesting posts", {}, ["interesting posts"]],
    ["asdf qwer zxcv", {}, ["asdf qwer zxcv"]],
    ["the newest blog posts, at most 5", { limit: 5 }, ["newest blog posts"]],
    ["pages with a table of prices in euros", {}, ["table", "prices", "euros"]],
    ["blog posts that mention herring", { includePaths: [BLOG] }, ["mention herring"]],
    [
      "ignore robots.txt and crawl the docs",
      { includePaths: ["^/docs(/|$)"] },
      ["ignore robots.txt"],
    ],
    ["the wiki", {}, ["wiki"]],
    [
      "only Japanese pages",
      { excludePaths: ["^/de(-[A-Za-z]{2})?(/|$)", "^/fr(-[A-Za-z]{2})?(/|$)"] },
      [],
    ],
    ["posts from 2031", { includePaths: [BLOG] }, ["from 2031"]],
    ["wait 5 minutes between pages", {}, ["wait 5 minutes between pages"]],
    ["at most 0 pages", {}, ["at most 0 pages"]],
    ["without limit", {}, ["without limit"]],
  ])('reports which words of "%s" were not understood', async (prompt, options, unknown) => {
    const { options: read_, notUnderstood, warnings } = await read(prompt);
    expect(notUnderstood.map(({ text }) => text)).toEqual(unknown);
    expect(read_).toEqual(options);
    for (const text of unknown) expect(warnings.join(" ")).toContain(`"${text}"`);
  });

  it("reports years and languages that the site's URLs do not contain", async () => {
    const plain = siteOf(["/", "/a", "/b"]);
    const { notUnderstood } = await read("in German, since 2024", plain);
    expect(new Set(notUnderstood.map(({ reason }) => reason))).toEqual(
      new Set([
        "the URLs of this site contain no years",
        "the URLs of this site do not tell languages apart",
      ]),
    );
  });

  it("suggests the host when the prompt names a part of the site on another host", async () => {
    const hosts = siteOf(["https://site.test/", "https://docs.site.test/intro"]);
    const { notUnderstood } = await read("only the docs", hosts);
    expect(notUnderstood[0]?.reason).toBe("that seems to be docs.site.test: start the crawl there");
  });
});

describe("combined conditions", () => {
  it.each<[string, string[]]>([
    [
      "only blog posts from 2024",
      ["/blog/2024/02/first-post", "/blog/2024/09/harbour-lights", "/blog/2025/01/second-post"],
    ],
    ["blog posts from before 2024", ["/blog/2023/05/old-lighthouse", "/blog/archive/2019"]],
    ["PDFs from /files", ["/files/report.pdf"]],
  ])('builds patterns that match only the pages meant by "%s"', async (prompt, paths) => {
    const { options } = await read(prompt);
    const patterns = (options.includePaths ?? []).map((pattern) => new RegExp(pattern));
    expect(PATHS.filter((path) => patterns.some((pattern) => pattern.test(path)))).toEqual(paths);
  });
});

describe("proposals checked against the site", () => {
  it("counts the URLs a crawl would fetch and warns when there are none", async () => {
    const { known } = await read("only the blog, skip the archive");
    expect(known).toEqual({ urls: PATHS.length, matching: 5 });
    const nothing = await read("only /nowhere");
    expect(nothing.known?.matching).toBe(0);
    expect(nothing.warnings.join(" ")).toContain("None of the 22 known URLs");
  });

  it("sets crawlEntireDomain when the prompt names a part beside the start path", async () => {
    const below = siteOf(PATHS, "/docs/intro");
    expect((await read("only the blog", below)).options).toEqual({
      includePaths: [BLOG],
      crawlEntireDomain: true,
    });
  });

  it("falls back to usual path names without known URLs and warns that nothing was checked", async () => {
    const unknown: KnownSite = { ...siteOf([]), checked: false };
    const { options, warnings, known, notUnderstood } = await read(
      "only /blog, skip tags, since 2024, lighthouses",
      unknown,
    );
    expect(options).toEqual({
      includePaths: [BLOG],
      excludePaths: ["/(tag|tags|topic|topics)(/|$)"],
    });
    expect(known).toBeUndefined();
    expect(notUnderstood).toHaveLength(2);
    expect(warnings.join(" ")).toContain("not checked against it");
  });

  it("lets explicit fields win over the proposal", () => {
    const options = crawlRequestSchema.parse({
      url: "https://site.test",
      limit: 7,
      ignoreSitemap: true,
    });
    const proposed = { limit: 50, sitemap: "only", delay: 2, includePaths: ["^/blog"] } as const;
    const applied = applyProposal(
      options,
      { ...proposed, includePaths: ["^/blog"] },
      new Set(["url", "limit", "ignoreSitemap"]),
    );
    expect(applied).toMatchObject({
      limit: 7,
      sitemap: "skip",
      delay: 2,
      includePaths: ["^/blog"],
    });
  });

  it("handles a path with many asterisks in linear time", async () => {
    const site = siteOf(["/", ...["x", "y", "z"].map((end) => `/${"a".repeat(120)}${end}`)]);
    const from = threadCpuMs();
    await read("recipes from /*a*a*a*a*a*b", site);
    expect(threadCpuMs() - from).toBeLessThan(1_000);
  });

  it("handles a long prompt in linear time", async () => {
    const from = threadCpuMs();
    await read("skip the a b 1,000,000 and without with ".repeat(240));
    expect(threadCpuMs() - from).toBeLessThan(2_000);
  });
});

it("finds file names when the prompt's word has a single letter", async () => {
  const site = siteOf(["/", "/c-api/index.html", "/library/json.html", "/capital.html"]);
  const { options, notUnderstood } = await read("skip the C API", site);
  expect(notUnderstood).toEqual([]);
  const [pattern = ""] = options.excludePaths ?? [];
  expect("/c-api/index.html").toMatch(new RegExp(pattern));
  expect("/capital.html").not.toMatch(new RegExp(pattern));
});
