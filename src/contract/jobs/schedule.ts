// When a monitor runs: five cron fields, or a few English phrases. Both are validated here, not
// computed.
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
const DAYS = "sun mon tue wed thu fri sat".split(" ");

function toNumber(text: string, index: number): number {
  const lower = text.toLowerCase();
  if (index === 3 && MONTHS.includes(lower)) return MONTHS.indexOf(lower) + 1;
  if (index === 4 && DAYS.includes(lower)) return DAYS.indexOf(lower);
  return /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
}

/** Returns the values of one cron field, ascending; undefined if invalid. */
function listFieldValues(field: string, index: number): number[] | undefined {
  const [least, most] = FIELD_RANGES[index] ?? [0, 0];
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const match = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/(\d{1,2}))?$/i.exec(part);
    if (match === null) return undefined;
    const [, from = "", to, step] = match;
    if (from === "*" && to !== undefined) return undefined;
    const first = from === "*" ? least : toNumber(from, index);
    const isOpen = from === "*" || (to === undefined && step !== undefined);
    const last = isOpen ? most : toNumber(to ?? from, index);
    const by = Number(step ?? 1);
    if (!(first >= least && last <= most && first <= last && by >= 1)) return undefined;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return [...values].toSorted((left, right) => left - right);
}

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

const CLOCK = String.raw`(?:[01]?\d|2[0-3])(?::[0-5]\d)?(?:\s?[ap]m)?`;
const PHRASES = [
  /^every (\d{1,4}) minutes?(?: starting at :[0-5]\d)?$/,
  /^every (\d{1,3}) hours?$/,
  /^every (?:hour|day|week)$/,
  /^(?:hourly|daily|weekly)$/,
  new RegExp(`^(?:daily|every day) at ${CLOCK}$`),
];

/** Returns what is wrong with a schedule phrase; undefined if it is supported. */
export function findPhraseFault(phrase: string): string | undefined {
  const text = phrase.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const match = PHRASES.map((pattern) => pattern.exec(text)).find((found) => found !== null);
  if (match === undefined)
    return "schedule: text is not understood; write for example every 30 minutes, hourly, daily at 9:00";
  const isMinutes = text.includes("minute");
  const count = Number(match[1] ?? 1);
  if (match[1] !== undefined && count < (isMinutes ? MIN_MINUTES : 1))
    return `schedule: runs must be at least ${MIN_MINUTES} minutes apart`;
  return undefined;
}

const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

export const scheduleSchema = z
  .strictObject({
    cron: z.string().max(200).optional().describe("Five cron fields."),
    text: z
      .string()
      .max(200)
      .optional()
      .describe("Such as every 30 minutes, hourly, every 2 hours, daily at 9:00, weekly."),
    timezone: z
      .string()
      .max(100)
      .refine(isTimezone, "schedule: timezone is not a known time zone")
      .default("UTC"),
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
