import { describe, expect, it } from "vitest";
import type { RefusalCount, StartFate } from "../store/jobs/job-ledger.ts";
import { buildRecord } from "../../test/crawl-work.ts";
import { explainFewResults } from "./few-results.ts";

const PATH = "not below /docs/ (crawlEntireDomain)";

const READ: StartFate = { fate: "fetched", reason: undefined, statusCode: 200 };

type Case = { readonly url?: string; readonly crawl?: object; readonly start?: StartFate };

function say(
  completed: number,
  refusals: readonly (readonly [RefusalCount["fate"], string, number])[],
  { url = "http://site.example/docs/", crawl = {}, start = READ }: Case = {},
): string | undefined {
  const counts = refusals.map(([fate, reason, count]) => ({ fate, reason, count }));
  const discovered = completed + counts.reduce((sum, { count }) => sum + count, 0);
  const options = { crawl: { limit: 10, crawlEntireDomain: false, ...crawl } };
  const job = buildRecord({ state: "completed", url, completed, discovered, options });
  return explainFewResults(job, { refusals: counts, start });
}

describe("warning about a crawl with few results", () => {
  it("suggests crawlEntireDomain when the rest of the site is above the start path", () => {
    expect(say(1, [["scope", PATH, 7]])).toBe(
      "Only 1 page was found from http://site.example/docs/ on. Of 8 URLs seen, 7 are not below the start's path. " +
        "Set crawlEntireDomain to crawl the whole site, or start at http://site.example/.",
    );
    expect(say(1, [])).toContain("start at http://site.example/.");
  });

  it("lists the other causes of few results, the most frequent first", () => {
    const refusals = [
      ["scope", "matches none of includePaths", 1],
      ["robots", "line 2: Disallow: /a", 2],
      ["robots", "line 3: Disallow: /b", 2],
      ["scope", "the start URL is left out by includePaths or excludePaths", 1],
    ] as const;
    expect(say(0, refusals, { url: "http://site.example/" })).toBe(
      "No page was found from http://site.example/ on. " +
        "Of 6 URLs seen, 4 are forbidden by robots.txt, 1 matches none of includePaths.",
    );
    expect(say(0, [["scope", PATH, 9], ...refusals])).not.toContain("crawlEntireDomain");
  });

  it("adds no warning when one page is all there is or all that was requested", () => {
    const external = ["scope", "other.example is another site (allowExternalLinks)", 3] as const;
    expect(say(1, [external], { url: "http://site.example/" })).toBeUndefined();
    expect(say(1, [["scope", PATH, 7]], { crawl: { limit: 1 } })).toBeUndefined();
    expect(say(2, [["scope", PATH, 7]])).toBeUndefined();
    expect(say(1, [], { crawl: { crawlEntireDomain: true } })).toBeUndefined();
  });
});

describe("warning about an unreadable start URL", () => {
  const answered = (statusCode: number): StartFate => ({ ...READ, statusCode });
  const failed: StartFate = {
    fate: "error",
    reason: "site.example refused the connection.",
    statusCode: undefined,
  };

  it.each([404, 410])(
    "reports that the start URL answered %i and where to start instead",
    (statusCode) => {
      const said = say(1, [["scope", PATH, 7]], { start: answered(statusCode) });
      expect(said).toBe(
        `The start URL http://site.example/docs/ could not be read: it answered ${statusCode}. ` +
          "Of 8 URLs seen, 7 are not below the start's path. Check the URL, or start at http://site.example/.",
      );
      expect(say(1, [], { url: "http://site.example/", start: answered(statusCode) })).toBe(
        `The start URL http://site.example/ could not be read: it answered ${statusCode}.`,
      );
    },
  );

  it.each([401, 403, 500, 503])(
    "reports that the start URL answered %i without a suggestion",
    (statusCode) => {
      expect(say(1, [], { start: answered(statusCode) })).toBe(
        `The start URL http://site.example/docs/ could not be read: it answered ${statusCode}.`,
      );
    },
  );

  it("reports the error of the start URL and counts the other failed URLs", () => {
    const said = "The start URL http://site.example/docs/ could not be read: ";
    expect(say(1, [["error", failed.reason ?? "", 1]], { start: failed })).toBe(
      `${said}site.example refused the connection.`,
    );
    expect(say(1, [["error", "of each its own", 3]], { start: failed })).toBe(
      `${said}site.example refused the connection. Of 4 URLs seen, 2 could not be fetched.`,
    );
  });
});
