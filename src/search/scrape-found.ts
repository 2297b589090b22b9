// Scrapes search results. A page that fails keeps its place, with the reason in its metadata.
import type { Document } from "../contract/page/document.ts";
import type { SearchOptions, SearchResponse } from "../contract/page/search.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { Deadline } from "../deadline.ts";
import { LimitError, QuarryError, RequestError } from "../errors.ts";
import type { Scrape } from "../scrape/scrape.ts";
import type { SearchCaller } from "./caller.ts";

/** Adds documents to the web and news results of `data`; does nothing without formats. */
export type ScrapeFound = (
  options: SearchOptions,
  data: SearchResponse["data"],
  caller: SearchCaller,
  deadline: Deadline,
) => Promise<{ readonly creditsUsed: number; readonly warnings: readonly string[] }>;

/** Maximum results of one search in progress, so that other work of the key gets its turn. */
const MAX_CONCURRENCY = 10;
/** Time reserved for the answer itself. */
const ANSWER_RESERVE_MS = 250;

export function createScrapeFound(scrape: Scrape): ScrapeFound {
  return async (options, data, caller, deadline) => {
    const items = [...(data.web ?? []), ...(data.news ?? [])];
    if (options.scrapeOptions.formats.length === 0 || items.length === 0)
      return { creditsUsed: 0, warnings: [] };
    let creditsUsed = 0;
    let next = 0;
    let failed = 0;
    const work = async (): Promise<void> => {
      for (let item = items[next++]; item !== undefined; item = items[next++]) {
        const outcome = await scrapeOne(scrape, item.url, options, caller, deadline);
        if (outcome instanceof Error) {
          failed += 1;
          Object.assign(item, { metadata: { sourceURL: item.url, error: outcome.message } });
        } else {
          creditsUsed += Number(outcome.metadata.creditsUsed ?? 0);
          Object.assign(item, outcome);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENCY, items.length) }, work));
    const warnings =
      failed === 0 ? [] : [`${failed} of ${items.length} results could not be scraped.`];
    return { creditsUsed, warnings };
  };
}

async function scrapeOne(
  scrape: Scrape,
  url: string | undefined,
  { scrapeOptions }: SearchOptions,
  { identity, requestId, base, signal, apiVersion }: SearchCaller,
  deadline: Deadline,
): Promise<Document | Error> {
  try {
    const left = Math.floor(deadline.getTimeLeftMs()) - ANSWER_RESERVE_MS;
    if (left < LIMITS.timeoutMs.min)
      throw new LimitError("SCRAPE_TIMEOUT", "The search ran out of time.");
    const timeout = Math.min(scrapeOptions.timeout, left);
    const { document } = await scrape(
      { ...scrapeOptions, url: url ?? "", timeout },
      {
        identity,
        requestId,
        base,
        signal,
        explain: false,
        ...(apiVersion === undefined ? {} : { apiVersion }),
      },
    );
    return document;
  } catch (error) {
    if (signal.aborted) throw error;
    // The same error would hit every result, and the caller has to change the request.
    if (error instanceof RequestError && error.code === "NOT_IMPLEMENTED") throw error;
    if (error instanceof QuarryError) return error;
    throw error;
  }
}
