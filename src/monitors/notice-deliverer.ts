// Sends the notifications of the outbox. They are claimed under a lease: after a crash, another
// process sends the same message again with the same id, so that a receiver can drop it.
// Notifications of a channel that are due together become one message; webhook events stay single.
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { buildEnvelope } from "../webhooks/envelope.ts";
import { buildSignatureHeaders } from "../webhooks/signature.ts";
import type { Outcome, SendMessage } from "../webhooks/send.ts";
import type {
  MonitorNoticeStore,
  Notice,
  NoticeOutcome,
} from "../store/monitors/monitor-notices.ts";
import type { MonitorRecord, MonitorStore } from "../store/monitors/monitors.ts";
import { toRequest } from "./channel-requests.ts";
import type { SendMail } from "./mail.ts";
import { buildMessage } from "./message.ts";
import {
  listRoutes,
  WEBHOOK_CHANNEL,
  type NoticePayload,
  type NoticeRoute,
  type WebhookPayload,
} from "./notices.ts";
import { buildUnsubscribePath } from "./recipients.ts";
import { getSettings } from "./settings.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Delays after failed attempts, milliseconds; about five days in total. */
export const RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** Longer than the attempts of one claim can take. */
const LEASE_MS = 300_000;
const MAX_CLAIMED = 50;
const MAX_CONCURRENCY = 16;
const POLL_MS = 1_000;

export type NoticeDelivererParts = {
  readonly notices: MonitorNoticeStore;
  readonly monitors: Pick<MonitorStore, "loadAny">;
  readonly send: SendMessage;
  /** Undefined on a server without a mail account. */
  readonly mail: SendMail | undefined;
  /** The secret that signs webhooks of the account. */
  readonly secretOf: (accountId: string) => Promise<string>;
  readonly worker: string;
  /** True if other processes send from this store. */
  readonly shared: boolean;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "monitorDeliveries">;
  readonly now: () => number;
  /** Base of unsubscribe links; without it, the address where the monitor was set up. */
  readonly publicUrl?: string | undefined;
  readonly pollMs?: number;
};

export type NoticeDeliverer = {
  start(): void;
  /** Called after notices were written in this process. */
  wake(): void;
  /** Sends the due notices; returns the number of notices attempted. */
  sendDue(): Promise<number>;
  /** Sends a test to channels, without the outbox, and returns the outcomes. */
  test(
    monitor: MonitorRecord,
    routes: readonly NoticeRoute[],
  ): Promise<{ channel: string; outcome: Outcome }[]>;
  close(): Promise<void>;
};

export const NO_MAIL =
  "This server sends no e-mail: no mail account is configured (QUARRY_SMTP_URL).";

