// Adds the sitemaps' URLs to the frontier. The run of the crawl does this in parallel to the first
// pages, and the crawl does not end before it.
import { setTimeout as pause } from "node:timers/promises";
import type { RobotsStore } from "../../discovery/robots.ts";
import { listSitemapFaults } from "../../discovery/sitemaps.ts";
import type { RunContext } from "../../jobs/kind.ts";
import { WORK, type WakeUps } from "../../jobs/wake-up.ts";
import type { FoundUrl, FrontierStore } from "../../store/jobs/frontier.ts";
import type { JobRecord } from "../../store/jobs/job-record.ts";
import { hashIdentity, toIdentity } from "../../url/identity.ts";
import { judgeUrl } from "../../url/scope.ts";
import { computeReach } from "../../url/site.ts";
import { ignoreUnreachable, toFound } from "./follow.ts";
import { readStoredOptions } from "../stored-options.ts";
import type { ReadSitemaps } from "../sitemaps/sitemap-urls.ts";
import { buildScope } from "../worker-jobs.ts";

export type SeedParts = {
  readonly frontier: Pick<FrontierStore, "add" | "startOutcome">;
  readonly robots: RobotsStore;
  readonly readSitemaps: ReadSitemaps;
  readonly userAgent: string;
  readonly wakeUps: WakeUps;
  readonly now: () => number;
  /** Maximum URLs a crawl takes from sitemaps; default 200,000. */
  readonly maxSitemapUrls?: number;
};

/** Maximum URLs that one crawl takes from sitemaps. docs/crawling.md names it. */
const MAX_SITEMAP_URLS = 200_000;

/** Adds the sitemaps' URLs to the frontier. Idempotent, so it can be repeated after a crash. */
export async function addSitemaps(
  parts: SeedParts,
  context: Pick<RunContext, "job" | "signal" | "warn">,
): Promise<void> {
  const { job, signal } = context;
  const home = await findHome(parts, job, signal);
  const judge = await buildJudge(parts, job, home);
  const start = home ?? new URL(job.url ?? "");
  const limit = parts.maxSitemapUrls ?? MAX_SITEMAP_URLS;
  const { batches, report } = await parts.readSitemaps({ start, limit, signal });
  let taken = 0;
  for await (const { pages } of batches) {
    taken += pages.length;
    const { added, accepted } = await parts.frontier.add(
      job.id,
      pages.map(({ url }) => judge(url)),
    );
    if (!added) return;
    if (accepted > 0) parts.wakeUps.wake(WORK);
  }
  signal.throwIfAborted();
  const { crawl } = readStoredOptions(job);
  const isFull = taken >= limit && report.cut !== undefined;
  if (isFull) await context.warn(warnFull(limit));
  for (const fault of listSitemapFaults(isFull ? { ...report, cut: undefined } : report))
    await context.warn(fault);
  if (crawl?.sitemap === "only" && !report.files.some(({ outcome }) => outcome === "read"))
    await context.warn("sitemap is 'only', but the site has no readable sitemap.");
}

const warnFull = (limit: number): string =>
  `The sitemaps list more than ${limit.toLocaleString("en")} URLs, the maximum per crawl; other URLs are fetched only if a page links to them. Crawl the site in sections to get all of them.`;

/**
 * Extra time over the timeout of the start URL, for its turn. Until it lands the site is unknown.
 */
const LANDING_GRACE_MS = 10_000;
const LANDING_POLL_MS = 50;

/** Returns the home of the crawl when its start URL turned out to be on another site. */
export async function findHome(
  { frontier, now }: Pick<SeedParts, "frontier" | "now">,
  job: JobRecord,
  signal: AbortSignal,
): Promise<URL | undefined> {
  const start = new URL(job.url ?? "");
  const kept = readStoredOptions(job);
  const { rules } = buildScope(job, kept);
  const identity = hashIdentity(toIdentity(start, rules));
  const until = now() + kept.page.timeout + LANDING_GRACE_MS;
  let outcome = await frontier.startOutcome(job.id, identity);
  while (outcome.isOpen && now() < until) {
    await pause(LANDING_POLL_MS, undefined, { signal });
    outcome = await frontier.startOutcome(job.id, identity);
  }
  const final = outcome.finalUrl === undefined ? null : URL.parse(outcome.finalUrl);
  return final === null || computeReach(final, start) === "site" ? undefined : final;
}

export async function buildJudge(
  { robots, userAgent }: Pick<SeedParts, "robots" | "userAgent">,
  job: JobRecord,
  home: URL | undefined,
): Promise<(url: string) => FoundUrl> {
  const kept = readStoredOptions(job);
  const scope = buildScope(job, kept, home?.href);
  const marks = home === undefined ? {} : { home: home.href };
  const agent = kept.crawl?.robotsUserAgent ?? userAgent;
  const ignores = kept.crawl?.ignoreRobotsTxt === true;
  await robots.load(scope.origin);
  const objection = ignoreUnreachable(robots, (url) => {
    const verdict = ignores ? undefined : robots.decideCached(url, agent);
    return verdict?.allowed === false ? verdict.reason : undefined;
  });
  return (url) =>
    toFound(judgeUrl({ url, depth: 0, source: "sitemap" }, scope, objection), 0, "sitemap", marks);
}
