import { sql, type RawBuilder } from "kysely";

export type PeriodUnit = "hour" | "day" | "week" | "month";

/** The start in UTC of the period of a time, both in milliseconds since the epoch; weeks start on Monday. */
export const buildPeriodStart = (unit: PeriodUnit, at: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from date_trunc(${sql.lit(unit)}, to_timestamp(${at} / 1000.0) at time zone 'UTC') at time zone 'UTC') * 1000)::bigint`;
