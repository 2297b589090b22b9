// When a monitor runs: five cron fields, or a few English phrases. Both are validated here; src/monitors/ computes
// the times.
import { z } from "zod";

const MIN_MINUTES = 5;
const FIELD_RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const DAY_NAMES: readonly string[] = DAYS;

function toNumber(text: string, index: number): number {
  const lower = text.toLowerCase();
  if (index === 3 && MONTHS.includes(lower)) return MONTHS.indexOf(lower) + 1;
  if (index === 4 && DAY_NAMES.includes(lower)) return DAY_NAMES.indexOf(lower);
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns the values of one cron field, ascending; undefined if invalid. */
function listFieldValues(field: string, index: number): number[] | undefined {
  const [min, max] = FIELD_RANGES[index] ?? [0, 0];
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,2}))?$/i.exec(part);
    if (match === null) return undefined;
    const [, from = "", to, step] = match;
    if (from === "*" && to !== undefined) return undefined;
    const first = from === "*" ? min : toNumber(from, index);
    const isOpen = from === "*" || (to === undefined && step !== undefined);
    const last = isOpen ? max : toNumber(to ?? from, index);
    const by = Number(step ?? 1);
    if (!(first >= min && last <= max && first <= last && by >= 1)) return undefined;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return [...values].toSorted((left, right) => left - right);
}

/** Returns the values of the five fields of a valid cron expression: minutes, hours, days, months, weekdays (0 to 7). */
export const listCronValues = (cron: string): readonly (readonly number[])[] =>
  cron
    .trim()
    .split(/\s+/)
    .map((field, index) => listFieldValues(field, index) ?? []);

/** Returns what is wrong with a five-field cron expression; undefined if valid. */
export function findCronFault(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== FIELD_RANGES.length) return "cron must have five fields";
  const values = fields.map((field, index) => listFieldValues(field, index));
  const bad = values.findIndex((list) => list === undefined);
  if (bad !== -1) return `cron field ${bad + 1} cannot be read: ${fields[bad] ?? ""}`;
  const minutes = values[0] ?? [];
  const hours = values[1] ?? [];
  // Hours may be consecutive, so the gap from the last minute to the first of the next hour counts
  // too.
  const touches = hours.some((hour) => hours.includes((hour + 1) % 24));
  const next = touches ? [...minutes, (minutes[0] ?? 0) + 60] : minutes;
  const isDense = next.some((minute, at) => minute - (next[at - 1] ?? -60) < MIN_MINUTES);
  return isDense ? `schedule: runs must be at least ${MIN_MINUTES} minutes apart` : undefined;
}

const DAY_MINUTES = 24 * 60;
const CLOCK = String.raw`([01]?\d|2[0-3])(?::([0-5]\d))?(?:\s?([ap]m))?`;
const EVERY_MINUTES = /^every (\d{1,4}) minutes?(?: starting at :([0-5]\d))?$/;
const EVERY_HOURS = /^every (\d{1,3}) hours?$/;
const AT_CLOCK = new RegExp(`^(daily|every day|weekdays|every weekday) at ${CLOCK}$`);

/** A parsed phrase. `clock` is in minutes since midnight; the server chooses undefined parts. */
export type Phrase =
  | { readonly every: number; readonly startMinute?: number | undefined }
  | { readonly days: "all" | "weekdays" | "one"; readonly clock?: number };

function toClock(hours: string, minutes: string | undefined, half: string | undefined): number {
  const hour = Number(hours);
  if (half === undefined) return hour * 60 + Number(minutes ?? 0);
  if (hour < 1 || hour > 12) return Number.NaN;
  return ((hour % 12) + (half === "pm" ? 12 : 0)) * 60 + Number(minutes ?? 0);
}

/** Parses a schedule phrase; undefined when it is not one of the supported ones. */
export function parsePhrase(phrase: string): Phrase | undefined {
  const text = phrase.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const minutes = EVERY_MINUTES.exec(text);
  if (minutes !== null)
    return {
      every: Number(minutes[1]),
      ...(minutes[2] !== undefined && { startMinute: Number(minutes[2]) }),
    };
  const hours = EVERY_HOURS.exec(text);
  if (hours !== null) return { every: Number(hours[1]) * 60 };
  if (text === "hourly" || text === "every hour") return { every: 60 };
  if (text === "daily" || text === "every day") return { days: "all" };
  if (text === "weekdays" || text === "every weekday") return { days: "weekdays" };
  if (text === "weekly" || text === "every week") return { days: "one" };
  const at = AT_CLOCK.exec(text);
  if (at === null) return undefined;
  const clock = toClock(at[2] ?? "", at[3], at[4]);
  if (Number.isNaN(clock)) return undefined;
  return { days: at[1]?.includes("weekday") === true ? "weekdays" : "all", clock };
}

/** Returns what is wrong with a schedule phrase; undefined if it is supported. */
export function findPhraseFault(text: string): string | undefined {
  const phrase = parsePhrase(text);
  if (phrase === undefined)
    return "schedule: text is not understood; write for example every 30 minutes, hourly, daily at 9:00, weekdays at 8:30";
  if (!("every" in phrase)) return undefined;
  const { every } = phrase;
  if (every < MIN_MINUTES) return `schedule: runs must be at least ${MIN_MINUTES} minutes apart`;
  const dividesEvenly =
    every < 60 ? 60 % every === 0 : every % 60 === 0 && DAY_MINUTES % every === 0;
  return dividesEvenly
    ? undefined
    : `schedule: ${every} minutes do not divide the day evenly; use 5, 6, 10, 12, 15, 20 or 30 minutes, 1, 2, 3, 4, 6, 8, 12 or 24 hours, or cron`;
}

const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

const clockSchema = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "schedule: a time must be like 08:30");

/** Days and hours in which checks may run, in the time zone of the schedule. */
const windowSchema = z
  .strictObject({
    days: z.array(z.enum(DAYS)).min(1).max(7).optional().describe("Such as mon; all when missing."),
    from: clockSchema.default("00:00"),
    to: clockSchema.default("00:00").describe("Exclusive. Before from means the next day."),
  })
  .describe("Days and hours in which checks may run.");

export const scheduleSchema = z
  .strictObject({
    cron: z.string().max(200).optional().describe("Five cron fields."),
    text: z
      .string()
      .max(200)
      .optional()
      .describe(
        "Such as every 30 minutes, hourly, every 2 hours, daily at 9:00, weekdays at 8:30, weekly.",
      ),
    timezone: z
      .string()
      .max(100)
      .refine(isTimezone, "schedule: timezone is not a known time zone")
      .default("UTC"),
    window: windowSchema.optional(),
  })
  .superRefine((schedule, context) => {
    const { cron, text } = schedule;
    const add = (message: string) => context.addIssue({ code: "custom", message });
    if ((cron === undefined) === (text === undefined))
      return add("schedule: exactly one of cron and text is needed");
    const fault = cron === undefined ? findPhraseFault(text ?? "") : findCronFault(cron);
    if (fault !== undefined) add(fault);
  })
  .describe("When to run: cron or text, at least five minutes apart.");

export type Schedule = z.output<typeof scheduleSchema>;
