// How a job begins: what it may cost is held, what it needs to know is kept, its first URLs are in the frontier.
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import { highestPriceOf } from "../contract/account/prices.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { RequestError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { FoundUrl } from "../store/jobs/frontier.ts";
import type { IdempotencyStore } from "../store/accounts/idempotency.ts";
import type { JobStore } from "../store/jobs/jobs.ts";
import type { JobCaller, JobKind } from "./job.ts";
import type { KeptOptions } from "./kept-options.ts";
import { revisits } from "./revisit.ts";

export type StartParts = {
  readonly jobs: JobStore;
  readonly idempotency: IdempotencyStore;
  readonly credits: Credits;
  readonly pages: Pick<PageScraper, "plan">;
  /** Where the events of the job go, or BAD_REQUEST for a place they may not go to. */
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  /** Told when an event was kept. */
  readonly onEvent: () => void;
  /** Of one process: what a job may have in work when it asks for nothing less. */
  readonly maxConcurrency: number;
  readonly lifeMs: number;
  readonly now: () => number;
  readonly log: Pick<Logger, "info">;
};

export type NewWork = {
  readonly kind: JobKind;
  readonly url: string | null;
  readonly options: Omit<KeptOptions, "keyConcurrency" | "accountConcurrency" | "allowHosts">;
  readonly webhook: Webhook | null;
  /** Documents wanted at most. */
  readonly limit: number;
  /** Fewer documents than the limit are fine when there are no credits for more. */
  readonly mayClamp: boolean;
  readonly maxConcurrency: number | undefined;
  readonly first: readonly FoundUrl[];
  /** More URLs come after the start. */
  readonly seeding: boolean;
};

/** A job that runs longer than this gives its credits back by itself. */
export const LONGEST_JOB_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps a new job; its id, and the documents it may have. Throws NOT_IMPLEMENTED for page options that this server cannot
 * serve, INSUFFICIENT_CREDITS, and CONFLICT for an idempotency key that was used before.
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
    lifeMs: LONGEST_JOB_MS,
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
          // Each page goes on from the state that the one before has saved.
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

/** Of the start; of a batch the host of its first URL. */
const hostOf = ({ url, first }: NewWork): string | undefined =>
  (url === null ? undefined : URL.parse(url)?.host) ?? first[0]?.host;

/** The most one page can cost: an enhanced proxy counts only where the plan has one. */
export function highestPrice({ pages }: Pick<StartParts, "pages">, page: PageOptions): number {
  const plan = pages.plan({ ...page, url: "" });
  const mayEnhance = plan.hasBetterProxy && plan.attempts.some(({ proxy }) => proxy === "enhanced");
  return highestPriceOf(mayEnhance ? page : { ...page, proxy: "basic" });
}

/** The limit, or what the key has credits for when that is less but not nothing. */
async function affordable(
  { credits }: StartParts,
  identity: Identity,
  price: number,
  { limit, mayClamp }: NewWork,
): Promise<number> {
  const remaining = await credits.remaining(identity);
  if (remaining === null || !mayClamp || price === 0) return limit;
  // One page at least: the hold says what is missing.
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