export function createNoticeDeliverer(parts: NoticeDelivererParts): NoticeDeliverer {
  const { notices, monitors, worker, log, metrics, now, pollMs = POLL_MS } = parts;
  const stopping = new AbortController();
  let rung = Promise.withResolvers<void>();
  let loop: Promise<void> | undefined;

  async function sendTo(
    monitor: MonitorRecord,
    { channel, recipient }: NoticeRoute,
    group: {
      readonly id: string;
      readonly attempt: number;
      readonly payloads: readonly NoticePayload[];
    },
  ): Promise<Outcome> {
    if (channel.type === "email") {
      if (parts.mail === undefined || recipient === undefined)
        return { statusCode: undefined, error: NO_MAIL };
      const { baseUrl } = getSettings(monitor);
      const base = parts.publicUrl?.replace(/\/+$/, "") ?? baseUrl;
      const link =
        base === undefined ? undefined : `${base}${buildUnsubscribePath(monitor, recipient)}`;
      const message = buildMessage(group.payloads, link);
      return await parts.mail({ id: group.id, to: recipient, message, unsubscribe: link });
    }
    const message = buildMessage(group.payloads);
    const secret = channel.type === "webhook" ? await parts.secretOf(monitor.accountId) : "";
    return await parts.send(toRequest(channel, { ...group, message, secret }), stopping.signal);
  }

  async function sendEvent(monitor: MonitorRecord, notice: Notice): Promise<Outcome> {
    const { webhook } = getSettings(monitor);
    if (webhook === null) return { statusCode: undefined, error: REMOVED };
    const { type, data, error } = notice.payload as WebhookPayload;
    const body = Buffer.from(
      JSON.stringify(
        buildEnvelope({
          id: notice.id,
          type,
          jobId: notice.checkId ?? monitor.id,
          data: data as Record<string, unknown>,
          error: error ?? undefined,
          metadata: webhook.metadata,
        }),
      ),
    );
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(webhook.headers))
      headers[name.toLowerCase()] = value;
    const secret = await parts.secretOf(monitor.accountId);
    return await parts.send(
      {
        method: "POST",
        url: webhook.url,
        headers: {
          ...headers,
          "content-type": "application/json",
          "x-quarry-event-id": notice.id,
          "x-quarry-attempt": String(notice.attempts),
          ...buildSignatureHeaders(body, secret),
        },
        body,
      },
      stopping.signal,
    );
  }

  async function finish(group: readonly Notice[], outcome: Outcome): Promise<void> {
    const attempt = Math.max(...group.map(({ attempts }) => attempts));
    const result = judge(outcome, attempt, now());
    await notices.finish(worker, group, result, now());
    const [first] = group;
    metrics.monitorDeliveries.inc({ outcome: result.type }, group.length);
    if (result.type !== "delivered")
      log.info(
        { monitorId: first?.monitorId, channel: first?.channel, attempt, ...result },
        "monitor notification not delivered",
      );
  }

  async function sendGroup(group: readonly Notice[]): Promise<void> {
    const [first] = group;
    if (first === undefined) return;
    const monitor = await monitors.loadAny(first.monitorId);
    // Its notices were deleted with it.
    if (monitor === undefined) return;
    if (first.channel === WEBHOOK_CHANNEL) {
      for (const notice of group) await finish([notice], await sendEvent(monitor, notice));
      return;
    }
    const route = listRoutes(monitor, getSettings(monitor)).find(
      ({ name }) => name === first.channel,
    );
    // Before it is sent: a message that was sent never gets other content under its id.
    if (first.attempts === 1 && group.length > 1) await notices.group(worker, group, first.id);
    const outcome =
      route === undefined
        ? { statusCode: undefined, error: REMOVED }
        : await sendTo(monitor, route, {
            id: first.groupId ?? first.id,
            attempt: first.attempts,
            payloads: group.map(({ payload }) => payload as NoticePayload),
          });
    await finish(group, outcome);
  }

  async function sendDue(): Promise<number> {
    const claimed = await notices.claim({
      worker,
      max: MAX_CLAIMED,
      leaseMs: LEASE_MS,
      now: now(),
    });
    const groups = Map.groupBy(claimed, toGroupKey);
    const left = [...groups.values()].values();
    const work = async (): Promise<void> => {
      for (const group of left)
        try {
          await sendGroup(group);
        } catch (error) {
          // The lease expires and the notices are sent again.
          if (stopping.signal.aborted) return;
          log.error({ err: error, noticeId: group[0]?.id }, "monitor notification attempt failed");
        }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
    return claimed.length;
  }

  async function run(): Promise<void> {
    if (!parts.shared) await notices.releaseAll().catch(() => undefined);
    while (!stopping.signal.aborted) {
      rung = Promise.withResolvers();
      try {
        if ((await sendDue()) === MAX_CLAIMED) continue;
      } catch (error) {
        log.warn({ err: error }, "failed to claim monitor notifications; will retry");
      }
      const timer = setTimeout(() => rung.resolve(), pollMs);
      await rung.promise;
      clearTimeout(timer);
    }
  }

  return {
    start() {
      loop ??= run();
    },
    wake: () => rung.resolve(),
    sendDue,
    async test(monitor, routes) {
      const payload: NoticePayload = {
        event: "test",
        monitorId: monitor.id,
        monitorName: monitor.name,
        checkId: null,
        pages: [],
        more: 0,
        at: now(),
      };
      const id = crypto.randomUUID();
      return await Promise.all(
        routes.map(async (route) => ({
          channel: route.channel.id,
          outcome: await sendTo(monitor, route, { id, attempt: 1, payloads: [payload] }),
        })),
      );
    },
    async close() {
      stopping.abort();
      rung.resolve();
      await loop;
    },
  };
}

/** New notices of a channel form a message; those of an earlier attempt stay with theirs. */
const toGroupKey = ({ id, attempts, groupId, monitorId, channel }: Notice): string =>
  attempts === 1 || channel === WEBHOOK_CHANNEL ? `${monitorId} ${channel}` : (groupId ?? id);

const REMOVED = "The channel was removed from the monitor, or its recipient unsubscribed.";

function judge(
  { statusCode, error, retryAfterMs = 0 }: Outcome,
  attempt: number,
  now: number,
): NoticeOutcome {
  if (error === undefined) return { type: "delivered", statusCode: statusCode ?? null };
  const delayMs = error === REMOVED ? undefined : RETRY_DELAYS_MS[attempt - 1];
  const failure = { statusCode: statusCode ?? null, error };
  if (delayMs === undefined) return { type: "failed", ...failure };
  return { type: "retry", at: now + Math.max(delayMs, retryAfterMs), ...failure };
}
