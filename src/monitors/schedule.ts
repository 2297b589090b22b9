// Computes the run times of a monitor. Phrases become cron; open parts are derived from the id of
// the monitor, so that monitors with the same phrase do not all run at once.
import { createHash } from "node:crypto";
import { Cron } from "croner";
import {
  listCronValues,
  parsePhrase,
  type Phrase,
  type Schedule,
} from "../contract/jobs/schedule.ts";
import { RequestError } from "../errors.ts";

export type Timetable = {
  /** Five fields. */
  readonly cron: string;
  readonly timezone: string;
  /** Text of the caller. */
  readonly text?: string | undefined;
  readonly window?: Schedule["window"];
  /** Milliseconds since the epoch; no run before it. */
  readonly pauseUntil?: number | undefined;
};

const MINUTE_SECONDS = 60;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const MONTH_DAYS = 30;
/** Maximum window openings without a run, such as those of a year for a yearly schedule. */
const MAX_OPENINGS = 370;
/** A window opens at least once a week. */
const MAX_CLOSED_MINUTES = WEEK_MINUTES + DAY_MINUTES;
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** Derives an integer from 0 to below `range` from the id; each `word` (0 to 7) gives another one. */
function hashToOffset(id: string, range: number, word = 0): number {
  return (
    createHash("sha256")
      .update(id)
      .digest()
      .readUInt32BE(4 * word) % range
  );
}

/** Returns the delay of a monitor's runs within their minute, milliseconds. */
const computeSpread = (id: string): number => hashToOffset(id, MINUTE_SECONDS, 1) * 1_000;

const listFrom = (first: number, step: number, end: number): string => {
  const values: number[] = [];
  for (let value = first % step; value < end; value += step) values.push(value);
  return values.join(",");
};

function toCron(phrase: Phrase, id: string): string {
  if ("every" in phrase) {
    const { every } = phrase;
    if (every < HOUR_MINUTES)
      return `${listFrom(phrase.startMinute ?? hashToOffset(id, every), every, HOUR_MINUTES)} * * * *`;
    const hours = every / HOUR_MINUTES;
    const at = hashToOffset(id, every);
    const hourField = hours === 1 ? "*" : listFrom(Math.floor(at / HOUR_MINUTES), hours, 24);
    return `${at % HOUR_MINUTES} ${hourField} * * *`;
  }
  const at = phrase.clock ?? hashToOffset(id, phrase.days === "one" ? WEEK_MINUTES : DAY_MINUTES);
  const hour = Math.floor((at % DAY_MINUTES) / HOUR_MINUTES);
  const days = { all: "*", weekdays: "1-5", one: String(Math.floor(at / DAY_MINUTES)) };
  return `${at % HOUR_MINUTES} ${hour} * * ${days[phrase.days]}`;
}

/** Returns the timetable of a validated schedule. Throws BAD_REQUEST when it never runs. */
export function toTimetable(
  { cron, text, timezone, window }: Schedule,
  id: string,
  pauseUntil?: number,
): Timetable {
  const phrase = text === undefined ? undefined : parsePhrase(text);
  const timetable: Timetable = {
    cron: phrase === undefined ? (cron ?? "").trim().split(/\s+/).join(" ") : toCron(phrase, id),
    timezone,
    ...(text !== undefined && { text }),
    ...(window !== undefined && { window }),
    ...(pauseUntil !== undefined && { pauseUntil }),
  };
  if (computeNextRun({ ...timetable, pauseUntil: undefined }, Date.now()) === null)
    throw new RequestError(
      "BAD_REQUEST",
      `schedule: ${text ?? cron ?? ""} never runs${window === undefined ? "" : " inside schedule.window"}`,
    );
  return timetable;
}

const parseClock = (text: string): number =>
  Number(text.slice(0, 2)) * HOUR_MINUTES + Number(text.slice(3));

