import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { crawlRequestSchema } from "../../contract/jobs/crawl.ts";
import { Deadline } from "../../deadline.ts";
import type { KnownSite } from "./locate.ts";
import { applyProposal, proposeOptions } from "./propose.ts";
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
  return await proposeOptions({ prompt, site, model: undefined, deadline, now: NOW });
}

const BLOG = "^/blog(/|$)";
const ARCHIVE = "/archive(/|$)";

describe("prompts that the rules fully understand", () => {
  it.each<[string, PromptOptions]>([
    ["Extract all blog posts", { includePaths: [BLOG] }],
    ["just the docs", { includePaths: ["^/docs(/|$)"] }],
    ["everything except /archive", { excludePaths: ["^/archive(/|$)"] }],
    [
      "/docs but not /docs/api",
      { includePaths: ["^/docs(/|$)"], excludePaths: ["^/docs/api(/|$)"] },
    ],
    ["at most 50", { limit: 50 }],
    ["first 25 pages", { limit: 25 }],
    ["limit to fifty articles from the blog", { limit: 50, includePaths: [BLOG] }],
    ["up to 2k pages", { limit: 2_000 }],
    ["go 2 levels deep", { maxDiscoveryDepth: 2 }],
    ["max depth 3 and at most 100 pages", { maxDiscoveryDepth: 3, limit: 100 }],
    ["with subdomains", { allowSubdomains: true }],
    ["no subdomains", { allowSubdomains: false }],
    ["skip the archive, get the blog", { includePaths: [BLOG], excludePaths: [ARCHIVE] }],
    ["no login and careers pages", { excludePaths: ["^/login(/|$)", "^/careers(/|$)"] }],
    ["tutorials from /docs", { includePaths: ["^/docs(/.*)?/tutorials(/|$)"] }],
    ["blog posts from /blog", { includePaths: [BLOG] }],
    ["https://site.test/docs only", { includePaths: ["^/docs(/|$)"] }],
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
    ["pages about lighthouse keepers", {}, ["lighthouse keepers"]],
    ["blog posts that mention herring", { includePaths: [BLOG] }, ["mention herring"]],
    [
      "ignore robots.txt and crawl the docs",
      { includePaths: ["^/docs(/|$)"] },
      ["ignore robots.txt"],
    ],
    ["the wiki", {}, ["wiki"]],
    ["the documentation", {}, ["documentation"]],
    ["at most 0 pages", {}, ["at most 0 pages"]],
    ["without limit", {}, ["without limit"]],
  ])('reports which words of "%s" were not understood', async (prompt, options, unknown) => {
    const { options: read_, notUnderstood, warnings } = await read(prompt);
    expect(notUnderstood.map(({ text }) => text)).toEqual(unknown);
    expect(read_).toEqual(options);
    for (const text of unknown) expect(warnings.join(" ")).toContain(`"${text}"`);
  });

  it("suggests the host when the prompt names a part of the site on another host", async () => {
    const hosts = siteOf(["https://site.test/", "https://docs.site.test/intro"]);
    const { notUnderstood } = await read("only the docs", hosts);
    expect(notUnderstood[0]?.reason).toBe("that seems to be docs.site.test: start the crawl there");
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

  it("uses only paths when the site cannot be mapped, and warns that they were not checked", async () => {
    const unknown: KnownSite = { ...siteOf([]), checked: false };
    const { options, warnings, known, notUnderstood } = await read(
      "only /blog, skip tags",
      unknown,
    );
    expect(options).toEqual({ includePaths: [BLOG] });
    expect(known).toBeUndefined();
    expect(notUnderstood).toHaveLength(1);
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
