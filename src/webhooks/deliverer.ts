// Sends the stored webhook events. They are written in the transaction that causes them and claimed
// under a lease, so a process that dies loses none: another sends its events again with the same
// id. First attempts are ordered: started, then the pages concurrently, then the end of the job.
// Later events do not wait for a failed one, which is retried after 1, 5 and 15 minutes. A hanging
// receiver gets fewer concurrent events, and still gets the end of its job.
import type { WebhookEvent } from "../contract/jobs/webhook.ts";
import { InternalError } from "../errors.ts";
import { toJsonBytes } from "../runtime/json-bytes.ts";
import { withRemoteParent } from "../telemetry/tracing.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { ResultStore } from "../store/jobs/results.ts";
import type {
  DeliveryOutcome,
  DeliveryStore,
  WebhookDelivery,
} from "../store/jobs/webhook-deliveries.ts";
import { buildEnvelope } from "./envelope.ts";
import type { Outcome, SendEvent } from "./send.ts";

/** Delays after the first, second and third attempt; the fourth is the last. */
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000] as const;
/** Longer than an attempt can take, so only a dead worker loses its lease. */
const LEASE_MS = 20_000;
const MAX_CONCURRENCY = 64;
const MAX_JOB_CONCURRENCY = 4;
/** An attempt this slow marks the receiver as hanging, until a faster one of its job. */
const HANGING_MS = 3_000;
/** Limits hanging receivers, so that others get places. */
const MAX_HANGING = 32;
const MAX_HANGING_JOB_CONCURRENCY = 1;
/** Maximum jobs remembered as hanging. */
const MAX_REMEMBERED = 10_000;
/** Polling interval for events of other processes. */
const POLL_MS = 1_000;
/** Due events that cannot be claimed wait for another worker or an earlier event. */
const MIN_WAIT_MS = 100;
const SHUTDOWN_GRACE_MS = 2_000;
/** Polling interval for an event whose secret is unreadable here; it is given up after a day. */
const POSTPONE_MS = 15_000;
const POSTPONED_MS = 86_400_000;
/** Most crawls have no webhook: this long after the last event, commits cause no query. */
const ALERT_MS = 60_000;

export type Deliverer = AsyncDisposable & {
  /** Starts sending until closed. */
  start(): void;
  /** Announces a job of this process with a webhook: wake-ups query the store for a while. */
  expect(): void;
  /** Called after a commit in this process: its events are sent at once. */
  wake(): void;
  /** Lets running attempts end for a moment; other processes send the rest. */
  close(): Promise<void>;
};

export type DelivererParts = {
  readonly deliveries: Pick<DeliveryStore, "claim" | "finish" | "findNextDue" | "releaseAll">;
  readonly results: Pick<ResultStore, "load">;
  readonly send: SendEvent;
  /** Returns the secret that signs the delivery. */
  readonly secretOf: (delivery: WebhookDelivery) => Promise<string>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Unique to this process. */
  readonly worker: string;
  /**
   * True if other processes send from this store. Otherwise leases at the start belong to a dead
   * process.
   */
  readonly shared: boolean;
  readonly retryDelaysMs?: readonly number[];
  readonly pollMs?: number;
  readonly shutdownGraceMs?: number;
  readonly now?: () => number;
};

