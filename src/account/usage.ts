// Usage of an account: the responses of /v2/team and /v2/concurrency-check (wire contract, team and
// usage).
import { ACTIVITY_ENDPOINTS, type UsageUnit } from "../contract/account/team.ts";
import { RequestError } from "../errors.ts";
import type { ActivityPosition, ActivityStore } from "../store/accounts/activity.ts";
import type { KeyStore } from "../store/accounts/accounts.ts";
import type { LedgerStore, UsagePeriod } from "../store/accounts/ledger.ts";
import { estimateLatency, NO_PAGES, type PageCounts } from "../store/accounts/page-counts.ts";
import type { PageUsagePeriod, PageUsageStore } from "../store/accounts/page-usage.ts";
import type { Credits } from "./credits.ts";
import { BUILT_IN_KEY_NAMES, type Identity } from "./identity.ts";
import type { Slots } from "./slots.ts";

/**
 * Remaining credits reported for keys without a budget: a number, because clients calculate with
 * it.
 */
export const UNLIMITED_CREDITS = 999_999_999;
/** Tokens are another unit of the same budget: one credit is 15 tokens. */
export const TOKENS_PER_CREDIT = 15;

const DAY_MS = 24 * 60 * 60 * 1000;
const ACTIVITY_LIMIT = { default: 50, max: 100 };

export type CreditUsage = {
  remainingCredits: number;
  planCredits: number;
  billingPeriodStart: string | null;
  billingPeriodEnd: string | null;
};

export type TokenUsage = Omit<CreditUsage, "remainingCredits" | "planCredits"> & {
  remainingTokens: number;
  planTokens: number;
};

/** Times as ISO 8601, the end exclusive; `apiKey` is the key's name, if grouped by key. */
export type UsagePeriodAnswer = {
  startDate: string;
  endDate: string;
  apiKey?: string;
  credits: number;
};

export type UsageQuery = {
  readonly unit: UsageUnit;
  readonly byApiKey?: boolean | undefined;
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
};

export type KeyUsagePeriod = {
  readonly startDate: string;
  readonly endDate: string;
  readonly apiKey?: { readonly id: string; readonly name: string };
  readonly credits: number;
  readonly pages: PageTotals;
};

/** Quantiles are estimated from ranges; null without pages. */
export type PageTotals = Omit<PageCounts, "latency"> & {
  readonly latency: { readonly p50: number | null; readonly p95: number | null };
};

export type QueueStatus = {
  jobsInQueue: number;
  activeJobsInQueue: number;
  waitingJobsInQueue: number;
  maxConcurrency: number;
  mostRecentSuccess: string | null;
};

export type ActivityPage = {
  data: {
    id: string;
    endpoint: string;
    api_version: string;
    created_at: string;
    target: string | null;
    api_key: { id: string; name: string | null };
  }[];
  cursor: string | null;
  has_more: boolean;
};

export type TimeRange = "day" | "week" | "month";

export type Usage = {
  credits(identity: Identity): Promise<CreditUsage>;
  getTokens(identity: Identity): Promise<TokenUsage>;
  /**
   * Periods of UTC months (or days or weeks), ascending. Throws BAD_REQUEST for byApiKey with a
   * timeRange.
   */
  getHistory(
    identity: Identity,
    query?: { byApiKey?: boolean; timeRange?: TimeRange | undefined },
  ): Promise<UsagePeriodAnswer[]>;
  /**
   * Periods with credits or pages, ascending. `since` defaults to 31 periods ago, the current one included.
   */
  listPeriods(identity: Identity, query: UsageQuery): Promise<KeyUsagePeriod[]>;
  getQueueStatus(identity: Identity): Promise<QueueStatus>;
  getConcurrency(identity: Identity): Promise<{ concurrency: number; maxConcurrency: number }>;
  /**
   * The last 24 hours, newest first. Throws BAD_REQUEST for an unknown endpoint or cursor; an
   * invalid limit means the default.
   */
  listActivity(
    identity: Identity,
    query?: { endpoint?: string | undefined; limit?: unknown; cursor?: string | undefined },
  ): Promise<ActivityPage>;
};

