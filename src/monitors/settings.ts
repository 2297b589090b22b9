// Settings of a monitor, stored encrypted in its row, and updates to them.
import { randomBytes } from "node:crypto";
import type { Channel, KeptChannel } from "../contract/jobs/monitor-channels.ts";
import type { Conditions, Detection } from "../contract/jobs/monitor-rules.ts";
import type { MonitorOptions, MonitorTarget, MonitorUpdate } from "../contract/jobs/monitor.ts";
import { RequestError } from "../errors.ts";
import type { Grants } from "../jobs/caller.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { listRecipients, normalizeRecipient } from "./recipients.ts";
import { countRuns, toTimetable, type Timetable } from "./schedule.ts";

export type WithId<T> = T & { readonly id: string };
export type Target = WithId<MonitorTarget>;
export type MonitorWebhook = NonNullable<MonitorOptions["webhook"]>;

/** JSON. */
export type MonitorSettings = {
  readonly timetable: Timetable;
  readonly runsPerMonth: number;
  readonly targets: readonly Target[];
  readonly webhook: MonitorWebhook | null;
  readonly notification: NonNullable<MonitorOptions["notification"]> | null;
  readonly channels: readonly WithId<Channel>[];
  readonly goal: string | null;
  readonly judgeEnabled: boolean;
  readonly detection: Detection;
  readonly when: Conditions | null;
  /** Recipients that get no more e-mail, in lower case. */
  readonly unsubscribed?: readonly string[];
  /** Base of unsubscribe links: where its last change was requested. */
  readonly baseUrl?: string;
  /** Limits of the key that created the monitor. */
  readonly grants: Grants;
};

export const getSettings = ({ settings }: Pick<MonitorRecord, "settings">): MonitorSettings =>
  settings as MonitorSettings;

/** Id of the e-mail channel for `notification`. */
export const NOTIFICATION_CHANNEL = "notification.email";

/** Stands for a header value in replies; sent back, it keeps the stored value. */
export const HIDDEN = "[hidden]";

const createId = (prefix: string): string => `${prefix}_${randomBytes(6).toString("hex")}`;

function withIds<T extends { readonly id?: string | undefined }>(
  items: readonly T[],
  prefix: string,
): WithId<T>[] {
  return items.map((item) => ({ ...item, id: item.id ?? createId(prefix) }));
}

const toTime = (text: string | null | undefined): number | undefined =>
  text === null || text === undefined ? undefined : Date.parse(text);

/** Keeps stored header values that the caller sends back as `[hidden]`. */
function keepHidden(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== HIDDEN) return [name, value];
      const known =
        stored === undefined ? undefined : Object.entries(stored).find(([of]) => of === name)?.[1];
      if (known === undefined)
        throw new RequestError("BAD_REQUEST", `headers: ${name} has no stored value to keep`);
      return [name, known];
    }),
  );
}

function keepTargets(given: readonly Target[], stored: readonly Target[]): Target[] {
  return given.map((target) => {
    if (!("scrapeOptions" in target) || target.scrapeOptions === undefined) return target;
    const known = stored.find(({ id }) => id === target.id);
    const headers = keepHidden(
      target.scrapeOptions.headers,
      known !== undefined && "scrapeOptions" in known ? known.scrapeOptions?.headers : undefined,
    );
    return { ...target, scrapeOptions: { ...target.scrapeOptions, headers } } as Target;
  });
}

const keepWebhook = (
  given: MonitorWebhook | null,
  stored: MonitorWebhook | null,
): MonitorWebhook | null =>
  given === null ? null : { ...given, headers: keepHidden(given.headers, stored?.headers) };

export type SettingsPlace = {
  readonly now: number;
  /** Address of this server as the caller reaches it, without a trailing slash. */
  readonly baseUrl: string;
};

