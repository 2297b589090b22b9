import { assertHostAllowed } from "../account/allow-hosts.ts";
import type { CrawlOptions } from "../contract/jobs/crawl.ts";
import { resolveUrl } from "../contract/request/url.ts";
import { RequestError } from "../errors.ts";
import type { JobPlan } from "../jobs/start.ts";
import { WORK } from "../jobs/wake-up.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { judgeUrl } from "../url/scope.ts";
import { toFound } from "./frontier/follow.ts";
import type { ActiveJob, CrawlCaller, Crawls, StartedCrawl, StartedJob } from "./job.ts";
import { readStoredOptions, selectShownOptions } from "./stored-options.ts";
import type { ReadCrawlPrompt } from "./prompt/prompt-reader.ts";
import { applyProposal } from "./prompt/propose.ts";
import { createPageJobs, type ReadParts } from "./page-jobs.ts";
import { estimateHighestPrice, planPages } from "./plan-pages.ts";
import { buildScope, omitLogin } from "./worker-jobs.ts";

export type CrawlParts = ReadParts & {
  readonly pages: Pick<PageScraper, "plan" | "checkExtractor">;
  readonly readPrompt: ReadCrawlPrompt;
  /** Throws UNSUPPORTED_SITE for a start URL that can never be fetched. */
  readonly checkStart: (url: URL) => Promise<void>;
};

/** Creates the use cases of crawls. */
export function createCrawls(parts: CrawlParts): Crawls {
  const { lifecycle } = parts;
  return {
    ...createPageJobs("crawl", parts),

    async previewCrawl({ url: written, prompt }, caller) {
      const url = new URL(resolveUrl(written));
      return { url: url.href, proposal: await parts.readPrompt(url, prompt, caller) };
    },

    async start(given, caller) {
      const address = new URL(resolveUrl(given.url));
      assertHostAllowed(caller.identity, address);
      await parts.checkStart(address);
      const { options, prompted } = await applyPrompt(parts, given, caller);
      const { url: written, scrapeOptions, webhook, ...crawl } = options;
      const { url, page } = omitLogin(new URL(resolveUrl(written)), scrapeOptions);
      const { showFullText } = caller;
      const kept = {
        crawl: { ...crawl, url: url.href },
        page,
        ...(page !== scrapeOptions && { hasLogins: true }),
        ...(showFullText === undefined ? {} : { showFullText }),
      };
      const scope = checkScope(() => buildScope({ url: url.href }, kept));
      const start = judgeUrl({ url: url.href, depth: 0, source: "start" }, scope);
      const hidden = start.accepted && !start.inResults;
      const listWarnings = (limit: number): string[] => [
        ...(prompted?.warnings ?? []),
        ...startWarnings(options, limit),
      ];
      const buildPlan = (limit: number): JobPlan =>
        planPages(
          {
            url: url.href,
            options: kept,
            headerNames: Object.keys(scrapeOptions.headers),
            webhook: webhook ?? null,
            limit,
            maxConcurrency:
              typeof options.delay === "number" ? 1 : (options.maxConcurrency ?? undefined),
            first: [toFound(start, 0, "start", hidden ? { hidden } : {})],
            seeding: options.sitemap !== "skip",
            warnings: listWarnings(limit),
          },
          caller,
        );
      await parts.pages.checkExtractor(page.formats, caller.identity.accountId);
      const cost = {
        units: options.limit,
        price: estimateHighestPrice(parts, page),
        mayClamp: true,
      };
      const { id, units: limit } = await lifecycle.start(
        "crawl",
        { cost, plan: buildPlan },
        caller,
      );
      const warnings = listWarnings(limit);
      parts.wakeUps.wake(WORK);
      const { generated, final } = prompted ?? {};
      return {
        ...toStarted(id, warnings),
        ...(generated && final && { prompt: { generated, final } }),
      };
    },

    active: async ({ accountId }) => (await lifecycle.active(accountId, "crawl")).map(toActive),
  };
}

type PromptedCrawl = NonNullable<StartedCrawl["prompt"]> & { readonly warnings: readonly string[] };

/** Merges the options with those read from the prompt. Options that the caller set win. */
async function applyPrompt(
  { readPrompt }: Pick<CrawlParts, "readPrompt">,
  options: CrawlOptions,
  caller: CrawlCaller,
): Promise<{ options: CrawlOptions; prompted?: PromptedCrawl }> {
  const { prompt } = options;
  if (typeof prompt !== "string") return { options };
  const proposal = await readPrompt(new URL(resolveUrl(options.url)), prompt, caller);
  const applied = applyProposal(options, proposal.options, caller.given ?? new Set());
  const { url: _url, scrapeOptions: _page, webhook: _webhook, prompt: _prompt, ...final } = applied;
  const { options: generated, warnings } = proposal;
  return { options: applied, prompted: { generated, final, warnings } };
}

function checkScope<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      throw new RequestError("BAD_REQUEST", error.message, { cause: error });
    throw error;
  }
}

function startWarnings(options: CrawlOptions, limit: number): string[] {
  const warnings: string[] = [];
  if (limit < options.limit)
    warnings.push(`The credits of the key cover ${limit} pages, so limit is ${limit}.`);
  return warnings;
}

function toStarted(id: string, warnings: readonly string[]): StartedJob {
  return { id, warning: warnings.length === 0 ? undefined : warnings.join(" ") };
}

function toActive(job: JobRecord): ActiveJob {
  return {
    id: job.id,
    accountId: job.accountId,
    url: job.url ?? "",
    createdAt: job.createdAt,
    options: selectShownOptions(readStoredOptions(job)),
  };
}
