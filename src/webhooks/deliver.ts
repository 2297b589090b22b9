// Sends the events that wait in the store. They were written in the transaction that made them happen and are taken under a
// lease, so a process that dies loses none: another sends what it had taken once more, with the same id.
// Order, kept for first attempts: started, then the pages side by side, then the end of the job. A receiver that fails gets
// the later events meanwhile, and the failed one again after 1, 5 and 15 minutes. One that hangs gets fewer at once, and
// learns of the end of its job all the same.
import type { WebhookEvent } from "../contract/jobs/webhook.ts";
import { InternalError } from "../errors.ts";
import { toJsonBytes } from "../runtime/json-bytes.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { ResultStore } from "../store/jobs/results.ts";
import type {
  DeliveryOutcome,
  DeliveryStore,
  WebhookDelivery,
} from "../store/jobs/webhook-deliveries.ts";
import { buildEnvelope } from "./envelope.ts";
import type { Outcome, SendEvent } from "./send.ts";

/** After the first attempt, the second, the third; the fourth is the last. */
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000] as const;
/** More than an attempt can take: only a worker that died lets go. */
const LEASE_MS = 20_000;
const MAX_AT_ONCE = 64;
const MAX_OF_A_JOB = 4;
/** An attempt that takes so long is one of a receiver that hangs, until one of its job is faster. */
const HANGING_MS = 3_000;
/** Receivers that hang must not take the places of all others. */
const MAX_HANGING = 32;
const MAX_OF_A_HANGING_JOB = 1;
/** Jobs remembered as hanging. */
const MAX_REMEMBERED = 10_000;
/** Events of other processes are found at the next look. */
const POLL_MS = 1_000;
/** What is due and cannot be taken waits for another worker or for the event before it. */
const MIN_WAIT_MS = 100;
const LEAVING_MS = 2_000;
/** An event whose secret this process cannot read waits so long for the next look, and is given up after a day. */
const POSTPONE_MS = 15_000;
const POSTPONED_MS = 86_400_000;
/** Most crawls have no webhook: so long after the last event, their pages cause no look into the store. */
const ALERT_MS = 60_000;

export type Deliverer = AsyncDisposable & {
  /** Begins to send, until closed. */
  start(): void;
  /** Says that a job of this process has a webhook: for a while, what wakes this finds events. */
  expect(): void;
  /** Says that something was committed in this process: an event in it is sent at once. */
  wake(): void;
  /** Lets running attempts end, for a moment; others find what is left. */
  close(): Promise<void>;
};

export type DelivererParts = {
  readonly deliveries: Pick<DeliveryStore, "claim" | "finish" | "nextDue" | "releaseAll">;
  readonly results: Pick<ResultStore, "load">;
  readonly send: SendEvent;
  /** What signs the delivery. */
  readonly secretOf: (delivery: WebhookDelivery) => Promise<string>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Of this process, different from that of every other. */
  readonly worker: string;
  /** Do other processes send from this store? Otherwise what is leased at the start was left by one that is gone. */
  readonly shared: boolean;
  readonly retryDelaysMs?: readonly number[];
  readonly pollMs?: number;
  readonly leavingMs?: number;
  readonly now?: () => number;
};