type UsageParts = {
  readonly credits: Credits;
  readonly ledger: LedgerStore;
  readonly pages: Pick<PageUsageStore, "sum">;
  readonly keys: KeyStore;
  readonly activity: ActivityStore;
  readonly slots: Slots;
  readonly now?: () => number;
};

const UNIT_MS = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS };

function computePeriodEnd(startAt: number, unit: UsageUnit): number {
  const start = new Date(startAt);
  if (unit === "month") return Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1);
  return startAt + UNIT_MS[unit];
}

const DEFAULT_PERIODS = 31;

/** The start of the first of the listed periods. */
function computeFirstStart(now: number, unit: UsageUnit): number {
  const at = new Date(now);
  const before = DEFAULT_PERIODS - 1;
  if (unit === "month") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - before, 1);
  const step = UNIT_MS[unit];
  // Weeks start on Monday; the epoch was a Thursday.
  const shift = unit === "week" ? 3 * DAY_MS : 0;
  return Math.floor((now + shift) / step) * step - shift - before * step;
}

function toCursor({ createdAt, id }: ActivityPosition): string {
  return Buffer.from(`${createdAt} ${id}`).toString("base64url");
}

function parseCursor(cursor: string): ActivityPosition {
  const match = /^(\d{1,15}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(cursor, "base64url").toString(),
  );
  if (match?.[1] === undefined || match[2] === undefined)
    throw new RequestError("BAD_REQUEST", "The cursor was not returned by this list.");
  return { createdAt: Number(match[1]), id: match[2] };
}

function parseLimit(limit: unknown): number {
  const given = typeof limit === "string" && limit !== "" ? Number(limit) : limit;
  return typeof given === "number" &&
    Number.isInteger(given) &&
    given >= 1 &&
    given <= ACTIVITY_LIMIT.max
    ? given
    : ACTIVITY_LIMIT.default;
}

type JoinedPeriod = {
  readonly startAt: number;
  readonly keyId: string | null;
  readonly credits: number;
  readonly counts: PageCounts;
};

/** One entry for each period and key that has credits or pages, ascending. */
function joinPeriods(
  credits: readonly UsagePeriod[],
  pages: readonly PageUsagePeriod[],
): JoinedPeriod[] {
  const toKey = (period: UsagePeriod | PageUsagePeriod): string =>
    `${period.startAt} ${period.keyId}`;
  const counts = new Map(pages.map((period) => [toKey(period), period]));
  const charged = credits.map((period) => ({
    ...period,
    counts: counts.get(toKey(period)) ?? NO_PAGES,
  }));
  const known = new Set(credits.map(toKey));
  const free = pages
    .filter((period) => !known.has(toKey(period)))
    .map((period) => ({ ...period, credits: 0, counts: period }));
  return [...charged, ...free].toSorted(
    (one, other) =>
      one.startAt - other.startAt || (one.keyId ?? "").localeCompare(other.keyId ?? ""),
  );
}

function toPageTotals({ latency, ...counts }: PageCounts): PageTotals {
  const quantiles = { p50: estimateLatency(latency, 0.5), p95: estimateLatency(latency, 0.95) };
  return { ...counts, latency: quantiles };
}

const toIso = (at: number): string => new Date(at).toISOString();

