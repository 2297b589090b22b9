// Jobs and pages for the store tests.
import { v7 } from "uuid";
import type { FinishedPage, PageOutcome } from "../src/store/jobs/finish.ts";
import type { FoundUrl, LeasedPage } from "../src/store/jobs/frontier.ts";
import type { NewJob } from "../src/store/jobs/job-record.ts";

const HOUR = 3_600_000;

export function buildJob(overrides: Partial<NewJob> = {}): NewJob {
  const now = Date.now();
  return {
    id: v7(),
    accountId: v7(),
    keyId: v7(),
    kind: "crawl",
    url: "http://site.example/",
    options: { page: { formats: [{ type: "markdown" }] } },
    limit: 1_000,
    maxConcurrency: 1_000,
    hold: null,
    webhook: null,
    zeroDataRetention: false,
    seeding: false,
    createdAt: now,
    expiresAt: now + 24 * HOUR,
    ...overrides,
  };
}

export const buildUrl = (identity: number | bigint): string => `http://site.example/${identity}`;

export function buildFound(identity: number, overrides: Partial<FoundUrl> = {}): FoundUrl {
  return {
    identity: BigInt(identity),
    url: buildUrl(identity),
    host: "site.example",
    depth: 1,
    source: "link",
    ...overrides,
  };
}

export function buildOutcome(
  page: Pick<LeasedPage, "url" | "identity">,
  overrides: Partial<Extract<PageOutcome, { type: "document" }>> = {},
): PageOutcome {
  const scrapeId = v7();
  return {
    type: "document",
    scrapeId,
    finalUrl: page.url,
    statusCode: 200,
    document: { markdown: `# ${page.url}`, metadata: { scrapeId, sourceURL: page.url } } as never,
    same: { target: { identity: page.identity, by: "redirect" }, content: page.identity },
    credits: 1,
    ...overrides,
  };
}

export const FAILED: PageOutcome = {
  type: "failed",
  error: { code: "SCRAPE_DNS_RESOLUTION_ERROR", message: "no such host" },
  credits: 1,
};

export function buildFinished(
  page: LeasedPage,
  links: readonly FoundUrl[] = [],
  outcome: PageOutcome = buildOutcome(page),
): FinishedPage {
  return { page, outcome, links };
}
