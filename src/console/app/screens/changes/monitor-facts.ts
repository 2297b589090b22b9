// Monitors as the API describes them.
import type { Monitor, MonitorCheck } from "../../../../contract/jobs/monitor-report.ts";
import type { ChangeBar } from "./change-bars.ts";

export const monitorPath = ({ id }: Pick<Monitor, "id">): string =>
  `/console/changes/monitors/${id}`;

/** The schedule in words if it was given so. */
export const describeSchedule = ({ schedule }: Pick<Monitor, "schedule">): string =>
  schedule.text ?? `${schedule.cron} (${schedule.timezone})`;

/** A bar for each check, oldest first; checks are newest first. */
export const toBars = (checks: readonly MonitorCheck[]): ChangeBar[] =>
  checks.toReversed().map(({ createdAt, status, summary }) => {
    const hasChange = summary.changed + summary.removed > 0;
    const hasFailed = status === "failed" || summary.error > 0;
    return {
      at: createdAt,
      level: hasChange || hasFailed ? 1 : 0,
      tone: hasFailed ? "red" : hasChange ? "amber" : "gray",
    };
  });

/** The newest check that found a change; checks are newest first. */
export const findLastChange = (checks: readonly MonitorCheck[]): MonitorCheck | undefined =>
  checks.find(({ summary }) => summary.changed + summary.removed > 0);

const WORDS = /^(?:[\d*,/-]+\s+){4}[\d*,/\-a-z]+$/i;

/** Five fields are cron, anything else is words. */
export const toSchedule = (text: string): { readonly cron: string } | { readonly text: string } =>
  WORDS.test(text.trim()) ? { cron: text.trim() } : { text: text.trim() };

/** The pattern that feedback makes of a line: its numbers may vary. */
export const toLinePattern = (line: string): string =>
  `^\\s*${line
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
    .replaceAll(/\d+/g, String.raw`\d+`)}\\s*$`;
