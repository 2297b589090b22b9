import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { computeNextRun } from "./schedule.ts";
import { getSettings } from "./settings.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_PAUSE_MS = 366 * DAY_MS;

/**
 * Returns the time until which the next check may refer to the scrapes of pages that do not change: a
 * day after its planned start. Without a planned check, as long as checks are kept.
 */
export function computeBaselineEnd(
  monitor: Pick<MonitorRecord, "id" | "status" | "retentionDays" | "settings">,
  now: number,
): number {
  const { timetable } = getSettings(monitor);
  const nextAt = monitor.status === "active" ? computeNextRun(timetable, now, monitor.id) : null;
  if (nextAt === null) return now + monitor.retentionDays * DAY_MS;
  return Math.min(nextAt, now + MAX_PAUSE_MS) + DAY_MS;
}
