// Starts a job: holds its maximum cost, stores its options, and queues its first URLs.
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import { highestPriceOf } from "../formats/page-price.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { RequestError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { FoundUrl } from "../store/jobs/frontier.ts";
import type { IdempotencyStore } from "../store/accounts/idempotency.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import type { JobCaller, JobKind } from "./job.ts";
import type { StoredOptions } from "./kept-options.ts";
import { revisits } from "./revisit.ts";

export type StartParts = {
  readonly jobs: JobStore;
  readonly idempotency: IdempotencyStore;
  readonly credits: Credits;
  readonly pages: Pick<PageScraper, "plan">;
  /** Resolves the webhook of the job; throws BAD_REQUEST for a forbidden address. */
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  /** Called when an event was stored. */
  readonly onEvent: () => void;
  /** Maximum pages in progress per process when the job sets no lower limit. */
  readonly maxConcurrency: number;
  readonly lifeMs: number;
  readonly now: () => number;
  readonly log: Pick<Logger, "info">;
};

export type NewWork = {
  readonly kind: JobKind;
  readonly url: string | null;
  readonly options: Omit<StoredOptions, "keyConcurrency" | "accountConcurrency" | "allowHosts">;
  readonly webhook: Webhook | null;
  /** Maximum documents. */
  readonly limit: number;
  /** Lowers the limit to what the credits cover instead of failing. */
  readonly mayClamp: boolean;
  readonly maxConcurrency: number | undefined;
  readonly first: readonly FoundUrl[];
  /** More URLs follow after the start. */
  readonly seeding: boolean;
};

/** The credits of a job that runs longer are released automatically. */
export const MAX_JOB_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Stores a new job; returns its id and its maximum documents. Throws NOT_IMPLEMENTED for page
 * options that this server cannot serve, INSUFFICIENT_CREDITS, and CONFLICT for a used idempotency
 * key.
 */
export async function startJob(
  parts: StartParts,
  work: NewWork,
  caller: JobCaller,
): Promise<{ id: string; limit: number }> {
  const { identity, idempotencyKey } = caller;
  const { page } = work.options;
  const price = highestPrice(parts, page);
  const limit = await affordable(parts, identity, price, work);
  const id = v7();
  const now = parts.now();
  const webhook = await parts.resolveWebhook(work.webhook, id);
  const hold = await parts.credits.hold(identity, limit * price, {
    jobId: id,
    endpoint: work.kind,
    lifeMs: MAX_JOB_MS,
  });
  try {
    await claimKey(parts, identity, idempotencyKey, now);
  } catch (error) {
    await releaseAfter(hold, error);
  }
  try {
    await parts.jobs.create(
      {
        id,
        accountId: identity.accountId,
        keyId: identity.keyId,
        kind: work.kind,
        url: work.url,
        options: {
          ...work.options,
          keyConcurrency: identity.limits.concurrency,
          accountConcurrency: identity.accountLimits?.concurrency ?? null,
          allowHosts: identity.allowHosts,
          base: caller.base,
        },
        limit: work.kind === "crawl" ? limit : null,
        maxConcurrency: Math.min(
          work.maxConcurrency ?? parts.maxConcurrency,
          // Each page continues from the state that the previous one saved.
          work.options.page.profile?.saveChanges === true ? 1 : Infinity,
          identity.limits.concurrency ?? Infinity,
          identity.accountLimits?.concurrency ?? Infinity,
        ),
        hold: hold.entry,
        webhook,
        zeroDataRetention: page.zeroDataRetention,
        seeding: work.seeding,
        revisits: revisits(work),
        createdAt: now,
        expiresAt: now + parts.lifeMs,
      },
      work.first,
    );
  } catch (error) {
    if (idempotencyKey !== undefined)
      await parts.idempotency.release(identity.accountId, idempotencyKey);
    await releaseAfter(hold, error);
  }
  parts.log.info(
    {
      jobId: id,
      kind: work.kind,
      ...(page.zeroDataRetention ? {} : { host: hostOf(work) }),
      urls: work.first.length,
      limit,
    },
    "job started",
  );
  if (webhook !== null) parts.onEvent();
  return { id, limit };
}

/** Host of the start URL; for a batch of its first URL. */
const hostOf = ({ url, first }: NewWork): string | undefined =>
  (url === null ? undefined : URL.parse(url)?.host) ?? first[0]?.host;

/** The maximum price of one page. An enhanced proxy counts only if the plan has one. */
export function highestPrice({ pages }: Pick<StartParts, "pages">, page: PageOptions): number {
  const plan = pages.plan({ ...page, url: "" });
  const mayEnhance = plan.hasBetterProxy && plan.attempts.some(({ proxy }) => proxy === "enhanced");
  return highestPriceOf(mayEnhance ? page : { ...page, proxy: "basic" });
}

/** Returns the limit, or what the key's credits cover if that is less but not zero. */
async function affordable(
  { credits }: StartParts,
  identity: Identity,
  price: number,
  { limit, mayClamp }: NewWork,
): Promise<number> {
  const remaining = await credits.remaining(identity);
  if (remaining === null || !mayClamp || price === 0) return limit;
  // At least one page: the hold then reports what is missing.
  return Math.max(1, Math.min(limit, Math.floor(remaining / price)));
}

async function claimKey(
  { idempotency }: StartParts,
  { accountId }: Identity,
  key: string | undefined,
  now: number,
): Promise<void> {
  if (key === undefined || (await idempotency.claim(accountId, key, now))) return;
  throw new RequestError("CONFLICT", "Idempotency key already used");
}

async function releaseAfter(hold: Hold, error: unknown): Promise<never> {
  await hold.release();
  throw error;
}
