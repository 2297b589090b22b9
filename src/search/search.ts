// Runs a search: asks the provider source by source, and scrapes the results if formats are
// requested.
import { v7 } from "uuid";
import type { Credits } from "../account/credits.ts";
import { computeSearchPrice } from "../contract/account/prices.ts";
import type { SearchOptions, SearchResponse } from "../contract/page/search.ts";
import { listIgnoredGovernance } from "../contract/request/caller.ts";
import { findUrlFault } from "../contract/request/url.ts";
import { Deadline } from "../deadline.ts";
import { LimitError, RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { ActivityStore } from "../store/accounts/activity.ts";
import type { SearchCaller } from "./caller.ts";
import { findCategory, type Category } from "./categories.ts";
import type { Answer, FoundResult, ProviderRequest, SearchProvider, Source } from "./provider.ts";
import type { ScrapeFound } from "./scrape-found.ts";
import { parseTimeRange } from "./time-range.ts";

export type SearchResult = {
  readonly id: string;
  readonly creditsUsed: number;
  readonly data: SearchResponse["data"];
  readonly warning?: string;
};

/**
 * Throws LimitError (SCRAPE_TIMEOUT, INSUFFICIENT_CREDITS, SEARCH_BUSY), TargetError SEARCH_FAILED
 * when the provider fails, and RequestError FORBIDDEN or NOT_IMPLEMENTED for options this server
 * does not offer.
 */
export type Search = (options: SearchOptions, caller: SearchCaller) => Promise<SearchResult>;

export type SearchParts = {
  readonly provider: SearchProvider;
  readonly scrapeFound: ScrapeFound;
  readonly credits: () => Promise<Credits>;
  /** Resolves once the store is open. */
  readonly activity: () => Promise<ActivityStore>;
  readonly log: Logger;
  readonly now?: () => number;
};

type Item = NonNullable<SearchResponse["data"]["web"]>[number];

/** The hosted service's text for features an account does not have; clients look for it. */
const NOT_ENABLED = "This endpoint is not enabled for this team.";

export function createSearch(parts: SearchParts): Search {
  const { now = Date.now } = parts;
  return async (options, caller) => {
    checkFeatures(options);
    const id = v7();
    const createdAt = now();
    using deadline = Deadline.start(options.timeout, caller.signal);
    const sources = listAskedSources(options);
    const credits = await deadline.race(parts.credits());
    const max = computeSearchPrice(options.limit * sources.length);
    const hold = await credits.hold(caller.identity, max, {
      jobId: id,
      endpoint: "search",
      lifeMs: options.timeout + 60_000,
    });
    let succeeded = false;
    try {
      const { data, warnings, results } = await ask(parts, options, caller, sources, deadline);
      const price = computeSearchPrice(results);
      await hold.settle(price);
      const scraped = await parts.scrapeFound(options, data, caller, deadline);
      succeeded = true;
      const warning = [...new Set([...warnings, ...scraped.warnings])].join(" ");
      const creditsUsed = price + scraped.creditsUsed;
      return { id, creditsUsed, data, ...(warning === "" ? {} : { warning }) };
    } catch (error) {
      await hold.release();
      throw toSearchError(error, options.timeout);
    } finally {
      await record(parts, { id, options, caller, succeeded, createdAt });
    }
  };
}

function checkFeatures({ sources, enterprise }: SearchOptions): void {
  if (sources.every(({ type }) => type === "alexandria"))
    throw new RequestError("FORBIDDEN", NOT_ENABLED);
  if (enterprise?.some((feature) => feature !== "default") === true)
    throw new RequestError("FORBIDDEN", NOT_ENABLED);
}

type AskedSource = {
  readonly source: Source;
  readonly tbs: string | undefined;
  readonly location: string | undefined;
};

/** Returns each source once, in the order of the wire. */
function listAskedSources({ sources, tbs, location }: SearchOptions): AskedSource[] {
  const asked: AskedSource[] = [];
  for (const given of sources) {
    const { type } = given;
    if (type === "alexandria" || asked.some(({ source }) => source === type)) continue;
    asked.push({ source: type, tbs: given.tbs ?? tbs, location: given.location ?? location });
  }
  return asked;
}

type ProviderAnswers = {
  readonly data: SearchResponse["data"];
  readonly warnings: readonly string[];
  readonly results: number;
};

async function ask(
  { provider, now = Date.now }: SearchParts,
  options: SearchOptions,
  { identity }: SearchCaller,
  sources: readonly AskedSource[],
  deadline: Deadline,
): Promise<ProviderAnswers> {
  const categories = (options.categories ?? []).map(({ type }) => type);
  const requests = sources.map(({ source, tbs, location }): ProviderRequest => ({
    source,
    query: options.query,
    limit: options.limit,
    includeDomains: options.includeDomains ?? [],
    excludeDomains: options.excludeDomains ?? [],
    categories: source === "web" ? categories : [],
    country: options.country.toLowerCase(),
    language: options.lang,
    location,
    tbs,
    range: parseTimeRange(tbs, now()),
    isSafe: toSafety(options.safe),
    highlights: options.highlights,
    accountId: identity.accountId,
    allowHosts: identity.allowHosts,
  }));
  const answers = await Promise.all(requests.map((request) => provider.search(request, deadline)));
  const data: SearchResponse["data"] = {};
  const warnings = listUnusedOptions(options);
  let results = 0;
  for (const [index, answer] of answers.entries()) {
    const source = requests[index]?.source ?? "web";
    const found = dropInvalid(answer, options.ignoreInvalidURLs);
    const items = found.map((one, place) => toItem(one, source, place + 1, categories));
    Object.assign(data, { [source]: items });
    warnings.push(...answer.warnings);
    if (items.length === 0 && answer.warnings.length === 0)
      warnings.push(`Nothing was found in ${source}.`);
    results += items.length;
  }
  return { data, warnings, results };
}

function listUnusedOptions(options: SearchOptions): string[] {
  const { filter, asyncScraping, sources } = options;
  const warnings = listIgnoredGovernance(options);
  if (filter !== undefined && filter !== "") warnings.push("filter is ignored by this server.");
  if (asyncScraping === true)
    warnings.push("asyncScraping is ignored: the answer contains the scraped results.");
  if (sources.some(({ type }) => type === "alexandria"))
    warnings.push("This server does not offer the source alexandria.");
  return warnings;
}

const dropInvalid = ({ results }: Answer, ignoreInvalid: boolean): readonly FoundResult[] =>
  ignoreInvalid ? results.filter(({ url }) => findUrlFault(url) === undefined) : results;

/** "off", "false" and similar values turn it off; "moderate" means undefined. */
function toSafety(safe: SearchOptions["safe"]): boolean | undefined {
  if (safe === undefined || typeof safe === "boolean") return safe;
  if (/^(?:off|false|0|none)$/i.test(safe)) return false;
  return /^(?:on|true|active|strict|[12])$/i.test(safe) ? true : undefined;
}

/** Converts to the wire format of one source without empty keys. */
function toItem(
  found: FoundResult,
  source: Source,
  position: number,
  categories: readonly Category[],
): Item {
  const { url, title, description, date, imageUrl, imageWidth, imageHeight } = found;
  const category = findCategory(url, categories, found.isPdf);
  const fields = {
    web: { url, title, description, position, category },
    news: { title, url, snippet: description, date, imageUrl, position },
    images: { title, imageUrl, imageWidth, imageHeight, url, position },
  }[source];
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Item;
}

function toSearchError(error: unknown, timeoutMs: number): unknown {
  return error instanceof LimitError && error.code === "SCRAPE_TIMEOUT"
    ? new LimitError("SCRAPE_TIMEOUT", `The search timed out after ${timeoutMs} ms.`)
    : error;
}

type SearchEnding = {
  readonly id: string;
  readonly options: SearchOptions;
  readonly caller: SearchCaller;
  readonly succeeded: boolean;
  readonly createdAt: number;
};

/** Records the search in the activity list. A failure here does not fail the search. */
async function record({ activity, log }: SearchParts, ended: SearchEnding): Promise<void> {
  const { id, options, caller, succeeded, createdAt } = ended;
  const { accountId, keyId } = caller.identity;
  try {
    (await activity()).record({
      id,
      accountId,
      keyId,
      endpoint: "search",
      apiVersion: caller.apiVersion ?? "v2",
      target: options.scrapeOptions.zeroDataRetention ? null : options.query,
      succeeded,
      createdAt,
    });
  } catch (error) {
    log.warn(
      { err: error, reqId: caller.requestId },
      "failed to record a search in the activity list",
    );
  }
}
