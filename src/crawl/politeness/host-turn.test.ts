import { describe, expect, it } from "vitest";
import { buildCrawlWork, buildLeased } from "../../../test/crawl-work.ts";
import { warnAboutDelay } from "./host-turn.ts";

describe("robots.txt crawl delay", () => {
  it("warns about a Crawl-delay of 5 s or more, once per host and for at most five hosts", async () => {
    const warnings: string[] = [];
    const parts = { warn: async (_job: string, warning: string) => void warnings.push(warning) };
    const job = buildCrawlWork("http://slow.test/");
    const tell = async (host: string, delayMs: number) =>
      warnAboutDelay(parts, { page: buildLeased(`http://${host}/`), job }, delayMs);
    await tell("quick.test", 4_900);
    expect(warnings).toEqual([]);
    await tell("slow.test", 7_500);
    await tell("slow.test", 7_500);
    const told = "slow.test wants 7.5 s between pages (Crawl-delay in its robots.txt).";
    expect(warnings).toEqual([told]);
    for (let number = 0; number < 10; number++) await tell(`${number}.test`, 60_000);
    expect(warnings).toHaveLength(5);
  });
});
