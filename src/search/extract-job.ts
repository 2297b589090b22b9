// Runs one extraction: finds the pages, reads each, and merges one answer. The result of each page
// is stored at once, so that another process can resume.
import type { Identity } from "../account/identity.ts";
import type { ErrorCode } from "../contract/request/error-codes.ts";
import type { ExtractOptions } from "../contract/jobs/extract.ts";
import { resolveUrl } from "../contract/request/url.ts";
import { mapRequestSchema, type MapOptions } from "../contract/page/map.ts";
import {
  scrapeOptionsSchema,
  toScrapeOptions,
  type ScrapeOptions,
} from "../contract/page/scrape.ts";
import { searchRequestSchema } from "../contract/page/search.ts";
import { QuarryError, RequestError, StorageError } from "../errors.ts";
import type { Scrape } from "../scrape/scrape.ts";
import { omitGrants, type Grants } from "../jobs/caller.ts";
import { buildJobRequest, type JobRequest } from "../jobs/job-request.ts";
import type { JobEnd, RunContext } from "../jobs/kind.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { mergePages } from "./merge.ts";
import type { Search } from "./search.ts";

/** Options stored with a job. */
export type StoredExtract = Omit<ExtractOptions, "webhook"> &
  Grants & {
    readonly urls: readonly string[];
    readonly apiVersion?: "v1" | "v2";
  };

/** Returns the request that started the job. */
export function buildExtractRequest({ options, webhook }: JobRecord): JobRequest {
  const { urls, scrapeOptions, apiVersion: _, ...fields } = omitGrants(options as StoredExtract);
  const headerNames = Object.keys(scrapeOptions.headers);
  return buildJobRequest({
    fields,
    scrapeOptions: { values: scrapeOptions, headerNames, isTop: false },
    ...(urls.length > 0 && { urls }),
    webhook,
  });
}

/** One URL of a job: waiting until it has data or an error. */
export type ExtractPage = {
  readonly url: string;
  readonly data?: unknown;
  readonly error?: string;
  /** Code of the error; missing where the page answered with an error status. */
  readonly code?: ErrorCode;
  readonly warning?: string;
};