/** Creates the deliverer. The creator closes it. */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const work = new DeliveryWork(parts);
  const close = (): Promise<void> => work.close();
  return {
    start: () => work.start(),
    expect: () => work.expect(),
    wake: () => work.wakeUp(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

class DeliveryWork {
  readonly #parts: DelivererParts;
  readonly #now: () => number;
  readonly #pollMs: number;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #active = new Map<WebhookDelivery, Promise<void>>();
  /** Jobs with hanging receivers. */
  readonly #hanging = new Set<string>();
  readonly #wakeUp = createWakeUpSignal();
  #running: Promise<void> | undefined;
  #alertUntil = 0;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#pollMs = parts.pollMs ?? POLL_MS;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  expect(): void {
    this.#alertUntil = this.#now() + ALERT_MS;
  }

  wakeUp(): void {
    if (this.#now() < this.#alertUntil) this.#wakeUp.ring();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#wakeUp.ring();
    await this.#running;
    const abort = (): void => this.#aborting.abort(new Error("the server stops"));
    const timer = setTimeout(abort, this.#parts.shutdownGraceMs ?? SHUTDOWN_GRACE_MS);
    await Promise.all(this.#active.values());
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    if (!this.#parts.shared) await this.#releaseLeft();
    while (!this.#stopping.signal.aborted) {
      this.#wakeUp.reset();
      try {
        const waitMs = await this.#take();
        if (waitMs > 0) await this.#wakeUp.wait(waitMs);
      } catch (error) {
        this.#parts.log.warn({ err: error }, "events could not be taken from the store");
        await this.#wakeUp.wait(this.#pollMs);
      }
    }
  }

  async #releaseLeft(): Promise<void> {
    const { deliveries, log } = this.#parts;
    try {
      await deliveries.releaseAll();
    } catch (error) {
      log.warn({ err: error }, "events claimed by an earlier process wait for its leases");
    }
  }

  /** Claims due events. Returns how long nothing is due, milliseconds. */
  async #take(): Promise<number> {
    const { deliveries } = this.#parts;
    const max = Math.min(MAX_JOB_CONCURRENCY, MAX_CONCURRENCY - this.#active.size);
    if (max === 0) return this.#pollMs;
    const busy = this.#listBusyJobs();
    const taken =
      (await this.#claim(max, [...new Set([...busy, ...this.#hanging])])) ||
      (this.#hanging.size > 0 && (await this.#claim(MAX_HANGING_JOB_CONCURRENCY, busy)));
    if (taken) {
      this.expect();
      return 0;
    }
    const due = (await deliveries.findNextDue(busy, this.#now())) ?? Infinity;
    return Math.max(MIN_WAIT_MS, Math.min(this.#pollMs, due - this.#now()));
  }

  async #claim(max: number, except: readonly string[]): Promise<boolean> {
    const { deliveries, worker } = this.#parts;
    const now = this.#now();
    const claimed = await deliveries.claim({ worker, max, leaseMs: LEASE_MS, except, now });
    for (const delivery of claimed) this.#begin(delivery);
    return claimed.length > 0;
  }

  /** Jobs at their limit of concurrent attempts. */
  #listBusyJobs(): string[] {
    const counts = new Map<string, number>();
    let hanging = 0;
    for (const { jobId } of this.#active.keys()) {
      counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
      if (this.#hanging.has(jobId)) hanging += 1;
    }
    if (hanging >= MAX_HANGING) for (const jobId of this.#hanging) counts.set(jobId, Infinity);
    return [...counts].flatMap(([jobId, count]) => {
      const max = this.#hanging.has(jobId) ? MAX_HANGING_JOB_CONCURRENCY : MAX_JOB_CONCURRENCY;
      return count >= max ? [jobId] : [];
    });
  }

  #noteTime(jobId: string, ms: number): void {
    this.#hanging.delete(jobId);
    if (ms < HANGING_MS) return;
    this.#hanging.add(jobId);
    const oldest = this.#hanging.values().next();
    if (this.#hanging.size > MAX_REMEMBERED && oldest.done !== true)
      this.#hanging.delete(oldest.value);
  }

  #begin(delivery: WebhookDelivery): void {
    const work = this.#attempt(delivery).finally(() => {
      this.#active.delete(delivery);
      this.#wakeUp.ring();
    });
    this.#active.set(delivery, work);
  }

  async #attempt(delivery: WebhookDelivery): Promise<void> {
    const { deliveries, log, metrics, worker, retryDelaysMs = RETRY_DELAYS_MS } = this.#parts;
    const { id, jobId, attempt } = delivery;
    try {
      const secret = await this.#getSecret(delivery);
      const outcome =
        secret === undefined
          ? postpone(delivery, this.#now())
          : judge(await this.#send(delivery, secret), attempt, retryDelaysMs, this.#now());
      await deliveries.finish(worker, delivery, outcome, this.#now());
      metrics.webhookAttempts.inc({ outcome: outcome.type });
      if (outcome.type !== "delivered")
        log.info({ eventId: id, jobId, attempt, ...outcome }, "failed to claim webhook events");
    } catch (error) {
      // The lease expires and the event is retried.
      if (this.#aborting.signal.aborted) return;
      log.error({ err: error, eventId: id }, "webhook delivery attempt failed");
    }
  }

  /** Undefined when this process cannot read it. */
  async #getSecret(delivery: WebhookDelivery): Promise<string | undefined> {
    try {
      return await this.#parts.secretOf(delivery);
    } catch (error) {
      if (!(error instanceof InternalError)) throw error;
      this.#parts.log.error({ err: error, eventId: delivery.id }, "signing secret is unreadable");
      return undefined;
    }
  }

  async #send(delivery: WebhookDelivery, secret: string): Promise<Outcome> {
    const data = await loadData(this.#parts.results, delivery);
    if (data === undefined) return { statusCode: undefined, error: DOCUMENT_EXPIRED };
    const { id, type, jobId, error, webhook, attempt } = delivery;
    const { url, headers, metadata } = webhook;
    const event = buildEnvelope({ id, type, jobId, data, metadata, error: error ?? undefined });
    const body = toJsonBytes(event);
    const sent = { url, headers, body, eventId: id, attempt, secret };
    const began = this.#now();
    const about = {
      "server.address": new URL(url).host,
      "quarry.event.type": type,
      "quarry.job.id": jobId,
      "quarry.attempt": attempt,
    };
    const start = { kind: "client", attributes: about } as const;
    const outcome = await withRemoteParent(
      delivery.traceparent,
      "webhook.deliver",
      start,
      async (span) => {
        const sentOutcome = await this.#parts.send(sent, this.#aborting.signal);
        span.set({ "http.response.status_code": sentOutcome.statusCode });
        return sentOutcome;
      },
    );
    this.#noteTime(jobId, this.#now() - began);
    return outcome;
  }
}

const UNSIGNED =
  "The event was not sent: its signing secret was encrypted with another QUARRY_SECRET. Set the same QUARRY_SECRET for all processes, or rotate the account's webhook secret.";
const DOCUMENT_EXPIRED = "The document of this event no longer exists.";

/** Another process may read the secret, or this one after a restart: waits for up to a day. */
function postpone({ createdAt }: WebhookDelivery, now: number): DeliveryOutcome {
  const failure = { statusCode: null, error: UNSIGNED };
  if (now - createdAt > POSTPONED_MS) return { type: "failed", ...failure };
  return { type: "postponed", at: now + POSTPONE_MS, ...failure };
}

/** The `data` of the body; undefined when its document is missing. */
async function loadData(
  results: Pick<ResultStore, "load">,
  { jobId, resultSequence, data, type }: WebhookDelivery,
): Promise<WebhookEvent["data"] | undefined> {
  if (resultSequence !== null) {
    const row = await results.load(jobId, resultSequence);
    return row?.document === undefined ? undefined : [row.document];
  }
  if (data === null || data === undefined) return [];
  if (Array.isArray(data)) return data;
  return type === "monitor.check.completed" ? (data as Record<string, unknown>) : [data];
}

function judge(
  { statusCode, error, retryAfterMs = 0 }: Outcome,
  attempt: number,
  retryDelaysMs: readonly number[],
  now: number,
): DeliveryOutcome {
  if (error === undefined) return { type: "delivered", statusCode: statusCode ?? 200 };
  const delayMs = error === DOCUMENT_EXPIRED ? undefined : retryDelaysMs[attempt - 1];
  const failure = { statusCode: statusCode ?? null, error };
  if (delayMs === undefined) return { type: "failed", ...failure };
  return { type: "retry", at: now + Math.max(delayMs, retryAfterMs), ...failure };
}

type WakeUpSignal = {
  ring(): void;
  /** Clears the signal; the next wait is for a later one. */
  reset(): void;
  /** Settles at a signal since the last reset, or after `ms`. */
  wait(ms: number): Promise<void>;
};

function createWakeUpSignal(): WakeUpSignal {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => rung.resolve(),
    reset() {
      rung = Promise.withResolvers();
    },
    async wait(ms) {
      const timer = setTimeout(() => rung.resolve(), ms);
      await rung.promise;
      clearTimeout(timer);
    },
  };
}