export function createSettings(
  id: string,
  options: MonitorOptions,
  grants: Grants,
  { now, baseUrl }: SettingsPlace,
): MonitorSettings {
  const timetable = toTimetable(options.schedule, id, toTime(options.pauseUntil));
  return {
    timetable,
    runsPerMonth: countRuns(timetable, now),
    targets: keepTargets(withIds(options.targets, "target"), []),
    webhook: keepWebhook(options.webhook ?? null, null),
    notification: options.notification ?? null,
    channels: withIds(options.channels, "channel"),
    goal: options.goal ?? null,
    judgeEnabled: options.judgeEnabled,
    detection: options.detection,
    when: options.when ?? null,
    baseUrl,
    grants,
  };
}

/** Replaces channels of type keep by the stored ones, with the options that they change. */
function keepChannels(
  given: NonNullable<MonitorUpdate["channels"]>,
  stored: MonitorSettings["channels"],
): MonitorSettings["channels"] {
  const channels = given.map((entry, index): Channel => {
    if (entry.type !== "keep") return entry;
    const known = stored.find(({ id }) => id === entry.id);
    if (known === undefined)
      throw new RequestError(
        "BAD_REQUEST",
        `channels[${index}].id: the monitor has no channel ${entry.id}`,
      );
    return changeChannel(known, entry);
  });
  return withIds(channels, "channel");
}

function changeChannel(stored: WithId<Channel>, change: KeptChannel): Channel {
  const { digestMinutes, quietHours, ...kept } = stored;
  const digest = change.digestMinutes === undefined ? digestMinutes : change.digestMinutes;
  const quiet = change.quietHours === undefined ? quietHours : change.quietHours;
  return {
    ...kept,
    ...(change.events !== undefined && { events: change.events }),
    ...(change.maxPerHour !== undefined && { maxPerHour: change.maxPerHour }),
    ...(digest !== undefined && digest !== null && { digestMinutes: digest }),
    ...(quiet !== undefined && quiet !== null && { quietHours: quiet }),
  };
}

/** `undefined` in the update keeps a setting, null removes it. */
export function changeSettings(
  id: string,
  settings: MonitorSettings,
  update: MonitorUpdate,
  { now, baseUrl }: SettingsPlace,
): MonitorSettings {
  const { schedule, pauseUntil, targets, webhook, goal } = update;
  const pause = pauseUntil === undefined ? settings.timetable.pauseUntil : toTime(pauseUntil);
  const { pauseUntil: _, ...unpaused } = settings.timetable;
  const timetable =
    schedule === undefined
      ? { ...unpaused, ...(pause !== undefined && { pauseUntil: pause }) }
      : toTimetable(schedule, id, pause);
  const next: MonitorSettings = {
    ...settings,
    timetable,
    runsPerMonth: schedule === undefined ? settings.runsPerMonth : countRuns(timetable, now),
    ...(targets !== undefined && {
      targets: keepTargets(withIds(targets, "target"), settings.targets),
    }),
    ...(webhook !== undefined && { webhook: keepWebhook(webhook, settings.webhook) }),
    ...(update.notification !== undefined && { notification: update.notification }),
    ...(update.channels !== undefined && {
      channels: keepChannels(update.channels, settings.channels),
    }),
    ...(goal !== undefined && { goal, judgeEnabled: goal !== null && goal !== "" }),
    ...(update.judgeEnabled !== undefined && { judgeEnabled: update.judgeEnabled }),
    ...(update.detection !== undefined && { detection: update.detection }),
    ...(update.when !== undefined && { when: update.when }),
    baseUrl,
  };
  const hasSearch = next.targets.some(({ type }) => type === "search");
  if (hasSearch && next.judgeEnabled && (next.goal === null || next.goal === ""))
    throw new RequestError(
      "BAD_REQUEST",
      "goal: a search target needs a goal unless judgeEnabled is false",
    );
  // A removed address that is added again is subscribed again.
  const recipients = new Set(listRecipients(next).map(normalizeRecipient));
  const unsubscribed = settings.unsubscribed?.filter((address) => recipients.has(address)) ?? [];
  return { ...next, unsubscribed };
}
