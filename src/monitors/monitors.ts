// Use cases of monitors for the API. http/ converts them to the wire format.
import { randomBytes } from "node:crypto";
import { v7, validate as isUuid } from "uuid";
import type { Identity } from "../account/identity.ts";
import type {
  MonitorDryRun,
  MonitorFeedback,
  MonitorOptions,
  MonitorUpdate,
} from "../contract/jobs/monitor.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { RequestError } from "../errors.ts";
import { assertHostsCovered } from "../account/allow-hosts.ts";
import { selectGrants } from "../jobs/caller.ts";
import type { Logger } from "../logger.ts";
import type { Store } from "../store/store.ts";
import type { CheckPage, CheckRecord, PageFilter } from "../store/monitors/monitor-checks.ts";
import type { NoticeEntry } from "../store/monitors/monitor-notices.ts";
import type { MonitorRecord } from "../store/monitors/monitors.ts";
import { computeBaselineEnd } from "./baseline-life.ts";
import type { PageState } from "./check-page.ts";
import { toLinePattern } from "./compare-page.ts";
import type { NoticeDeliverer } from "./notice-deliverer.ts";
import { estimateCheck } from "./show-monitor.ts";
import { runDryRun, type DryRunResult } from "./dry-run.ts";
import { assertReachable, assertTargets } from "./assert-settings.ts";
import { buildFeed, type AlertFeedOptions } from "./feed.ts";
import { toSchedule, type StartedCheck } from "./monitor-kind.ts";
import {
  DEFAULT_LIMIT,
  getMonitorHosts,
  listMonitors,
  type MonitorListQuery,
  type MonitorPage,
} from "./list-monitors.ts";
import { listRoutes } from "./notices.ts";
import { findRecipient, isUnsubscribed, normalizeRecipient } from "./recipients.ts";
import { signPictures } from "./shown-picture.ts";
import { computeNextRun } from "./schedule.ts";
import { changeSettings, createSettings, getSettings, type MonitorSettings } from "./settings.ts";

export type MonitorsParts = {
  readonly store: () => Promise<
    Pick<Store, "monitors" | "monitorChecks" | "monitorNotices" | "schedules" | "blobLinks">
  >;
  readonly start: (monitor: MonitorRecord, scheduledFor: number | null) => Promise<StartedCheck>;
  readonly deliverer: () => Promise<NoticeDeliverer>;
  readonly egress: Pick<Egress, "check">;
  readonly hasMail: boolean;
  readonly log: Pick<Logger, "error">;
  readonly now: () => number;
};

export type Estimate = {
  readonly schedule: { readonly cron: string; readonly timezone: string };
  readonly nextRuns: readonly number[];
  readonly creditsPerMonth: number;
};

type Paging = { readonly limit?: number; readonly offset?: number };

/**
 * Methods with an id throw NOT_FOUND for a monitor that is unknown or of another account, and
 * FORBIDDEN if it may watch hosts that the key may not fetch; `list` leaves those out.
 */
export type Monitors = {
  /** Throws BAD_REQUEST for targets and channels that this server cannot reach. */
  create(options: MonitorOptions, identity: Identity, baseUrl: string): Promise<MonitorRecord>;
  estimate(options: MonitorOptions, identity: Identity): Promise<Estimate>;
  list(identity: Identity, query: MonitorListQuery): Promise<MonitorPage>;
  find(id: string, identity: Identity): Promise<MonitorRecord>;
  update(
    id: string,
    update: MonitorUpdate,
    identity: Identity,
    baseUrl: string,
  ): Promise<MonitorRecord>;
  remove(id: string, identity: Identity): Promise<void>;
  /** Throws CONFLICT while a check runs. */
  run(id: string, identity: Identity): Promise<CheckRecord>;
  listChecks(
    id: string,
    identity: Identity,
    filter: Paging & { readonly status?: string | undefined },
  ): Promise<CheckRecord[]>;
  check(
    id: string,
    checkId: string,
    identity: Identity,
    filter: PageFilter,
  ): Promise<{
    readonly check: CheckRecord;
    /** Links to pictures are relative to the address of this server. */
    readonly pages: CheckPage[];
  }>;
  listDeliveries(id: string, identity: Identity, page: Paging): Promise<Delivery[]>;
  test(
    id: string,
    channel: string | undefined,
    identity: Identity,
  ): Promise<{ channel: string; delivered: boolean; error: string | null }[]>;
  recordFeedback(id: string, feedback: MonitorFeedback, identity: Identity): Promise<MonitorRecord>;
  runDryRun(id: string, rules: MonitorDryRun, identity: Identity): Promise<DryRunResult[]>;
  /** Undefined for an unknown token. */
  feed(token: string, options: AlertFeedOptions): Promise<string | undefined>;
  /** The recipient of an unsubscribe link; undefined for an unknown one. */
  findSubscription(id: string, token: string): Promise<Subscription | undefined>;
  /** Stops the e-mail of a monitor to the recipient of the link. */
  unsubscribe(id: string, token: string): Promise<Subscription | undefined>;
};