/** Makes the sender of events. Whoever creates it closes it. */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const work = new DeliveryWork(parts);
  const close = (): Promise<void> => work.close();
  return {
    start: () => work.start(),
    expect: () => work.expect(),
    wake: () => work.wake(),
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
  /** Jobs whose receivers hang. */
  readonly #hanging = new Set<string>();
  readonly #bell = createBell();
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

  wake(): void {
    if (this.#now() < this.#alertUntil) this.#bell.ring();
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    this.#bell.ring();
    await this.#running;
    const abort = (): void => this.#aborting.abort(new Error("the server stops"));
    const timer = setTimeout(abort, this.#parts.leavingMs ?? LEAVING_MS);
    await Promise.all(this.#active.values());
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    if (!this.#parts.shared) await this.#releaseLeft();
    while (!this.#stopping.signal.aborted) {
      this.#bell.reset();
      try {
        const waitMs = await this.#take();
        if (waitMs > 0) await this.#bell.wait(waitMs);
      } catch (error) {
        this.#parts.log.warn({ err: error }, "events could not be taken from the store");
        await this.#bell.wait(this.#pollMs);
      }
    }
  }

  async #releaseLeft(): Promise<void> {
    const { deliveries, log } = this.#parts;
    try {
      await deliveries.releaseAll();
    } catch (error) {
      log.warn({ err: error }, "events that an earlier process had taken wait for its leases");
    }
  }

  /** Takes what is due; how long there is nothing to do, milliseconds. */
  async #take(): Promise<number> {
    const { deliveries } = this.#parts;
    const most = Math.min(MAX_OF_A_JOB, MAX_AT_ONCE - this.#active.size);
    if (most === 0) return this.#pollMs;
    const busy = this.#busyJobs();
    const taken =
      (await this.#claim(most, [...new Set([...busy, ...this.#hanging])])) ||
      (this.#hanging.size > 0 && (await this.#claim(MAX_OF_A_HANGING_JOB, busy)));
    if (taken) {
      this.expect();
      return 0;
    }
    const due = (await deliveries.nextDue(busy, this.#now())) ?? Infinity;
    return Math.max(MIN_WAIT_MS, Math.min(this.#pollMs, due - this.#now()));
  }

  async #claim(most: number, except: readonly string[]): Promise<boolean> {
    const { deliveries, worker } = this.#parts;
    const now = this.#now();
    const claimed = await deliveries.claim({ worker, most, leaseMs: LEASE_MS, except, now });
    for (const delivery of claimed) this.#begin(delivery);
    return claimed.length > 0;
  }

  /** Jobs that have as many attempts in work as they may. */
  #busyJobs(): string[] {
    const counts = new Map<string, number>();
    let hanging = 0;
    for (const { jobId } of this.#active.keys()) {
      counts.set(jobId, (counts.get(jobId) ?? 0) + 1);
      if (this.#hanging.has(jobId)) hanging += 1;
    }
    if (hanging >= MAX_HANGING) for (const jobId of this.#hanging) counts.set(jobId, Infinity);
    return [...counts].flatMap(([jobId, count]) => {
      const most = this.#hanging.has(jobId) ? MAX_OF_A_HANGING_JOB : MAX_OF_A_JOB;
      return count >= most ? [jobId] : [];
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
      this.#bell.ring();
    });
    this.#active.set(delivery, work);
  }

  async #attempt(delivery: WebhookDelivery): Promise<void> {
    const { deliveries, log, metrics, worker, retryDelaysMs = RETRY_DELAYS_MS } = this.#parts;
    const { id, jobId, attempt } = delivery;
    try {
      const secret = await this.#secretOf(delivery);
      const outcome =
        secret === undefined
          ? postpone(delivery, this.#now())
          : judge(await this.#send(delivery, secret), attempt, retryDelaysMs, this.#now());
      await deliveries.finish(worker, delivery, outcome, this.#now());
      metrics.webhookAttempts.inc({ outcome: outcome.type });
      if (outcome.type !== "delivered")
        log.info({ eventId: id, jobId, attempt, ...outcome }, "an event was not taken");
    } catch (error) {
      // The lease ends by itself, and then it is tried again.
      if (this.#aborting.signal.aborted) return;
      log.error({ err: error, eventId: id }, "an attempt to deliver an event broke off");
    }
  }

  /** Undefined when this process cannot read it. */
  async #secretOf(delivery: WebhookDelivery): Promise<string | undefined> {
    try {
      return await this.#parts.secretOf(delivery);
    } catch (error) {
      if (!(error instanceof InternalError)) throw error;
      this.#parts.log.error({ err: error, eventId: delivery.id }, "a signing secret is unreadable");
      return undefined;
    }
  }

  async #send(delivery: WebhookDelivery, secret: string): Promise<Outcome> {
    const data = await loadData(this.#parts.results, delivery);
    if (data === undefined) return { statusCode: undefined, error: GONE };
    const { id, type, jobId, error, webhook, attempt } = delivery;
    const { url, headers, metadata } = webhook;
    const event = buildEnvelope({ id, type, jobId, data, metadata, error: error ?? undefined });
    const body = toJsonBytes(event);
    const sent = { url, headers, body, eventId: id, attempt, secret };
    const began = this.#now();
    const outcome = await this.#parts.send(sent, this.#aborting.signal);
    this.#noteTime(jobId, this.#now() - began);
    return outcome;
  }
}

const UNSIGNED =
  "The event was not sent: its signing secret was encrypted with another QUARRY_SECRET. Set the same QUARRY_SECRET for all processes, or rotate the account's webhook secret.";
const GONE = "The document of this event is no longer kept.";

/** Another process can perhaps read the secret, or this one after its next start: waits for it, for a day. */
function postpone({ createdAt }: WebhookDelivery, now: number): DeliveryOutcome {
  const failure = { statusCode: null, error: UNSIGNED };
  if (now - createdAt > POSTPONED_MS) return { type: "failed", ...failure };
  return { type: "postponed", at: now + POSTPONE_MS, ...failure };
}

/** `data` of the body; undefined when it should be there and is not. */
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
  { statusCode, error }: Outcome,
  attempt: number,
  retryDelaysMs: readonly number[],
  now: number,
): DeliveryOutcome {
  if (error === undefined) return { type: "delivered", statusCode: statusCode ?? 200 };
  const delayMs = error === GONE ? undefined : retryDelaysMs[attempt - 1];
  const failure = { statusCode: statusCode ?? null, error };
  if (delayMs === undefined) return { type: "failed", ...failure };
  return { type: "retry", at: now + delayMs, ...failure };
}

type Bell = {
  ring(): void;
  /** Forgets a ring; the next wait is for what comes after this. */
  reset(): void;
  /** Settles at a ring since the last reset, or after `ms`. */
  wait(ms: number): Promise<void>;
};

function createBell(): Bell {
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
