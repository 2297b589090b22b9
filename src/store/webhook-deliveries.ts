// Events that wait to be sent. They are written in the transaction that makes them happen, so none is lost; a worker takes
// one under a lease and says how it went, so each is sent at least once, always with the same id.
// States: waiting -> delivered | failed.
import type { EventType, Webhook } from "../contract/webhook.ts";

export type WebhookDelivery = {
  /** Of the event; every attempt carries it. */
  readonly id: string;
  readonly jobId: string;
  readonly accountId: string;
  /** Place among the events of its job, from 1, in the order in which they happened. */
  readonly sequence: number;
  readonly type: EventType;
  readonly webhook: Webhook;
  /** Number of the document in the results of the job; null for events without one. */
  readonly resultSequence: number | null;
  /** Instead of a document from the results: what the event carries by itself. */
  readonly data: unknown;
  readonly error: string | null;
  readonly createdAt: number;
  /** Attempts begun, this one included. */
  readonly attempt: number;
};

export type DeliveryOutcome =
  | { readonly type: "delivered"; readonly statusCode: number }
  | {
      readonly type: "retry";
      readonly at: number;
      readonly statusCode: number | null;
      readonly error: string;
    }
  | { readonly type: "failed"; readonly statusCode: number | null; readonly error: string };

export type DeliveryLogEntry = {
  readonly id: string;
  readonly type: EventType;
  readonly state: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly createdAt: number;
  /** When it is tried next, or when it was delivered or given up. */
  readonly at: number;
  readonly statusCode: number | null;
  readonly error: string | null;
};

export type NewDelivery = Pick<
  WebhookDelivery,
  "id" | "jobId" | "accountId" | "type" | "webhook" | "data" | "error" | "createdAt"
>;

export type DeliveryStore = {
  /** For events that no store writes by itself. */
  add(delivery: NewDelivery): Promise<void>;
  /**
   * Takes deliveries that are due. Of one job only its first undelivered event, until that was tried once: a later one never
   * overtakes an event that has not been tried.
   */
  claim(claim: {
    readonly worker: string;
    readonly most: number;
    readonly leaseMs: number;
    readonly now?: number;
  }): Promise<WebhookDelivery[]>;
  /** Says how an attempt went; ignored when another worker has taken it by now. */
  finish(
    worker: string,
    delivery: WebhookDelivery,
    outcome: DeliveryOutcome,
    now?: number,
  ): Promise<void>;
  /** When something is next due, milliseconds since the epoch; undefined when nothing waits. */
  nextDue(): Promise<number | undefined>;
  /** Deliveries of a job, oldest first. */
  log(
    jobId: string,
    range: { readonly skip: number; readonly limit: number },
  ): Promise<DeliveryLogEntry[]>;
};
