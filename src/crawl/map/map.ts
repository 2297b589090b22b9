// Lists the URLs of a site without crawling it: from its sitemaps, the links of one page, and
// earlier fetches.
import { assertHostAllowed } from "../../account/allow-hosts.ts";
import type { Identity } from "../../account/identity.ts";
import { v7 } from "uuid";
import type { Credits } from "../../account/credits.ts";
import type { MapOptions, MapResponse } from "../../contract/page/map.ts";
import { PRICES } from "../../contract/account/prices.ts";
import { scrapeRequestSchema, type ScrapeOptions } from "../../contract/page/scrape.ts";
import { listIgnoredGovernance } from "../../contract/request/caller.ts";
import { resolveUrl } from "../../contract/request/url.ts";
import { Deadline } from "../../deadline.ts";
import type { RobotsStore } from "../../discovery/robots.ts";
import { listSitemapFaults } from "../../discovery/sitemaps.ts";
import { LimitError, RequestError, TargetError } from "../../errors.ts";
import { getPageLink } from "../../html/links/page-links.ts";
import { Stopwatch } from "../../scrape/explanation.ts";
import type { PageScraper, ScrapedPage } from "../../scrape/page.ts";
import type { ActivityStore } from "../../store/accounts/activity.ts";
import type { SiteUrlStore } from "../../store/jobs/site-urls.ts";
import { compileScope, judgeUrl, type Scope } from "../../url/scope.ts";
import { stripUserinfo } from "../../url/userinfo.ts";
import type { MapCaller, MapResult, MapSite } from "../job.ts";
import { rankLinks } from "./map-ranking.ts";
import type { ReadSitemaps } from "../sitemaps/sitemap-urls.ts";

export type MapParts = {
  readonly pages: PageScraper;
  readonly robots: RobotsStore;
  readonly readSitemaps: ReadSitemaps;
  readonly siteUrls: SiteUrlStore;
  readonly credits: Credits;
  readonly activity: ActivityStore;
  readonly userAgent: string;
  readonly now: () => number;
};

type MapLink = MapResponse["links"][number];

const TIMEOUT_MS = 60_000;
/**
 * A search has to see every entry. Without one, this factor over the requested number covers
 * entries that are filtered out.
 */
const MAX_ENTRIES = 100_000;
const EXTRA_ENTRIES_FACTOR = 5;
const MIN_ENTRIES = 1_000;

export function createMapSite(parts: MapParts): MapSite {
  return async (options, caller) => {
    const id = v7();
    const timeoutMs = options.timeout ?? TIMEOUT_MS;
    const hold = await parts.credits.hold(caller.identity, PRICES.map, {
      jobId: id,
      endpoint: "map",
      lifeMs: timeoutMs + 60_000,
    });
    let succeeded = false;
    try {
      using deadline = Deadline.start(timeoutMs, caller.signal);
      const result = await deadline.race(collectLinks(parts, options, caller, deadline));
      await hold.settle(PRICES.map);
      succeeded = true;
      return { id, ...result };
    } catch (error) {
      await hold.release();
      throw toMapError(error, timeoutMs);
    } finally {
      record(parts, id, options, caller, succeeded);
    }
  };
}

function toMapError(error: unknown, timeoutMs: number): unknown {
  if (error instanceof LimitError && error.code === "SCRAPE_TIMEOUT")
    return new LimitError("MAP_TIMEOUT", `The map timed out after ${timeoutMs} ms.`);
  if (error instanceof TargetError)
    return new TargetError("MAP_FAILED", `The site could not be mapped: ${error.message}`, {
      cause: error,
    });
  return error;
}

function record(
  { activity, now }: MapParts,
  id: string,
  { url }: MapOptions,
  { identity: { accountId, keyId }, apiVersion = "v2" }: MapCaller,
  succeeded: boolean,
): void {
  const target = stripUserinfo(new URL(resolveUrl(url))).href;
  activity.record({
    id,
    accountId,
    keyId,
    endpoint: "map",
    apiVersion,
    target,
    succeeded,
    createdAt: now(),
  });
}

type Words = { readonly title?: string | undefined; readonly description?: string | undefined };

/**
 * Merges the sources in order, one entry per page. The first title wins; link texts are the last
 * resort.
 */
