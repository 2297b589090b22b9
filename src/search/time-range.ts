// `tbs` as clients write it: qdr:d, qdr:w2, cdr:1,cd_min:3/1/2026,cd_max:4/30/2026, sbd:1.

export type Unit = "hour" | "day" | "week" | "month" | "year";

export type TimeRange = {
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The unit of `qdr`, for providers that support nothing else. */
  readonly unit: Unit | undefined;
  readonly newestFirst: boolean;
  /** Nothing could be parsed. */
  readonly isUnknown: boolean;
};

const UNITS: Readonly<Record<string, readonly [Unit, number]>> = {
  s: ["hour", 1_000],
  n: ["hour", 60_000],
  h: ["hour", 3_600_000],
  d: ["day", 86_400_000],
  w: ["week", 7 * 86_400_000],
  m: ["month", 30 * 86_400_000],
  y: ["year", 365 * 86_400_000],
};

const DAY_MS = 86_400_000;

/** Parses a time range; `now` is milliseconds since the epoch. */
export function parseTimeRange(tbs: string | undefined, now: number): TimeRange {
  let since: number | undefined;
  let until: number | undefined;
  let unit: Unit | undefined;
  let newestFirst = false;
  for (const part of (tbs ?? "").split(",")) {
    const [name = "", value = ""] = part.trim().split(/:(.*)/s);
    if (name === "qdr") {
      const [, letter = "", number = ""] = /^([a-z])(\d{0,4})$/.exec(value) ?? [];
      const known = UNITS[letter];
      if (known === undefined) continue;
      const count = Math.max(1, Number(number || 1));
      since = now - known[1] * count;
      unit = count === 1 ? known[0] : chooseUnit(known[1] * count);
    } else if (name === "cd_min") since = parseDate(value) ?? since;
    else if (name === "cd_max") {
      const day = parseDate(value);
      if (day !== undefined) until = day + DAY_MS - 1;
    } else if (name === "sbd") newestFirst = value === "1";
  }
  const isKnown = since !== undefined || until !== undefined || newestFirst;
  return {
    since,
    until,
    unit,
    newestFirst,
    isUnknown: tbs !== undefined && tbs !== "" && !isKnown,
  };
}

/** Returns the smallest unit that covers the time. */
function chooseUnit(ms: number): Unit {
  for (const [unit, length] of [
    UNITS["h"],
    UNITS["d"],
    UNITS["w"],
    UNITS["m"],
  ] as const as readonly (readonly [Unit, number])[])
    if (ms <= length) return unit;
  return "year";
}

/** Month, day and year, or ISO 8601 order. */
function parseDate(text: string): number | undefined {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text);
  const [year, month, day] =
    american === null ? (iso?.slice(1) ?? []) : [american[3], american[1], american[2]];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(at) ? undefined : at;
}
