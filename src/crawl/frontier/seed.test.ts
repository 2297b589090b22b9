import { describe, expect, it } from "vitest";
import { scrapeRequestSchema } from "../../contract/page/scrape.ts";
import { walkSitemaps } from "../../discovery/sitemaps.ts";
import type { RunContext } from "../../jobs/kind.ts";
import type { StartOutcome } from "../../store/jobs/frontier.ts";
import { createRobots } from "../../discovery/robots.ts";
import { buildRecord } from "../../../test/crawl-work.ts";
import { addSitemaps, type SeedParts } from "./seed.ts";
import { createWakeUps } from "../../jobs/wake-up.ts";

const CRAWL_ID = "0199f0c0-0000-7000-8000-000000000001";
const OPEN: StartOutcome = { isOpen: true, finalUrl: undefined };
const LANDED: StartOutcome = { isOpen: false, finalUrl: "http://new.example/home" };

/**
 * Seeds a crawl whose start URL takes `landsAfterMs`; returns the start of the sitemaps that were
 * read.
 */
async function seedWith(
  timeoutMs: number,
  landsAfterMs: number,
  given: Partial<SeedParts> = {},
  warnings: string[] = [],
): Promise<string | undefined> {
  let clock = 0;
  let read: string | undefined;
  const page = scrapeRequestSchema.parse({ url: "http://old.example/", timeout: timeoutMs });
  const parts: SeedParts = {
    frontier: {
      add: async () => ({ added: true, accepted: 0, held: 0, refused: 0, known: 0 }),
      startOutcome: async () => {
        clock += 5_000;
        return clock > landsAfterMs ? LANDED : OPEN;
      },
    },
    robots: createRobots({
      fetchText: async () => ({ status: 404, contentType: "text/plain", body: new Uint8Array() }),
      now: () => clock,
    }),
    readSitemaps: async ({ start }: { start: URL }) => {
      read = start.href;
      const report = { files: [], filesOmitted: 0, cut: undefined };
      return { batches: (async function* () {})(), report };
    },
    userAgent: "test",
    wakeUps: createWakeUps(),
    now: () => clock,
    ...given,
  };
  const context: Pick<RunContext, "job" | "signal" | "warn"> = {
    job: buildRecord({
      id: CRAWL_ID,
      url: "http://old.example/",
      options: { crawl: { sitemap: "include" }, page },
    }),
    signal: new AbortController().signal,
    warn: async (warning: string) => void warnings.push(warning),
  };
  await addSitemaps(parts, context);
  return read;
}

describe("sitemaps of a redirected start URL", () => {
  it("waits for the redirect of the start URL as long as the request's timeout", async () => {
    expect(await seedWith(30_000, 25_000)).toBe("http://new.example/home");
  });

  it("reads the sitemaps of the original start URL when the redirect takes too long", async () => {
    expect(await seedWith(1_000, 40_000)).toBe("http://old.example/");
  });
});

describe("sitemap URL limit", () => {
  const siteOf = (count: number): SeedParts["readSitemaps"] => {
    const entries = Array.from(
      { length: count },
      (_, at) => `<url><loc>http://old.example/${at}</loc></url>`,
    );
    const body = Buffer.from(`<urlset>${entries.join("")}</urlset>`);
    const url = "http://old.example/sitemap.xml";
    return async ({ limit, signal }) =>
      walkSitemaps({
        sources: [{ url, certainty: "declared" }],
        fetch: async () => ({ status: 200, url, contentType: "application/xml", body }),
        limit,
        signal,
      });
  };
  const warningsFor = async (count: number): Promise<string[]> => {
    const warnings: string[] = [];
    await seedWith(1_000, 0, { readSitemaps: siteOf(count), maxSitemapUrls: 1_500 }, warnings);
    return warnings;
  };

  it("warns with the limit when the sitemaps list more URLs than a crawl takes", async () => {
    const warnings = await warningsFor(1_501);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("more than 1,500 URLs, the maximum per crawl");
  });

  it("does not warn when the sitemaps list exactly the limit", async () => {
    expect(await warningsFor(1_500)).toEqual([]);
  });
});
