import { describe, expect, it } from "vitest";
import { scrapeRequestSchema } from "../contract/scrape.ts";
import { createLogger } from "../log.ts";
import type { JobDefinition } from "../queue/definition.ts";
import type { Landing } from "../store/frontier.ts";
import { createSeeder, type SeederParts } from "./seed.ts";
import { createWakeUps } from "./wake-up.ts";

const CRAWL_ID = "0199f0c0-0000-7000-8000-000000000001";
const OPEN: Landing = { isOpen: true, finalUrl: undefined };
const LANDED: Landing = { isOpen: false, finalUrl: "http://new.example/home" };

/** Seeds a crawl whose start URL needs `landsAfterMs` to be there; the start of the sitemaps that were read. */
async function seedWith(timeoutMs: number, landsAfterMs: number): Promise<string | undefined> {
  let clock = 0;
  let definition: JobDefinition<{ crawlId: string }> | undefined;
  let read: string | undefined;
  const page = scrapeRequestSchema.parse({ url: "http://old.example/", timeout: timeoutMs });
  const seeder = createSeeder({
    queue: {
      work: async ([made]: [typeof definition]) => void (definition = made),
      enqueue: async () => undefined,
    },
    jobs: {
      load: async () => ({
        id: CRAWL_ID,
        state: "scraping",
        seeding: true,
        url: "http://old.example/",
        options: { crawl: { sitemap: "include" }, page },
      }),
      seeding: async () => [],
      endSeeding: async () => ({ ended: false }),
      warn: async () => undefined,
    },
    frontier: {
      landing: async () => {
        clock += 5_000;
        return clock > landsAfterMs ? LANDED : OPEN;
      },
    },
    robots: { load: async () => ({ state: "missing" }), decideKnown: () => undefined },
    readSitemaps: async ({ start }: { start: URL }) => {
      read = start.href;
      return { batches: (async function* () {})(), report: { files: [] } };
    },
    userAgent: "test",
    wakeUps: createWakeUps(),
    log: createLogger("silent"),
    now: () => clock,
    onEnded: () => undefined,
  } as unknown as SeederParts);
  seeder.start(true);
  await definition?.handle({ crawlId: CRAWL_ID }, {
    number: 1,
    signal: new AbortController().signal,
  } as never);
  await seeder.close();
  return read;
}

describe("sitemaps of a crawl whose start URL moves to another site", () => {
  it("wait for it as long as the request gives it", async () => {
    expect(await seedWith(30_000, 25_000)).toBe("http://new.example/home");
  });

  it("are those of the start URL when it takes longer", async () => {
    expect(await seedWith(1_000, 40_000)).toBe("http://old.example/");
  });
});