export function createUsage(parts: UsageParts): Usage {
  const { ledger, pages, keys, activity, slots, now = Date.now } = parts;

  async function readCredits(identity: Identity): Promise<CreditUsage> {
    const remaining = await parts.credits.getRemaining(identity);
    return {
      remainingCredits: remaining === null ? UNLIMITED_CREDITS : Math.max(0, remaining),
      planCredits: Math.min(
        identity.limits.creditBudget ?? UNLIMITED_CREDITS,
        identity.accountLimits?.creditBudget ?? UNLIMITED_CREDITS,
      ),
      billingPeriodStart: null,
      billingPeriodEnd: null,
    };
  }

  async function loadKeyNames(accountId: string): Promise<Map<string, string>> {
    const named = (await keys.list(accountId)).map(({ id, name }) => [id, name] as const);
    return new Map([...named, ...BUILT_IN_KEY_NAMES]);
  }

  return {
    credits: readCredits,
    async getTokens(identity) {
      const { remainingCredits, planCredits, ...period } = await readCredits(identity);
      return {
        remainingTokens: remainingCredits * TOKENS_PER_CREDIT,
        planTokens: planCredits * TOKENS_PER_CREDIT,
        ...period,
      };
    },
    async getHistory({ accountId }, { byApiKey = false, timeRange } = {}) {
      if (byApiKey && timeRange !== undefined)
        throw new RequestError("BAD_REQUEST", "byApiKey and timeRange cannot be used together.");
      const unit = timeRange ?? "month";
      const periods = await ledger.sumUsage(accountId, { unit, byKey: byApiKey });
      const names = byApiKey ? await loadKeyNames(accountId) : new Map<string, string>();
      return periods.map((period) => ({
        startDate: toIso(period.startAt),
        endDate: toIso(computePeriodEnd(period.startAt, unit)),
        ...(period.keyId === null ? {} : { apiKey: names.get(period.keyId) ?? period.keyId }),
        credits: period.credits,
      }));
    },
    async listPeriods({ accountId }, { unit, byApiKey = false, since }) {
      const range = { unit, byKey: byApiKey, since: since ?? computeFirstStart(now(), unit) };
      const periods = joinPeriods(
        await ledger.sumUsage(accountId, range),
        await pages.sum(accountId, range),
      );
      const names = byApiKey ? await loadKeyNames(accountId) : new Map<string, string>();
      return periods.map(({ startAt, keyId, credits, counts }) => ({
        startDate: toIso(startAt),
        endDate: toIso(computePeriodEnd(startAt, unit)),
        ...(keyId === null ? {} : { apiKey: { id: keyId, name: names.get(keyId) ?? keyId } }),
        credits,
        pages: toPageTotals(counts),
      }));
    },
    async getQueueStatus(identity) {
      const { active, waiting, max } = slots.use(identity);
      const lastSuccessAt = await activity.findLastSuccessAt(identity.accountId);
      return {
        jobsInQueue: active + waiting,
        activeJobsInQueue: active,
        waitingJobsInQueue: waiting,
        maxConcurrency: max,
        mostRecentSuccess: lastSuccessAt === undefined ? null : toIso(lastSuccessAt),
      };
    },
    async getConcurrency(identity) {
      const { max } = slots.use(identity);
      return { concurrency: await slots.countActive(identity), maxConcurrency: max };
    },
    async listActivity({ accountId }, { endpoint, limit, cursor } = {}) {
      if (endpoint !== undefined && !ACTIVITY_ENDPOINTS.some((known) => known === endpoint))
        throw new RequestError(
          "BAD_REQUEST",
          `There is no endpoint ${endpoint}; use one of ${ACTIVITY_ENDPOINTS.join(", ")}.`,
        );
      const size = parseLimit(limit);
      const found = await activity.list(accountId, {
        since: now() - DAY_MS,
        limit: size + 1,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(cursor === undefined ? {} : { after: parseCursor(cursor) }),
      });
      const names = await loadKeyNames(accountId);
      const page = found.slice(0, size);
      const last = page.at(-1);
      const hasMore = found.length > size;
      return {
        data: page.map((entry) => ({
          id: entry.id,
          endpoint: entry.endpoint,
          api_version: entry.apiVersion,
          created_at: toIso(entry.createdAt),
          target: entry.target,
          api_key: { id: entry.keyId, name: names.get(entry.keyId) ?? null },
        })),
        cursor: hasMore && last !== undefined ? toCursor(last) : null,
        has_more: hasMore,
      };
    },
  };
}
