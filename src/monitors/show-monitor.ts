// Converts monitors and checks to their wire format. Addresses, tokens and header values stay on
// the server.
import type { Channel } from "../contract/jobs/monitor-channels.ts";
import { CHECK_STATUSES, PAGE_STATUSES } from "../contract/jobs/monitor.ts";
import type { Monitor, MonitorCheck, MonitorPage } from "../contract/jobs/monitor-report.ts";
import type { CheckPage, CheckRecord } from "../store/monitors/monitor-checks.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { isUnsubscribed, listRecipients } from "./recipients.ts";
import { computeNextRun } from "./schedule.ts";
import { HIDDEN, getSettings, type MonitorSettings, type Target, type WithId } from "./settings.ts";
import { addBase } from "./shown-picture.ts";
import { estimateCredits } from "./targets.ts";

export const toIso = (at: number | null | undefined): string | null =>
  at === null || at === undefined ? null : new Date(at).toISOString();

const hideHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));

function showTarget(target: Target): Monitor["targets"][number] {
  if (!("scrapeOptions" in target) || target.scrapeOptions === undefined) return { ...target };
  const { scrapeOptions } = target;
  return {
    ...target,
    scrapeOptions: { ...scrapeOptions, headers: hideHeaders(scrapeOptions.headers) },
  };
}

/** The host of an address; the rest may be a secret. */
const readHost = (url: string): string => URL.parse(url)?.host ?? "";

function showChannel(
  channel: WithId<Channel>,
): { id: string; type: string } & Record<string, unknown> {
  const { id, type, events, digestMinutes, quietHours, maxPerHour } = channel;
  return {
    id,
    type,
    ...(channel.type === "email" ? { to: channel.to } : { host: readHost(channel.url) }),
    events,
    ...(digestMinutes !== undefined && { digestMinutes }),
    ...(quietHours !== undefined && { quietHours }),
    maxPerHour,
  };
}

/** Estimated pages of a crawl without a limit that has not run. */
const MAX_UNKNOWN_PAGES = 100;

export function estimateCheck(settings: MonitorSettings, lastPages?: number): number {
  return estimateCredits(settings.targets, lastPages ?? MAX_UNKNOWN_PAGES);
}

export function showMonitor(
  record: MonitorRecord,
  { now, feedUrl }: { readonly now: number; readonly feedUrl: string },
): Monitor {
  const settings = getSettings(record);
  const { timetable, webhook, when } = settings;
  const { cron, timezone, text, window, pauseUntil } = timetable;
  const pages = record.lastSummary?.totalPages;
  return {
    id: record.id,
    name: record.name,
    status: record.status,
    schedule: {
      cron,
      timezone,
      ...(text !== undefined && { text }),
      ...(window !== undefined && { window }),
    },
    nextRunAt: record.status === "active" ? toIso(computeNextRun(timetable, now, record.id)) : null,
    lastRunAt: toIso(record.lastRunAt),
    currentCheckId: record.currentCheckId,
    targets: settings.targets.map(showTarget),
    webhook: webhook === null ? null : { ...webhook, headers: hideHeaders(webhook.headers) },
    notification: settings.notification,
    emailRecipientSubscriptions: listRecipients(settings).map((email) => ({
      email,
      status: isUnsubscribed(settings, email) ? ("unsubscribed" as const) : ("confirmed" as const),
      source: "team" as const,
    })),
    retentionDays: record.retentionDays,
    estimatedCreditsPerMonth: settings.runsPerMonth * estimateCheck(settings, pages),
    lastCheckSummary: record.lastSummary,
    goal: settings.goal,
    judgeEnabled: settings.judgeEnabled,
    channels: settings.channels.map(showChannel),
    detection: settings.detection,
    when,
    pauseUntil: toIso(pauseUntil),
    feedUrl,
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
  };
}

const isOneOf = <T extends string>(values: readonly T[], text: string): T =>
  values.find((value) => value === text) ?? (values[0] as T);

export function showCheck(check: CheckRecord): MonitorCheck {
  const { actualCredits } = check;
  return {
    id: check.id,
    monitorId: check.monitorId,
    status: isOneOf(CHECK_STATUSES, check.status),
    trigger: check.trigger,
    scheduledFor: toIso(check.scheduledFor),
    startedAt: toIso(check.startedAt),
    finishedAt: toIso(check.finishedAt),
    estimatedCredits: check.estimatedCredits,
    // Each scrape of a check holds and settles its own credits.
    reservedCredits: null,
    actualCredits,
    billingStatus: actualCredits === null ? "not_applicable" : "confirmed",
    summary: check.summary,
    targetResults: check.targetResults as { targetId: string; type: string }[],
    error: check.error,
    createdAt: new Date(check.createdAt).toISOString(),
    updatedAt: new Date(check.updatedAt).toISOString(),
  };
}

/** `base` is the address of this server, for links to pictures. */
export function showPage(
  { id, targetId, url, status, about: stored, createdAt }: CheckPage,
  base: string,
): MonitorPage {
  const about = addBase(stored, base);
  return {
    previousScrapeId: null,
    currentScrapeId: null,
    statusCode: null,
    error: null,
    diff: null,
    snapshot: null,
    event: null,
    judgment: null,
    ...about,
    id,
    targetId,
    url,
    status: isOneOf(PAGE_STATUSES, status),
    createdAt: new Date(createdAt).toISOString(),
  };
}