export type Delivery = NoticeEntry & { readonly recipient?: string };

export type Subscription = {
  readonly recipient: string;
  readonly monitorName: string;
  readonly isUnsubscribed: boolean;
};

const MAX_MONITORS = 100_000;
const MAX_FEED_ENTRIES = 50;
const FEED_TOKEN_BYTES = 24;
const MAX_RUNS = 5;
/** Follows the id of an e-mail channel in the outbox. */
const RECIPIENT_NAME = / [\w-]{16}$/;

export function createMonitors(parts: MonitorsParts): Monitors {
  const { now } = parts;

  async function find(id: string, identity: Identity): Promise<MonitorRecord> {
    const found = await (await parts.store()).monitors.load(identity.accountId, id);
    if (found === undefined) throw new RequestError("NOT_FOUND", "Monitor not found");
    assertHostsCovered(identity, getMonitorHosts(found), "monitor");
    return found;
  }

  const findByLink = async (id: string): Promise<MonitorRecord | undefined> =>
    isUuid(id) ? await (await parts.store()).monitors.loadAny(id) : undefined;

  function toSubscription(monitor: MonitorRecord, token: string): Subscription | undefined {
    const settings = getSettings(monitor);
    const recipient = findRecipient(monitor, settings, token);
    return recipient === undefined
      ? undefined
      : {
          recipient,
          monitorName: monitor.name,
          isUnsubscribed: isUnsubscribed(settings, recipient),
        };
  }

  async function save(record: MonitorRecord): Promise<MonitorRecord> {
    const { monitors, schedules } = await parts.store();
    if (!(await monitors.update(record))) throw new RequestError("NOT_FOUND", "Monitor not found");
    await schedules.save(toSchedule(record, now()));
    return record;
  }

  /**
   * The next check may now be later than when the last one ended. A failure is logged only: the monitor
   * is saved, and without the older scrapes a check still compares texts.
   */
  async function keepBaselines(monitor: MonitorRecord): Promise<void> {
    try {
      await extendBaselines(monitor);
    } catch (error) {
      parts.log.error(
        { err: error, monitorId: monitor.id },
        "failed to keep the scrapes that the next check of a monitor refers to",
      );
    }
  }

  async function extendBaselines(monitor: MonitorRecord): Promise<void> {
    const { monitorChecks } = await parts.store();
    const ids: string[] = [];
    for (const target of getSettings(monitor).targets)
      for (const { state } of await monitorChecks.listKnownUrls(monitor.id, target.id)) {
        const scrapeId = (state as PageState).baseline?.scrapeId;
        if (typeof scrapeId === "string") ids.push(scrapeId);
      }
    await monitorChecks.keepScrapes(ids, computeBaselineEnd(monitor, now()));
  }

  return {
    async create(options, identity, baseUrl) {
      const { monitors, schedules } = await parts.store();
      const id = v7();
      const settings = createSettings(id, options, selectGrants(identity), { now: now(), baseUrl });
      assertTargets(settings.targets);
      await assertReachable(parts, settings, identity);
      if ((await monitors.count(identity.accountId)) >= MAX_MONITORS)
        throw new RequestError("BAD_REQUEST", `An account has at most ${MAX_MONITORS} monitors.`);
      const record: MonitorRecord = {
        id,
        accountId: identity.accountId,
        keyId: identity.keyId,
        name: options.name,
        status: "active",
        settings,
        feedToken: randomBytes(FEED_TOKEN_BYTES).toString("base64url"),
        retentionDays: options.retentionDays,
        currentCheckId: null,
        lastRunAt: null,
        lastSummary: null,
        createdAt: now(),
        updatedAt: now(),
      };
      await monitors.create(record);
      await schedules.save(toSchedule(record, now()));
      return record;
    },
    async estimate(options, identity) {
      const settings = createSettings(v7(), options, selectGrants(identity), {
        now: now(),
        baseUrl: "",
      });
      assertTargets(settings.targets);
      await assertReachable(parts, settings, identity);
      const { cron, timezone } = settings.timetable;
      const nextRuns: number[] = [];
      for (let after = now(); nextRuns.length < MAX_RUNS;) {
        const next = computeNextRun(settings.timetable, after);
        if (next === null) break;
        nextRuns.push(next);
        after = next;
      }
      const creditsPerMonth = settings.runsPerMonth * estimateCheck(settings);
      return { schedule: { cron, timezone }, nextRuns, creditsPerMonth };
    },
    list: async (identity, query) =>
      await listMonitors((await parts.store()).monitors, identity, query),
    find,
    async update(id, update, identity, baseUrl) {
      const record = await find(id, identity);
      const settings = changeSettings(id, getSettings(record), update, { now: now(), baseUrl });
      // Stored targets of older versions stay.
      if (update.targets !== undefined) assertTargets(settings.targets);
      await assertReachable(parts, settings, identity);
      const saved = await save({
        ...record,
        name: update.name ?? record.name,
        status: update.status ?? record.status,
        retentionDays: update.retentionDays ?? record.retentionDays,
        settings,
        updatedAt: now(),
      });
      const { status, schedule, pauseUntil } = update;
      if (status !== undefined || schedule !== undefined || pauseUntil !== undefined)
        await keepBaselines(saved);
      return saved;
    },
    async remove(id, identity) {
      const { monitors, schedules } = await parts.store();
      await find(id, identity);
      await schedules.remove(id);
      await monitors.remove(identity.accountId, id);
    },
    async run(id, identity) {
      const monitor = await find(id, identity);
      const started = await parts.start(monitor, null);
      const check = await (
        await parts.store()
      ).monitorChecks.load(monitor.accountId, id, started.id);
      if (check === undefined) throw new RequestError("NOT_FOUND", "Monitor not found");
      return check;
    },
    async listChecks(id, identity, { limit = DEFAULT_LIMIT, offset = 0, status }) {
      await find(id, identity);
      const { monitorChecks } = await parts.store();
      await monitorChecks.endAbandoned(id, now());
      return await monitorChecks.list(identity.accountId, id, { limit, offset, status });
    },
    async check(id, checkId, identity, filter) {
      await find(id, identity);
      const { monitorChecks, blobLinks } = await parts.store();
      await monitorChecks.endAbandoned(id, now());
      const check = await monitorChecks.load(identity.accountId, id, checkId);
      if (check === undefined) throw new RequestError("NOT_FOUND", "Monitor check not found");
      const pages = await monitorChecks.listCheckPages(checkId, filter);
      return { check, pages: pages.map((page) => signPictures(page, blobLinks, now())) };
    },
    async listDeliveries(id, identity, { limit = DEFAULT_LIMIT, offset = 0 }) {
      const monitor = await find(id, identity);
      const routes = listRoutes(monitor, getSettings(monitor));
      const log = await (await parts.store()).monitorNotices.log(id, { limit, offset });
      return log.map((entry) => {
        const route = routes.find(({ name }) => name === entry.channel);
        if (route === undefined)
          return { ...entry, channel: entry.channel.replace(RECIPIENT_NAME, "") };
        const { channel, recipient } = route;
        return { ...entry, channel: channel.id, ...(recipient !== undefined && { recipient }) };
      });
    },
    async test(id, channel, identity) {
      const monitor = await find(id, identity);
      const all = listRoutes(monitor, getSettings(monitor));
      const chosen =
        channel === undefined ? all : all.filter(({ channel: { id: of } }) => of === channel);
      if (chosen.length === 0)
        throw new RequestError(
          "BAD_REQUEST",
          channel === undefined
            ? "channels: the monitor has no channel to test"
            : `channel: the monitor has no channel ${channel}`,
        );
      const results = await (await parts.deliverer()).test(monitor, chosen);
      return results.map(({ channel: name, outcome }) => ({
        channel: name,
        delivered: outcome.error === undefined,
        error: outcome.error ?? null,
      }));
    },
    async recordFeedback(id, { line, verdict }, identity) {
      const record = await find(id, identity);
      const settings = getSettings(record);
      const { detection } = settings;
      const pattern = toLinePattern(line);
      const without = (patterns: readonly string[]): string[] =>
        patterns.filter((known) => known !== pattern);
      const isIgnored = verdict === "ignore";
      return await save({
        ...record,
        settings: {
          ...settings,
          detection: {
            ...detection,
            ignore: [...without(detection.ignore), ...(isIgnored ? [pattern] : [])],
            watch: [...without(detection.watch), ...(isIgnored ? [] : [pattern])],
          },
        } satisfies MonitorSettings,
        updatedAt: now(),
      });
    },
    async runDryRun(id, rules, identity) {
      const record = await find(id, identity);
      const { monitorChecks } = await parts.store();
      return await runDryRun(monitorChecks, record, rules);
    },
    async feed(token, options) {
      const { monitors, monitorChecks } = await parts.store();
      const monitor = await monitors.loadByFeed(token);
      if (monitor === undefined) return undefined;
      const alerts = await monitorChecks.listAlerts(monitor.id, MAX_FEED_ENTRIES);
      return buildFeed(monitor, alerts, options);
    },
    async findSubscription(id, token) {
      const monitor = await findByLink(id);
      return monitor === undefined ? undefined : toSubscription(monitor, token);
    },
    async unsubscribe(id, token) {
      const monitor = await findByLink(id);
      const found = monitor === undefined ? undefined : toSubscription(monitor, token);
      if (monitor === undefined || found === undefined || found.isUnsubscribed) return found;
      const settings = getSettings(monitor);
      const unsubscribed = [...(settings.unsubscribed ?? []), normalizeRecipient(found.recipient)];
      await (
        await parts.store()
      ).monitors.update({ ...monitor, settings: { ...settings, unsubscribed }, updatedAt: now() });
      return { ...found, isUnsubscribed: true };
    },
  };
}
