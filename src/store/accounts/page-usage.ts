// Pages by account, key and hour: outcomes, cache hits, bytes and latency. Only numbers are stored,
// so pages with zero data retention count as well.
import { sql, type Kysely } from "kysely";
import { buildGivenRows, type ColumnKind } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";
import { COUNTS, LATENCY_LIMITS_MS, type PageCounts } from "./page-counts.ts";
import { buildPeriodStart, type PeriodUnit } from "./period-start.ts";

export type PageUsageRow = PageCounts & {
  readonly accountId: string;
  readonly keyId: string;
  /** Start of the hour in UTC, milliseconds since the epoch. */
  readonly hour: number;
};

export type PageUsagePeriod = PageCounts & {
  /** Start of the month, week, day or hour in UTC, milliseconds since the epoch. */
  readonly startAt: number;
  /** Null unless divided by key. */
  readonly keyId: string | null;
};

export type PageUsageStore = {
  /** Adds to the stored counts. At most one row for each account, key and hour. */
  add(rows: readonly PageUsageRow[]): Promise<void>;
  /** Sums of the periods with pages, ascending. `since` is milliseconds since the epoch. */
  sum(
    accountId: string,
    range: {
      readonly unit: PeriodUnit;
      readonly byKey: boolean;
      readonly since: number;
    },
  ): Promise<PageUsagePeriod[]>;
};

const NAMES = Object.keys(COUNTS) as readonly (keyof typeof COUNTS)[];
const RANGES = Array.from({ length: LATENCY_LIMITS_MS.length + 1 }, (_, at) => at + 1);

const KINDS: Readonly<Record<string, ColumnKind>> = {
  account_id: "uuid",
  key_id: "uuid",
  hour: "bigint",
  ...Object.fromEntries(NAMES.map((name) => [COUNTS[name], "bigint" as const])),
  latency: "json",
};

const COLUMNS = NAMES.map((name) => COUNTS[name]).join(", ");
const ADDED = [
  ...NAMES.map((name) => `${COUNTS[name]} = page_usage.${COUNTS[name]} + excluded.${COUNTS[name]}`),
  `latency = array[${RANGES.map((at) => `page_usage.latency[${at}] + excluded.latency[${at}]`).join(", ")}]`,
].join(", ");
const SUMS = [
  ...NAMES.map((name) => `sum(${COUNTS[name]})::bigint as "${name}"`),
  `array[${RANGES.map((at) => `sum(latency[${at}])::bigint`).join(", ")}] as latency`,
].join(", ");

const toNumbers = ({ latency, ...period }: PageUsagePeriod): PageUsagePeriod => ({
  ...period,
  // The drivers read the elements of arrays as texts.
  latency: latency.map(Number),
});

export function createPageUsageStore(kysely: Kysely<Tables>): PageUsageStore {
  return {
    async add(rows) {
      const given = rows
        .map(({ accountId, keyId, hour, latency, ...counts }) => ({
          account_id: accountId,
          key_id: keyId,
          hour,
          ...Object.fromEntries(NAMES.map((name) => [COUNTS[name], counts[name]])),
          latency,
        }))
        // One order over all processes, so that two of them cannot wait for each other.
        .toSorted((one, other) => (toSortKey(one) < toSortKey(other) ? -1 : 1));
      await sql`
        insert into page_usage (account_id, key_id, hour, ${sql.raw(COLUMNS)}, latency)
        select account_id, key_id, hour, ${sql.raw(COLUMNS)},
          array(select value::bigint from json_array_elements_text(latency) with ordinality as listed (value, place) order by place)
        from ${buildGivenRows(given, KINDS)}
        on conflict (account_id, hour, key_id) do update set ${sql.raw(ADDED)}`.execute(kysely);
    },
    async sum(accountId, { unit, byKey, since }) {
      const { rows } = await sql<PageUsagePeriod>`
        select ${buildPeriodStart(unit, sql`hour`)} as "startAt", ${byKey ? sql`key_id` : sql`null::uuid`} as "keyId",
          ${sql.raw(SUMS)}
        from page_usage where account_id = ${accountId}::uuid and hour >= ${since}::bigint
        group by 1, 2 order by 1, 2`.execute(kysely);
      return rows.map(toNumbers);
    },
  };
}

const toSortKey = (row: { account_id: string; hour: number; key_id: string }): string =>
  `${row.account_id} ${row.hour} ${row.key_id}`;
