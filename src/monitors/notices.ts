// Computes the notifications of a check and the time at which each channel may get them. Pure.
import { v5, v7 } from "uuid";
import type { Channel, NoticeEvent } from "../contract/jobs/monitor-channels.ts";
import type { NewNotice } from "../store/monitors/monitor-notices.ts";
import type { CheckPage, CheckRecord } from "../store/monitors/monitor-checks.ts";
import { isObject } from "../runtime/is-object.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { buildRecipientName, isUnsubscribed, normalizeRecipient } from "./recipients.ts";
import { NOTIFICATION_CHANNEL, type MonitorSettings, type WithId } from "./settings.ts";

/** Id of the channel for the monitor's `webhook`, which gets the events of the API family. */
export const WEBHOOK_CHANNEL = "webhook";

export type NoticePage = {
  readonly targetId: string;
  readonly url: string;
  readonly status: string;
  readonly title: string | null;
  /** Reason of the report, or of the failure. */
  readonly reason: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

/** Content of a notification. JSON. */
export type NoticePayload = {
  readonly event: NoticeEvent | "test";
  readonly monitorId: string;
  readonly monitorName: string;
  readonly checkId: string | null;
  readonly pages: readonly NoticePage[];
  /** Number of pages that are not listed. */
  readonly more: number;
  readonly at: number;
};

/** An event for the webhook. JSON. */
export type WebhookPayload = {
  readonly type: "monitor.page" | "monitor.check.completed";
  readonly data: unknown;
  readonly error: string | null;
};

/** A page of the ended check with its notification. */
export type ReportedPage = {
  readonly page: CheckPage;
  /** Undefined when no channel is notified. */
  readonly event?: NoticeEvent;
  readonly notice?: NoticePage;
};

const HOUR_MS = 3_600_000;
const DAY_MINUTES = 24 * 60;
const MAX_PAGES = 50;
const MAX_LINES = 12;
const MAX_LINE_CHARACTERS = 500;
const NAMESPACE = "0f4c5dd8-3f0e-5c58-9d3c-6a2b7f1f9a11";

const MARKDOWN_ESCAPE = /\\([\\`*_{}[\]()#+.!<>|~-])/g;

/** Maximum length of a change in a message, characters of plain text. */
export const shortenLines = (lines: readonly string[]): string[] =>
  lines
    .slice(0, MAX_LINES)
    .map((line) => line.replaceAll(MARKDOWN_ESCAPE, "$1").trim().slice(0, MAX_LINE_CHARACTERS));

const parseClock = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

function computeLocalMinute(at: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(at);
  const read = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return read("hour") * 60 + read("minute");
}

export type ChannelLoad = {
  readonly timezone: string;
  /** Notices of the channel in the last hour. */
  readonly sentInHour: number;
};

/** Returns the time at which a channel may be notified of an event at `now`. */
export function computeDueTime(
  channel: Channel,
  now: number,
  { timezone, sentInHour }: ChannelLoad,
): number {
  const { digestMinutes, quietHours, maxPerHour } = channel;
  let due = now;
  if (digestMinutes !== undefined) {
    const stepMs = digestMinutes * 60_000;
    due = Math.ceil((now + 1) / stepMs) * stepMs;
  }
  if (sentInHour >= maxPerHour) due = Math.max(due, Math.ceil((now + 1) / HOUR_MS) * HOUR_MS);
  if (quietHours === undefined) return due;
  const minute = computeLocalMinute(due, timezone);
  const [from, to] = [parseClock(quietHours.from), parseClock(quietHours.to)];
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  return isQuiet ? due + ((to - minute + DAY_MINUTES) % DAY_MINUTES) * 60_000 : due;
}

/** All channels: those of `channels`, and the e-mail of `notification`. */
export function listChannels({
  channels,
  notification,
}: MonitorSettings): readonly WithId<Channel>[] {
  const email = notification?.email;
  if (email?.enabled !== true || (email.recipients?.length ?? 0) === 0) return channels;
  return [
    ...channels,
    {
      id: NOTIFICATION_CHANNEL,
      type: "email",
      to: email.recipients ?? [],
      events: ["change", "broken", "recovered"],
      maxPerHour: 60,
    },
  ];
}

/** Where one notification goes: a channel, or one recipient of an e-mail channel. */
export type NoticeRoute = {
  /** The outbox stores it as the notification's channel. */
  readonly name: string;
  readonly channel: WithId<Channel>;
  readonly recipient?: string;
};

/** Each recipient gets an e-mail of their own, with their own link to unsubscribe. */
export function listRoutes(
  monitor: Pick<MonitorRecord, "id" | "feedToken">,
  settings: MonitorSettings,
): NoticeRoute[] {
  return listChannels(settings).flatMap((channel): NoticeRoute[] => {
    if (channel.type !== "email") return [{ name: channel.id, channel }];
    const recipients = new Map(channel.to.map((address) => [normalizeRecipient(address), address]));
    return [...recipients.values()]
      .filter((recipient) => !isUnsubscribed(settings, recipient))
      .map((recipient) => ({
        name: `${channel.id} ${buildRecipientName(monitor, recipient)}`,
        channel,
        recipient,
      }));
  });
}

export type CheckNotices = {
  readonly monitor: Pick<MonitorRecord, "id" | "accountId" | "name" | "feedToken">;
  readonly settings: MonitorSettings;
  readonly check: Pick<CheckRecord, "id">;
  readonly pages: readonly ReportedPage[];
  /** The check in its wire format. */
  readonly completed: unknown;
  /** Notices of a route in the last hour. */
  readonly load: (route: string) => number;
  readonly now: number;
};

export function buildNotices(given: CheckNotices): NewNotice[] {
  const { monitor, settings, check, pages, now } = given;
  const make = (
    channel: string,
    event: string,
    name: string,
    payload: unknown,
    dueAt: number,
  ): NewNotice => {
    const dedupKey = `${check.id} ${channel} ${name}`;
    return {
      // A repeat of the check has the same id, so that receivers can detect it.
      id: toOrderedId(dedupKey, now),
      monitorId: monitor.id,
      accountId: monitor.accountId,
      checkId: check.id,
      channel,
      event,
      dedupKey,
      payload,
      dueAt,
      createdAt: now,
    };
  };
  const notices: NewNotice[] = [];
  const wanted = settings.webhook?.events ?? [];
  if (wanted.includes("monitor.page"))
    for (const { page } of pages) {
      if (page.status === "same") continue;
      const { judgment = null, diff = null, error = null, ...about } = page.about;
      const data = {
        monitorId: monitor.id,
        checkId: check.id,
        url: page.url,
        status: page.status,
        previousScrapeId: about["previousScrapeId"] ?? null,
        currentScrapeId: about["currentScrapeId"] ?? null,
        error,
        isMeaningful: (judgment as { readonly meaningful?: boolean } | null)?.meaningful ?? true,
        judgment,
        diff: omitPictures(diff),
      };
      const payload: WebhookPayload = {
        type: "monitor.page",
        data: [data],
        error: typeof error === "string" ? error : null,
      };
      notices.push(make(WEBHOOK_CHANNEL, "monitor.page", page.id, payload, now));
    }
  if (wanted.includes("monitor.check.completed")) {
    const payload: WebhookPayload = {
      type: "monitor.check.completed",
      data: given.completed,
      error: null,
    };
    // After its pages.
    notices.push(make(WEBHOOK_CHANNEL, "monitor.check.completed", "completed", payload, now + 1));
  }
  for (const { name, channel } of listRoutes(monitor, settings))
    for (const event of channel.events) {
      const found = pages.flatMap(({ event: of, notice }) =>
        of === event && notice ? [notice] : [],
      );
      if (found.length === 0) continue;
      const payload: NoticePayload = {
        event,
        monitorId: monitor.id,
        monitorName: monitor.name,
        checkId: check.id,
        pages: found.slice(0, MAX_PAGES),
        more: Math.max(0, found.length - MAX_PAGES),
        at: now,
      };
      const due = computeDueTime(channel, now, {
        timezone: settings.timetable.timezone,
        sentInHour: given.load(name),
      });
      notices.push(make(name, event, event, payload, due));
    }
  return notices;
}

/** Pictures are read over the API. */
function omitPictures(diff: unknown): unknown {
  if (!isObject(diff) || !isObject(diff["picture"])) return diff;
  const { share, box } = diff["picture"];
  return { ...diff, picture: { share, box } };
}

/** Derives an id from a key; ids sort by time. */
function toOrderedId(key: string, now: number): string {
  const fixed = v5(key, NAMESPACE).replaceAll("-", "");
  const time = v7({ msecs: now, seq: 0 }).slice(0, 13);
  return `${time}-7${fixed.slice(13, 16)}-${fixed.slice(16, 20)}-${fixed.slice(20, 32)}`;
}
