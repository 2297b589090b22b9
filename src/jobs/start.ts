// Starts a job of any kind: holds its maximum cost, claims the idempotency key, and saves the job
// with its first event. A step that fails undoes the ones before it.
import { v7 } from "uuid";
import type { Credits, Hold } from "../account/credits.ts";
import type { Identity } from "../account/identity.ts";
import type { Webhook } from "../contract/jobs/webhook.ts";
import { RequestError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { IdempotencyStore } from "../store/accounts/idempotency.ts";
import type { FoundUrl } from "../store/jobs/frontier.ts";
import type { NewJob, NewRun } from "../store/jobs/job-record.ts";
import type { TransactionStep, JobStore } from "../store/jobs/jobs.ts";
import { getTraceparent } from "../telemetry/tracing.ts";
import type { JobCaller } from "./caller.ts";
import type { JobKind } from "./kind.ts";

export type StartParts = {
  readonly jobs: Pick<JobStore, "create">;
  readonly idempotency: IdempotencyStore;
  readonly credits: Credits;
  /** Resolves the webhook of the job; throws BAD_REQUEST for a forbidden address. */
  readonly resolveWebhook: (given: Webhook | null, jobId: string) => Promise<Webhook | null>;
  /** Called once the job is saved. */
  readonly onStarted: (job: { readonly id: string; readonly webhook: Webhook | null }) => void;
  /**
   * Time, milliseconds, that a job stays readable after its end, unless its kind sets another time.
   */
  readonly lifeMs: number;
  readonly now: () => number;
  readonly log: Pick<Logger, "info">;
};

/** The maximum cost of a job: `units` (pages, or credits) at `price` credits each. */
export type Cost = {
  readonly units: number;
  readonly price: number;
  /** Lowers the units to the number that the credits cover instead of failing. */
  readonly mayClamp: boolean;
};

/** Fields of a new job that its kind decides; the others follow from the kind and the caller. */
export type JobPlan = Pick<NewJob, "options"> &
  Partial<
    Pick<NewJob, "url" | "limit" | "maxConcurrency" | "seeding" | "revisits" | "warnings">
  > & {
    readonly webhook: Webhook | null;
    readonly zeroDataRetention?: boolean;
    /** The first URLs of its frontier. */
    readonly first?: readonly FoundUrl[];
    /** When its run is due, milliseconds since the epoch; now when missing. */
    readonly runAt?: number;
    /** The schedule that starts it. */
    readonly schedule?: NewRun["schedule"];
    readonly alongside?: TransactionStep;
    /** Host for the log. */
    readonly host?: string | undefined;
  };

export type NewWork = {
  readonly cost: Cost;
  /** Called with the units that the credits cover and the id of the job. */
  readonly plan: (units: number, id: string) => JobPlan;
  /** The error when `alongside` rejects the job; CONFLICT when missing. */
  readonly refused?: () => RequestError;
};

/** The credits of a job that runs longer are released automatically. */
export const MAX_JOB_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Saves a new job; returns its id and the units that the credits cover. Throws
 * INSUFFICIENT_CREDITS, BAD_REQUEST for a webhook that may not be reached, and CONFLICT for an
 * idempotency key that was used before.
 */
export async function startJob(
  parts: StartParts,
  kind: JobKind,
  { cost, plan, refused }: NewWork,
  { identity, idempotencyKey }: JobCaller,
): Promise<{ readonly id: string; readonly units: number }> {
  const units = await computeAffordable(parts.credits, identity, cost);
  const id = v7();
  const now = parts.now();
  const work = plan(units, id);
  const { seeding = true } = work;
  const webhook = kind.hasEvents === false ? null : await parts.resolveWebhook(work.webhook, id);
  const hold = await holdCredits(parts, kind, identity, id, units * cost.price);
  try {
    await claimKey(parts, identity, idempotencyKey, now);
  } catch (error) {
    await hold?.release();
    throw error;
  }
  try {
    const made = await parts.jobs.create(
      {
        id,
        accountId: identity.accountId,
        keyId: identity.keyId,
        kind: kind.name,
        url: work.url ?? null,
        options: work.options,
        limit: work.limit ?? null,
        maxConcurrency: work.maxConcurrency ?? 1,
        hold: hold?.entry ?? null,
        traceparent: getTraceparent() ?? null,
        webhook,
        zeroDataRetention: work.zeroDataRetention ?? false,
        // Until its run has ended it, or has found all of its URLs.
        seeding,
        ...(work.warnings === undefined ? {} : { warnings: work.warnings }),
        ...(work.revisits === undefined ? {} : { revisits: work.revisits }),
        ...(seeding && { run: buildFirstRun(work, now) }),
        createdAt: now,
        expiresAt: now + (kind.lifeMs ?? parts.lifeMs),
      },
      work.first,
      work.alongside,
    );
    if (!made)
      throw refused?.() ?? new RequestError("CONFLICT", "The job has already been started.");
  } catch (error) {
    if (idempotencyKey !== undefined)
      await parts.idempotency.release(identity.accountId, idempotencyKey);
    await hold?.release();
    throw error;
  }
  const { host, first } = work;
  parts.log.info(
    {
      jobId: id,
      kind: kind.name,
      key: identity.keyName,
      ...(host === undefined || work.zeroDataRetention === true ? {} : { host }),
      ...(first === undefined ? {} : { urls: first.length }),
      ...(cost.units === 0 ? {} : { limit: units }),
    },
    "job started",
  );
  parts.onStarted({ id, webhook });
  return { id, units };
}

const buildFirstRun = ({ schedule, runAt }: JobPlan, now: number): NewRun => ({
  dueAt: runAt ?? now,
  ...(schedule === undefined ? {} : { schedule }),
});

/** Returns the units, or what the key's credits cover if that is less but not zero. */
async function computeAffordable(
  credits: Credits,
  identity: Identity,
  cost: Cost,
): Promise<number> {
  const { units, price, mayClamp } = cost;
  if (!mayClamp || price === 0) return units;
  const remaining = await credits.getRemaining(identity);
  if (remaining === null) return units;
  // At least one: the hold then reports the missing credits.
  return Math.max(1, Math.min(units, Math.floor(remaining / price)));
}

async function holdCredits(
  { credits }: StartParts,
  { name, charged }: JobKind,
  identity: Identity,
  jobId: string,
  amount: number,
): Promise<Hold | undefined> {
  if (charged === "as it goes") return undefined;
  return await credits.hold(identity, amount, { jobId, endpoint: name, lifeMs: MAX_JOB_MS });
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