/** True if a window is open at a minute of a weekday (0 is Sunday). */
function isOpen(window: Timetable["window"], weekday: number, clock: number): boolean {
  if (window === undefined) return true;
  const [from, to] = [parseClock(window.from), parseClock(window.to)];
  const isOvernight = to <= from;
  if (isOvernight ? clock < from && clock >= to : clock < from || clock >= to) return false;
  // The hours after midnight belong to the day on which the window opened.
  const opened = isOvernight && clock < to ? (weekday + 6) % 7 : weekday;
  return window.days?.includes(DAYS[opened] ?? "sun") ?? true;
}

/** Reads weekday and minute of times in a time zone. */
function createLocalClock(timezone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (at: number): { readonly weekday: number; readonly clock: number } => {
    const read = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    return {
      weekday: DAYS.findIndex((day) => day === read["weekday"]?.toLowerCase()),
      clock: Number(read["hour"]) * HOUR_MINUTES + Number(read["minute"]),
    };
  };
}

/** Parsed expressions: monitors of a fleet share few of them, and parsing is the costly part. */
const MAX_PARSED = 1_000;
const parsed = new Map<string, Cron>();

function parseCron({ cron, timezone }: Timetable): Cron {
  const key = `${timezone} ${cron}`;
  const known = parsed.get(key);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const made = new Cron(cron, { timezone, paused: true });
  parsed.set(key, made);
  return made;
}

/**
 * Returns the next run after `after`, milliseconds since the epoch; null when there is none. With
 * the id of a monitor, it is at the monitor's own second of the planned minute.
 */
export function computeNextRun(timetable: Timetable, after: number, id?: string): number | null {
  const spreadMs = id === undefined ? 0 : computeSpread(id);
  const next = computeNextMinute(timetable, after - spreadMs);
  return next === null ? null : next + spreadMs;
}

function computeNextMinute(timetable: Timetable, after: number): number | null {
  const { window, timezone } = timetable;
  const cron = parseCron(timetable);
  let localClock: ReturnType<typeof createLocalClock> | undefined;
  const isInside = (at: number): boolean => {
    localClock ??= createLocalClock(timezone);
    const { weekday, clock } = localClock(at);
    return isOpen(window, weekday, clock);
  };
  let from = Math.max(after, (timetable.pauseUntil ?? 0) - 1);
  for (let opening = 0; opening < MAX_OPENINGS; opening++) {
    const next = cron.nextRun(new Date(from))?.getTime();
    if (next === undefined) return null;
    if (window === undefined || isInside(next)) return next;
    let minutes = 1;
    while (minutes <= MAX_CLOSED_MINUTES && !isInside(next + minutes * MINUTE_MS)) minutes += 1;
    if (minutes > MAX_CLOSED_MINUTES) return null;
    from = next + minutes * MINUTE_MS - 1;
  }
  return null;
}

/** Returns the number of runs in the 30 days after `now`; clock changes are ignored. */
export function countRuns({ cron, timezone, window }: Timetable, now: number): number {
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = listCronValues(cron);
  const [, , dayField, , weekdayField] = cron.split(" ");
  const localDay = new Intl.DateTimeFormat("en-CA", { timeZone: timezone });
  const first = Date.parse(localDay.format(now));
  let count = 0;
  for (let index = 0; index < MONTH_DAYS; index++) {
    const date = new Date(first + index * DAY_MS);
    const weekday = date.getUTCDay();
    const isDay = days.includes(date.getUTCDate());
    const isWeekday = weekdays.some((value) => value % 7 === weekday);
    // With both fields given, either is enough (POSIX crontab).
    const isEither = dayField !== "*" && weekdayField !== "*";
    if (!months.includes(date.getUTCMonth() + 1)) continue;
    if (isEither ? !isDay && !isWeekday : !isDay || !isWeekday) continue;
    for (const hour of hours)
      for (const minute of minutes)
        if (isOpen(window, weekday, hour * HOUR_MINUTES + minute)) count += 1;
  }
  return count;
}
