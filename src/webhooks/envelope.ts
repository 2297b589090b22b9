// The body of one delivery: wire contract, section 16. Pure.
import type { EventType, Webhook, WebhookEvent } from "../contract/webhook.ts";

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

/** Short name of an event: "crawl.page" gives "page", as it stands in the filter of a checked webhook. */
function shortNameOf(type: EventType): string {
  return type.slice(type.indexOf(".") + 1);
}

/** Did the caller ask for this event? */
export function isWanted(webhook: Pick<Webhook, "events">, type: EventType): boolean {
  return webhook.events.includes(shortNameOf(type)) || webhook.events.includes(type);
}

/** `success` is false for a failed page, a failed job and a cancelled one. */
export function buildEnvelope(event: HappenedEvent): WebhookEvent {
  const name = shortNameOf(event.type);
  const succeeded = event.error === undefined && name !== "failed" && name !== "cancelled";
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