class MapFindings {
  readonly links = new Map<string, MapLink>();
  /** Entries whose title is a link text. */
  readonly #linkTexts = new Set<MapLink>();
  readonly #scope: Scope;
  readonly #objection: (url: URL) => string | undefined;

  constructor(scope: Scope, objection: (url: URL) => string | undefined) {
    this.#scope = scope;
    this.#objection = objection;
  }

  add(url: string, { title, description }: Words): void {
    const link = this.#find(url);
    if (link === undefined) return;
    if (title && (link.title === undefined || this.#linkTexts.delete(link))) link.title = title;
    if (description && link.description === undefined) link.description = description;
  }

  addLink(url: string, text: string): void {
    const link = this.#find(url);
    if (link === undefined || link.title !== undefined || text === "") return;
    link.title = text;
    this.#linkTexts.add(link);
  }

  #find(url: string): MapLink | undefined {
    const judged = judgeUrl({ url, depth: 0, source: "link" }, this.#scope, this.#objection);
    if (!judged.accepted) return undefined;
    const known = this.links.get(judged.identity);
    if (known !== undefined) return known;
    const link = { url: judged.url };
    this.links.set(judged.identity, link);
    return link;
  }
}

/** Returns the links that a map shows, without charging for them. */
export async function collectLinks(
  parts: MapParts,
  options: MapOptions,
  caller: MapCaller,
  deadline: Deadline,
): Promise<Omit<MapResult, "id">> {
  const start = new URL(resolveUrl(options.url));
  assertHostAllowed(caller.identity, start);
  const fetched =
    options.sitemap === "only"
      ? undefined
      : await fetchPage(parts, options, caller.identity, deadline);
  const page = fetched instanceof TargetError ? undefined : fetched;
  const home = page === undefined ? start : new URL(page.capture.finalUrl);
  await parts.robots.load(home);
  const gathered = new MapFindings(compileMapScope(options, start, home), (url) => {
    const verdict =
      options.ignoreRobotsTxt === true
        ? undefined
        : parts.robots.decideCached(url, parts.userAgent);
    return verdict?.allowed === false ? verdict.reason : undefined;
  });
  if (page !== undefined) addPage(gathered, page, home);
  const faults =
    options.sitemap === "skip"
      ? []
      : await addSitemaps(parts, gathered, { options, home, identity: caller.identity }, deadline);
  if (page !== undefined) addPageLinks(gathered, page);
  if (options.sitemap !== "only" && options.useIndex !== false && !options.ignoreCache) {
    const { accountId } = caller.identity;
    const known = parts.siteUrls.find(accountId, home.host, MAX_ENTRIES);
    for (const { url, title, description } of await deadline.race(known))
      gathered.add(url, { title: title ?? undefined, description: description ?? undefined });
  }
  if (gathered.links.size === 0 && fetched instanceof TargetError) throw fetched;
  const all = [...gathered.links.values()];
  const { search, limit } = options;
  const links = (search === undefined ? all : rankLinks(all, search)).slice(0, limit);
  const pageAndSitemapFaults = [...listPageFaults(fetched), ...faults];
  const few = buildWarning(links.length, options, start, pageAndSitemapFaults.length > 0);
  const warnings = [
    ...listIgnoredGovernance(options),
    // Such as a country without a proxy.
    ...(options.sitemap === "only" ? [] : parts.pages.plan(buildPageOptions(options)).warnings),
    ...(page?.capture.warnings ?? []),
    ...pageAndSitemapFaults,
    ...(few === undefined ? [] : [few]),
  ];
  return { links, warning: warnings.length === 0 ? undefined : warnings.join(" ") };
}

const buildPageOptions = (options: MapOptions): ScrapeOptions =>
  scrapeRequestSchema.parse({
    url: options.url,
    formats: ["links"],
    onlyMainContent: false,
    ...(options.ignoreCache ? { maxAge: 0 } : {}),
    ...(options.headers === undefined ? {} : { headers: options.headers }),
    ...(options.location === undefined ? {} : { location: options.location }),
  });

/**
 * Fetches the page. Returns the error if the site did not serve it, because the sitemaps may still
 * be there.
 */
async function fetchPage(
  { pages }: MapParts,
  options: MapOptions,
  identity: Identity,
  deadline: Deadline,
): Promise<ScrapedPage | TargetError> {
  const scrapeOptions = buildPageOptions(options);
  const url = new URL(resolveUrl(options.url));
  const policy = pages.createPolicy(scrapeOptions, url, { accountId: identity.accountId });
  try {
    const page = await pages.scrapePage({
      id: v7(),
      options: scrapeOptions,
      url,
      plan: pages.plan(scrapeOptions),
      policy,
      deadline,
      watch: new Stopwatch(),
      explain: false,
      discover: true,
      identity,
      base: undefined,
      queuedMs: 0,
    });
    await pages.cache(page, policy);
    return page;
  } catch (error) {
    if (error instanceof TargetError) return error;
    throw error;
  }
}

function compileMapScope(options: MapOptions, start: URL, home: URL): Scope {
  try {
    return compileScope({
      startUrl: start.href,
      movedTo: home.href === start.href ? undefined : home.href,
      includePaths: options.includePaths ?? [],
      excludePaths: options.excludePaths ?? [],
      regexOnFullURL: options.regexOnFullURL,
      crawlEntireDomain: options.crawlEntireDomain ?? !options.filterByPath,
      allowSubdomains: options.allowSubdomains ?? options.includeSubdomains,
      allowExternalLinks: options.allowExternalLinks,
      ignoreQueryParameters: options.ignoreQueryParameters,
      deduplicateSimilarURLs: true,
    });
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new RequestError("BAD_REQUEST", error.message, { cause: error });
    throw error;
  }
}

function addPage(gathered: MapFindings, page: ScrapedPage, home: URL): void {
  if (page.capture.statusCode >= 400) return;
  gathered.add(home.href, page.derived.found ?? {});
}

function addPageLinks(gathered: MapFindings, { derived: { found } }: ScrapedPage): void {
  if (found === undefined) return;
  for (let index = 0; index < found.urls.length; index++) {
    const { url, text } = getPageLink(found, index);
    gathered.addLink(url, text);
  }
}

async function addSitemaps(
  parts: MapParts,
  gathered: MapFindings,
  { options, home, identity }: { options: MapOptions; home: URL; identity: Identity },
  { signal }: Deadline,
): Promise<string[]> {
  const enough = Math.max(MIN_ENTRIES, options.limit * EXTRA_ENTRIES_FACTOR);
  const limit = options.search === undefined ? Math.min(MAX_ENTRIES, enough) : MAX_ENTRIES;
  const { headers, ignoreCache: fresh } = options;
  const query = {
    start: home,
    owner: parts.pages.cacheOwner(identity.accountId),
    limit,
    fresh,
    signal,
    ...(headers === undefined ? {} : { headers }),
  };
  const { batches, report } = await parts.readSitemaps(query);
  let listed = 0;
  for await (const { pages } of batches) {
    listed += pages.length;
    for (const { url, ...words } of pages) gathered.add(url, words);
  }
  signal.throwIfAborted();
  // A map stops at its limit, so a truncated file is not a fault.
  const faults = listSitemapFaults({ ...report, cut: undefined });
  if (options.sitemap === "only" && listed === 0 && faults.length === 0)
    return [`${home.host} has no sitemap that can be read.`];
  return faults;
}

/** Returns the error of the page when there is a map anyway. */
function listPageFaults(fetched: ScrapedPage | TargetError | undefined): string[] {
  if (fetched instanceof TargetError) return [`The page could not be fetched: ${fetched.message}`];
  const { statusCode = 200, finalUrl = "" } = fetched?.capture ?? {};
  return statusCode >= 400 ? [`${finalUrl} answered ${statusCode}.`] : [];
}

/** Wire contract, section 7. */
function buildWarning(
  found: number,
  options: MapOptions,
  start: URL,
  isExplained: boolean,
): string | undefined {
  if (found > 1 || options.limit === 1) return undefined;
  if (options.search !== undefined && found === 0)
    return `No URL of ${start.host} that was found matches the search.`;
  if (isExplained || (start.pathname === "/" && start.search === "")) return undefined;
  return `Only ${found} ${found === 1 ? "link was" : "links were"} found. Map ${start.origin} to see the whole site.`;
}
