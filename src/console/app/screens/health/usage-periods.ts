// Usage by hour, day, week or month, divided by key or outcome. Pure, so that it is tested without a
// page.
export type UsageUnit = "hour" | "day" | "week" | "month";

export type UsagePeriod = {
  readonly startDate: string;
  readonly creditsUsed: number;
  readonly pages: number;
  readonly blocked: number;
  readonly thin: number;
  readonly failed: number;
  readonly cacheHits: number;
  readonly httpPages: number;
  readonly browserPages: number;
  readonly documentPages: number;
  readonly bytes: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number | null; readonly p95: number | null };
  readonly apiKey?: { readonly id: string; readonly name: string };
};

/** A part of a period's bar. */
export type UsagePart = { readonly id: string; readonly name: string; readonly value: number };

export type UsageColumn = {
  /** Start of the period, ISO 8601. */
  readonly start: string;
  readonly total: number;
  /** Values in the order of `series`. */
  readonly parts: readonly number[];
};

export type UsageTable = {
  /** Largest first, unless an order is given; the last key may stand for all others. */
  readonly series: readonly {
    readonly id: string;
    readonly name: string;
    readonly total: number;
  }[];
  /** One for each period up to now, with gaps filled in. */
  readonly columns: readonly UsageColumn[];
};

/** Keys that get a color of their own. */
export const MAX_KEYS = 5;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const COLUMNS: Readonly<Record<UsageUnit, number>> = { hour: 24, day: 31, week: 26, month: 12 };

/** Start of the period `back` periods before the one of `now`, in UTC; weeks start on Monday. */
function findStart(now: number, unit: UsageUnit, back: number): number {
  const at = new Date(now);
  if (unit === "month") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1);
  if (unit === "hour") return Math.floor(now / HOUR_MS) * HOUR_MS - back * HOUR_MS;
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  if (unit === "day") return day - back * DAY_MS;
  const sinceMonday = (at.getUTCDay() + 6) % 7;
  return day - (sinceMonday + 7 * back) * DAY_MS;
}

/** Start of the first shown period. */
export const findFirstStart = (now: number, unit: UsageUnit): number =>
  findStart(now, unit, COLUMNS[unit] - 1);

const NO_KEY = { id: "", name: "no key" };

/** Divides a number of the period by key. */
export const byKey =
  (read: (period: UsagePeriod) => number) =>
  (period: UsagePeriod): readonly UsagePart[] => [
    { ...(period.apiKey ?? NO_KEY), value: read(period) },
  ];

/** Divides the pages of the period by outcome. */
export const byOutcome = (period: UsagePeriod): readonly UsagePart[] => {
  const { pages, blocked, thin, failed } = period;
  return [
    { id: "content", name: "content", value: pages - blocked - thin - failed },
    { id: "blocked", name: "blocked", value: blocked },
    { id: "thin", name: "without text", value: thin },
    { id: "failed", name: "failed", value: failed },
  ];
};

/** Divides the pages of the period by what answered. */
export const byEngine = (period: UsagePeriod): readonly UsagePart[] => {
  const { pages, cacheHits, httpPages, browserPages, documentPages } = period;
  return [
    { id: "http", name: "HTTP", value: httpPages },
    { id: "browser", name: "browser", value: browserPages },
    { id: "document", name: "documents", value: documentPages },
    { id: "cache", name: "cache", value: cacheHits },
    {
      id: "none",
      name: "no answer",
      value: pages - httpPages - browserPages - documentPages - cacheHits,
    },
  ];
};

/** The keys with usage in these periods, in the order of their names. */
export function listKeys(periods: readonly UsagePeriod[]): { id: string; name: string }[] {
  const keys = new Map(periods.map(({ apiKey = NO_KEY }) => [apiKey.id, apiKey]));
  return [...keys.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Only the periods of a key. */
export const ofKey = (periods: readonly UsagePeriod[], keyId: string): UsagePeriod[] =>
  periods.filter(({ apiKey = NO_KEY }) => apiKey.id === keyId);

export function buildUsageTable(
  periods: readonly UsagePeriod[],
  options: {
    readonly unit: UsageUnit;
    readonly now: number;
    /** Ids of parts in their order; the largest come first by default. */
    readonly order?: readonly string[] | undefined;
  },
  divide: (period: UsagePeriod) => readonly UsagePart[],
): UsageTable {
  const { unit, now, order } = options;
  const sums = new Map<string, { id: string; name: string; total: number }>();
  for (const { id, name, value } of periods.flatMap(divide)) {
    if (value > 0) sums.set(id, { id, name, total: (sums.get(id)?.total ?? 0) + value });
  }
  const sorted = [...sums.values()].toSorted((one, other) =>
    order === undefined ? other.total - one.total : order.indexOf(one.id) - order.indexOf(other.id),
  );
  const others = sorted.slice(MAX_KEYS);
  const series = sorted.slice(0, MAX_KEYS);
  if (others.length > 0)
    series.push({
      id: "others",
      name: `${others.length} other ${others.length === 1 ? "key" : "keys"}`,
      total: others.reduce((sum, { total }) => sum + total, 0),
    });
  const places = new Map(sorted.map(({ id }, index) => [id, Math.min(index, MAX_KEYS)]));
  const byStart = Map.groupBy(periods, ({ startDate }) => Date.parse(startDate));
  const columns = Array.from({ length: COLUMNS[unit] }, (_, index): UsageColumn => {
    const start = findStart(now, unit, COLUMNS[unit] - 1 - index);
    const parts = series.map(() => 0);
    for (const { id, value } of (byStart.get(start) ?? []).flatMap(divide)) {
      const place = places.get(id);
      if (place !== undefined) parts[place] = (parts[place] ?? 0) + value;
    }
    const total = parts.reduce((sum, part) => sum + part, 0);
    return { start: new Date(start).toISOString(), total, parts };
  });
  return { series, columns };
}
