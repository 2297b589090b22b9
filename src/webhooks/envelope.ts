// Builds the body of one delivery: wire contract, section 16. Pure.
import type { EventType, WebhookEvent } from "../contract/jobs/webhook.ts";

/** An event of a job before it is converted to the wire. */
export type EventRecord = {
  /** Id of the event, the same for every attempt, so that a receiver can detect repeats. */
  readonly id: string;
  readonly type: EventType;
  readonly jobId: string;
  /** A page's document in a list; empty for other job events and failed pages. */
  readonly data: WebhookEvent["data"];
  /** Why a page or the job failed. */
  readonly error: string | undefined;
  /** The caller's metadata, returned with every event. */
  readonly metadata: Readonly<Record<string, unknown>>;
};

/** `success` is false for a failed page, a failed job and a cancelled one. */
export function buildEnvelope(event: EventRecord): WebhookEvent {
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