/** Final result of an extraction. */
export type ExtractResult = {
  readonly data: unknown;
  /** URLs by the fields they gave. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
};

type MapCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  readonly signal: AbortSignal;
};

export type MapPages = (
  options: MapOptions,
  caller: MapCaller,
) => Promise<{ readonly links: readonly { readonly url: string }[] }>;

export type ExtractJobParts = {
  readonly scrape: Scrape;
  readonly mapSite: MapPages;
  readonly search: Search;
};

/** Maximum pages of one job; the next constant is the maximum in progress at once. */
const MAX_PAGES = 100;
const MAX_CONCURRENCY = 5;
const MAX_FOUND = 10;
const QUERY_CHARACTERS = 500;

/**
 * Runs a job to its end. Rejects with the reason of the signal, and when the store fails; both can
 * be retried.
 */
export async function runExtract(parts: ExtractJobParts, context: RunContext): Promise<JobEnd> {
  const { job } = context;
  const work: Work = {
    ...context,
    parts,
    kept: job.options as StoredExtract,
    warnings: new Set(),
  };
  let pages = (job.work?.progress ?? undefined) as readonly ExtractPage[] | undefined;
  let { creditsUsed } = job;
  if (pages === undefined) {
    const found = await findPages(work);
    if (found.failure !== undefined) return { state: "failed", error: found.failure.toRecord() };
    pages = found.urls.map((url) => ({ url }));
    creditsUsed += found.creditsUsed;
  }
  // Saved first also when a job resumes, so that no page is fetched while results cannot be stored.
  await savePages(work, pages, creditsUsed);
  const ended = await readPages(work, [...pages], creditsUsed);
  return finishJob(work, ended);
}

type Work = RunContext & {
  readonly parts: ExtractJobParts;
  readonly kept: StoredExtract;
  readonly warnings: Set<string>;
};

async function savePages(
  work: Work,
  pages: readonly ExtractPage[],
  creditsUsed: number,
): Promise<void> {
  const completed = pages.filter(({ data }) => data !== undefined).length;
  const failed = pages.filter(
    ({ data, error }) => data === undefined && error !== undefined,
  ).length;
  const pending = pages.length - completed - failed;
  await work.save(pages, { counters: { pending, completed, failed, creditsUsed } });
}

type FoundPages = {
  readonly urls: readonly string[];
  readonly creditsUsed: number;
  readonly failure?: QuarryError;
};

/** The given URLs, the URLs below those that end in an asterisk, and search results. */
async function findPages(work: Work): Promise<FoundPages> {
  const { kept, warnings } = work;
  const urls = new Set<string>();
  let creditsUsed = 0;
  let failure: QuarryError | undefined;
  const take = (found: readonly string[], from: string): void => {
    for (const url of found) {
      if (urls.size < MAX_PAGES) urls.add(url);
      else warnings.add(`Only ${MAX_PAGES} pages are read; ${from} has more.`);
    }
  };
  try {
    for (const given of kept.urls) {
      if (!/\/\*+$/.test(given)) {
        take([given], "the list");
        continue;
      }
      const root = given.replace(/\*+$/, "");
      const found = await mapSiteBelow(work, root);
      if (!found.some((url) => toPath(url) !== toPath(root)))
        warnings.add(`${given} matches no page below ${root}.`);
      take(found, given);
      creditsUsed += 1;
    }
    if (kept.enableWebSearch || kept.urls.length === 0) {
      const found = await searchWeb(work);
      take(found.urls, "the search");
      creditsUsed += found.creditsUsed;
    }
  } catch (error) {
    work.signal.throwIfAborted();
    if (!(error instanceof QuarryError) || error instanceof StorageError) throw error;
    failure = error;
  }
  if (urls.size > 0 && failure !== undefined) warnings.add(failure.message);
  if (urls.size > 0) return { urls: [...urls], creditsUsed };
  const nothing = new RequestError("NOT_FOUND", "No page was found to extract from.");
  return { urls: [], creditsUsed, failure: failure ?? nothing };
}

async function mapSiteBelow({ parts, kept, identity, job, signal }: Work, url: string) {
  const options = mapRequestSchema.parse({
    url,
    limit: MAX_PAGES + 1,
    sitemap: kept.ignoreSitemap ? "skip" : "include",
    includeSubdomains: kept.includeSubdomains,
    allowExternalLinks: kept.allowExternalLinks,
  });
  const { links } = await parts.mapSite(options, { identity, requestId: job.id, signal });
  const host = new URL(resolveUrl(url)).host;
  // The map of a page has the links of its navigation, too.
  return links
    .map((link) => link.url)
    .filter((found) => {
      if (new URL(found).host !== host) return true;
      return `${toPath(found)}/`.startsWith(`${toPath(url)}/`);
    });
}

/** The path without a slash at its end. */
const toPath = (url: string): string => new URL(resolveUrl(url)).pathname.replace(/\/$/, "");

async function searchWeb({ parts, kept, identity, job, signal, warnings }: Work) {
  const words = kept.prompt ?? "";
  const query = words
    .slice(0, QUERY_CHARACTERS)
    .replace(/\s+\S*$/, (end) => (words.length > QUERY_CHARACTERS ? "" : end));
  if (query.trim() === "") {
    warnings.add("enableWebSearch needs a prompt to search for.");
    return { urls: [], creditsUsed: 0 };
  }
  const options = searchRequestSchema.parse({ query, limit: MAX_FOUND });
  const found = await parts.search(options, { identity, requestId: job.id, signal });
  if (found.warning !== undefined) warnings.add(found.warning);
  const urls = (found.data.web ?? []).map(({ url }) => url);
  return { urls, creditsUsed: found.creditsUsed };
}

async function readPages(work: Work, pages: ExtractPage[], creditsBefore: number) {
  let creditsUsed = creditsBefore;
  let next = 0;
  let saving = Promise.resolve();
  const save = (): Promise<void> => {
    saving = saving.then(() => savePages(work, pages, creditsUsed));
    return saving;
  };
  const read = async (): Promise<void> => {
    while (next < pages.length) {
      const place = next++;
      const page = pages[place];
      if (page === undefined || isDone(page)) continue;
      const outcome = await readPage(work, page.url);
      pages[place] = outcome.page;
      creditsUsed += outcome.credits;
      await save();
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, read));
  return pages;
}

const isDone = (page: ExtractPage): boolean => page.data !== undefined || page.error !== undefined;

async function readPage(
  { parts, kept, identity, job, signal }: Work,
  url: string,
): Promise<{ page: ExtractPage; credits: number }> {
  signal.throwIfAborted();
  try {
    const context = { identity, requestId: job.id, signal, explain: false };
    const { document } = await parts.scrape(buildScrapeOptions(kept, url), context);
    const { json, warning, metadata } = document;
    const credits = Number(metadata.creditsUsed ?? 0);
    const failed = metadata.statusCode !== undefined && metadata.statusCode >= 400;
    if (failed) return { page: { url, error: `${url} answered ${metadata.statusCode}.` }, credits };
    const notice = warning === undefined ? {} : { warning };
    return { page: { url, data: json ?? null, ...notice }, credits };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof QuarryError) || error instanceof StorageError) throw error;
    return { page: { url, error: error.message, code: error.code }, credits: 0 };
  }
}

