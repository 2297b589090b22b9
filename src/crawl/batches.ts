import { assertHostAllowed } from "../account/allow-hosts.ts";
import { randomBytes } from "node:crypto";
import { createInsufficientCreditsError, type Credits, type Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import { ZodError } from "zod";
import { findUrlFaults, type BatchOptions } from "../contract/jobs/batch.ts";
import { toErrorBody } from "../contract/request/faults.ts";
import { resolveUrl } from "../contract/request/url.ts";
import { RequestError } from "../errors.ts";
import type { JobCaller } from "../jobs/caller.ts";
import { MAX_JOB_MS, type JobPlan } from "../jobs/start.ts";
import { WORK } from "../jobs/wake-up.ts";
import type { PageScraper } from "../scrape/page.ts";
import { splitChunks } from "../store/database/chunks.ts";
import type { FoundUrl, FrontierStore } from "../store/jobs/frontier.ts";
import { TurnBudget } from "../runtime/turn-budget.ts";
import { buildBasicAuthorization, removeUserinfoFromText } from "../url/userinfo.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import type { PageMarks } from "./frontier/follow.ts";
import type { Batches, StartedBatch } from "./job.ts";
import { readStoredOptions } from "./stored-options.ts";
import { BATCH_WRITING_MS } from "./kinds.ts";
import { createPageJobs, type ReadParts } from "./page-jobs.ts";
import { estimateHighestPrice, planPages } from "./plan-pages.ts";

export type BatchParts = ReadParts & {
  readonly jobs: Pick<JobStore, "endSeeding" | "markLogins">;
  readonly frontier: Pick<FrontierStore, "add">;
  readonly credits: Credits;
  readonly pages: Pick<PageScraper, "plan" | "checkExtractor">;
  readonly onEnded: (jobId: string) => void;
};

/** URLs stored in the transaction that creates the job; the rest follow. */
const MAX_FIRST_URLS = 1_000;

/** Creates the use cases of batches. */
export function createBatches(parts: BatchParts): Batches {
  const { jobs, lifecycle, frontier } = parts;

  async function append(
    id: string,
    urls: readonly FoundUrl[],
    { identity }: JobCaller,
  ): Promise<string> {
    const job = await lifecycle.find("batch_scrape", id, identity);
    if (job.state !== "scraping") throw hasEnded(id);
    const hold = await holdForAddedUrls(parts, job, identity, urls.length);
    try {
      // Before the URLs, so that a reader of the job never misses it.
      if (hasLogin(urls)) await jobs.markLogins(id);
      const { added } = await frontier.add(id, urls);
      if (!added) throw hasEnded(id);
    } catch (error) {
      await hold.release();
      throw error;
    }
    return id;
  }

  async function begin(
    options: BatchOptions,
    urls: readonly FoundUrl[],
    caller: JobCaller,
  ): Promise<string> {
    const { urls: _, scrapeOptions: page, webhook, appendToId: __, ...batch } = options;
    const first = urls.slice(0, MAX_FIRST_URLS);
    const seeding = first.length === 0 || urls.length > MAX_FIRST_URLS;
    const hasLogins = hasLogin(urls);
    const buildPlan = (): JobPlan =>
      planPages(
        {
          url: null,
          options: { batch, page, ...(hasLogins && { hasLogins }) },
          webhook: webhook ?? null,
          limit: null,
          maxConcurrency: options.maxConcurrency ?? undefined,
          first,
          seeding,
          runAt: parts.now() + BATCH_WRITING_MS,
        },
        caller,
      );
    await parts.pages.checkExtractor(page.formats, caller.identity.accountId);
    const cost = { units: urls.length, price: estimateHighestPrice(parts, page), mayClamp: false };
    const { id } = await lifecycle.start("batch_scrape", { cost, plan: buildPlan }, caller);
    if (!seeding) return id;
    await frontier.add(id, urls.slice(MAX_FIRST_URLS));
    const { ended } = await jobs.endSeeding(id, parts.now());
    if (ended) parts.onEnded(id);
    return id;
  }

  return {
    ...createPageJobs("batch_scrape", parts),
    async start(options, caller): Promise<StartedBatch> {
      const { urls, invalid } = await readUrls(options, caller.identity);
      const { appendToId } = options;
      const id = appendToId
        ? await append(appendToId.toLowerCase(), urls, caller)
        : await begin(options, urls, caller);
      parts.wakeUps.wake(WORK);
      return {
        id,
        invalidUrls: options.ignoreInvalidURLs ? invalid : undefined,
        warning: undefined,
      };
    },
  };
}

const hasLogin = (urls: readonly FoundUrl[]): boolean =>
  urls.some(({ marks }) => marks !== undefined);

const hasEnded = (id: string): RequestError =>
  new RequestError(
    "CONFLICT",
    `The batch ${id} has ended, so nothing can be added to it; start a new batch.`,
  );

/** URLs parsed and resolved before yielding to the event loop. */
const URLS_PER_TURN = 200;

/**
 * Splits the URLs of a batch into valid and invalid ones, in the order given. Yields to the event
 * loop between chunks. Throws BAD_REQUEST for an invalid URL unless the caller ignores them.
 */
async function readUrls(
  { urls: given, ignoreInvalidURLs }: BatchOptions,
  identity: Identity,
): Promise<{ urls: FoundUrl[]; invalid: string[] }> {
  const budget = new TurnBudget();
  const urls: FoundUrl[] = [];
  const faults: ReturnType<typeof findUrlFaults> = [];
  // Consecutive identities are neighbors in the frontier's index, which is too large for memory.
  const base = randomBytes(8).readBigInt64BE() >> 1n;
  let first = 0;
  for (const some of splitChunks(given, URLS_PER_TURN)) {
    await budget.yieldWhenSpent();
    const found = findUrlFaults(some, first);
    const invalid = new Set(found.map(({ path: [, index] }) => index));
    faults.push(...found);
    for (const [index, written] of some.entries()) {
      if (invalid.has(first + index)) continue;
      if (identity.allowHosts !== undefined)
        assertHostAllowed(identity, new URL(resolveUrl(written)));
      urls.push(toFound(written, base + BigInt(urls.length)));
    }
    first += some.length;
  }
  if (faults.length > 0 && !ignoreInvalidURLs) {
    const { error, code, details } = toErrorBody(new ZodError(faults));
    throw new RequestError(code, error, { details });
  }
  return { urls, invalid: faults.map(({ input }) => input) };
}

/**
 * Keeps the URL as written, because callers look up documents by it. Duplicates stay separate. A
 * password in the URL is stored in the marks only, which no response shows.
 */
function toFound(written: string, identity: bigint): FoundUrl {
  const url = new URL(resolveUrl(written));
  const authorization = buildBasicAuthorization(url);
  const marks: PageMarks | undefined = authorization === undefined ? undefined : { authorization };
  return {
    identity,
    url: removeUserinfoFromText(written, url),
    host: url.host,
    depth: 0,
    source: "batch",
    ...(marks === undefined ? {} : { marks }),
  };
}

/**
 * Holds credits for URLs added to a batch, on the key that pays for it; the end of the batch
 * settles them. A caller with another key of the account needs enough credits too, but is not
 * charged.
 */
async function holdForAddedUrls(
  { credits, pages }: BatchParts,
  job: JobRecord,
  identity: Identity,
  count: number,
): Promise<Hold> {
  const needed = estimateHighestPrice({ pages }, readStoredOptions(job).page) * count;
  const options = { jobId: job.id, endpoint: job.kind, lifeMs: MAX_JOB_MS };
  if (identity.keyId === job.keyId) return await credits.hold(identity, needed, options);
  const remaining = await credits.getRemaining(identity);
  if (remaining !== null && remaining < needed)
    throw createInsufficientCreditsError(needed, remaining);
  const { limits } = identity;
  const creditBudget = job.hold === null ? null : job.hold.amount;
  const payer = { ...identity, keyId: job.keyId, limits: { ...limits, creditBudget } };
  return await credits.hold(payer, needed, options);
}
