// The body of one delivery: wire contract, section 16. Pure.
import type { EventType, WebhookEvent } from "../contract/jobs/webhook.ts";

/** What happened to a job, before it has the form of the wire. */
export type HappenedEvent = {
  /** Of the event: every attempt to deliver it carries the same, so that a receiver can tell a repeat. */
  readonly id: string;
  readonly type: EventType;
  readonly jobId: string;
  /** A page's document alone in a list; empty for every other event of a job, and for a page that failed. */
  readonly data: WebhookEvent["data"];
  /** Why a page or the job failed. */
  readonly error: string | undefined;
  /** The caller's own, sent back with every event. */
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** `success` is false for a failed page, a failed job and a cancelled one. */
export function buildEnvelope(event: HappenedEvent): WebhookEvent {
  const succeeded = event.error === undefined && !/\.(?:failed|cancelled)$/.test(event.type);
  return {
    success: succeeded,
    type: event.type,
    id: event.jobId,
    webhookId: event.id,
    data: event.data,
    metadata: { ...event.metadata },
    ...(event.error === undefined ? {} : { error: event.error }),
  };
}
