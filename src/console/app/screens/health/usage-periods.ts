// Credits by hour, day, week or month, divided by key. Pure, so that it is tested without a page.
export type UsageUnit = "hour" | "day" | "week" | "month";

export type UsagePeriod = {
  readonly startDate: string;
  readonly creditsUsed: number;
  readonly apiKey?: { readonly id: string; readonly name: string };
};

export type UsageColumn = {
  /** Start of the period, ISO 8601. */
  readonly start: string;
  readonly total: number;
  /** Credits of each key, in the order of `keys`. */
  readonly parts: readonly number[];
};

export type UsageTable = {
  /** Largest first; the last one may stand for all others. */
  readonly keys: readonly { readonly id: string; readonly name: string; readonly total: number }[];
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

export function buildUsageTable(
  periods: readonly UsagePeriod[],
  unit: UsageUnit,
  now: number,
): UsageTable {
  const sums = new Map<string, { id: string; name: string; total: number }>();
  for (const { apiKey = NO_KEY, creditsUsed } of periods) {
    const before = sums.get(apiKey.id)?.total ?? 0;
    sums.set(apiKey.id, { ...apiKey, total: before + creditsUsed });
  }
  const sorted = [...sums.values()].toSorted((one, other) => other.total - one.total);
  const others = sorted.slice(MAX_KEYS);
  const keys = sorted.slice(0, MAX_KEYS);
  if (others.length > 0)
    keys.push({
      id: "others",
      name: `${others.length} other ${others.length === 1 ? "key" : "keys"}`,
      total: others.reduce((sum, { total }) => sum + total, 0),
    });
  const places = new Map(sorted.map(({ id }, index) => [id, Math.min(index, MAX_KEYS)]));
  const byStart = Map.groupBy(periods, ({ startDate }) => Date.parse(startDate));
  const columns = Array.from({ length: COLUMNS[unit] }, (_, index): UsageColumn => {
    const start = findStart(now, unit, COLUMNS[unit] - 1 - index);
    const parts = keys.map(() => 0);
    for (const { apiKey = NO_KEY, creditsUsed } of byStart.get(start) ?? []) {
      const place = places.get(apiKey.id) ?? 0;
      parts[place] = (parts[place] ?? 0) + creditsUsed;
    }
    const total = parts.reduce((sum, part) => sum + part, 0);
    return { start: new Date(start).toISOString(), total, parts };
  });
  return { keys, columns };
}

const NO_KEY = { id: "", name: "no key" };