const DEFAULT_PROMPT = "The main facts of the page.";

function buildScrapeOptions(kept: StoredExtract, url: string): ScrapeOptions {
  const { schema, scrapeOptions } = kept;
  const prompt = [kept.systemPrompt, kept.prompt].filter((text) => text !== undefined).join("\n\n");
  const format = {
    type: "json",
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === ""
      ? schema === undefined
        ? { prompt: DEFAULT_PROMPT }
        : {}
      : { prompt: prompt.slice(0, 10_000) }),
  };
  const { formats } = scrapeOptionsSchema.parse({ formats: [format] });
  return toScrapeOptions({ ...scrapeOptions, formats, url });
}

function finishJob({ job, kept, warnings }: Work, pages: readonly ExtractPage[]): JobEnd {
  const good = pages.flatMap(({ url, data }) => (data === undefined ? [] : [{ url, data }]));
  const errors = pages.flatMap(({ error }) => error ?? []);
  // Pages share some of their warnings, so each sentence is added once.
  for (const { warning } of pages)
    for (const sentence of warning?.split(/(?<=\.) (?=\S)/) ?? []) warnings.add(sentence);
  if (kept.agent !== undefined) warnings.add("agent is ignored by extract; use POST /v2/agent.");
  if (good.length === 0) {
    const message = errors[0] ?? "No page could be read.";
    const code = pages.find(({ error }) => error !== undefined)?.code ?? "SCRAPE_SITE_ERROR";
    return { state: "failed", error: { code, message } };
  }
  if (errors.length > 0)
    warnings.add(`${errors.length} of ${pages.length} pages could not be read: ${errors[0]}`);
  const { data, sources } = mergePages(good, kept.schema as Record<string, unknown> | undefined);
  const result: ExtractResult = { data: data ?? {}, sources };
  return {
    state: "completed",
    result,
    warning: [...warnings].join(" ").slice(0, 4_000) || undefined,
    eventData: () => [toEventData(job.id, result, pages)],
  };
}

/** The one entry of extract.completed (wire contract, section 16). */
function toEventData(
  extractId: string,
  { data, sources }: ExtractResult,
  pages: readonly ExtractPage[],
): object {
  const totalUrlsScraped = pages.filter(({ error }) => error === undefined).length;
  return { success: true, data, extractId, totalUrlsScraped, sources };
}
