// Webhooks of jobs: their target and their events.
import { z } from "zod";
import { JOB_KINDS, type JobKindName } from "./kinds.ts";
import { headersSchema } from "../request/headers.ts";
import { findUrlFault } from "../request/url.ts";

const webhookUrlSchema = z
  .string()
  .refine((text) => {
    const hasScheme = /^https?:\/\//i.test(text.trim());
    return hasScheme && findUrlFault(text) === undefined;
  }, "webhook: url must be an absolute http or https URL")
  .meta({ description: "Absolute http or https URL that takes the events.", format: "uri" });

export const MONITOR_EVENTS = ["monitor.page", "monitor.check.completed"] as const;

type EventOf<Kind extends JobKindName> = (typeof JOB_KINDS)[Kind]["events"][number];

/** Short event names, or full ones with the kind of job as prefix; both become the short name. */
function buildEventSchema<E extends string>(kind: string, events: readonly E[]) {
  const names: string[] = [...events, ...events.map((event) => `${kind}.${event}`)];
  return z
    .enum(names)
    .transform((name) => name.slice(name.startsWith(`${kind}.`) ? kind.length + 1 : 0) as E);
}

/** Headers of the connection (RFC 9110, section 7.6.1) or of the server's signature. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "x-firecrawl-signature",
  "x-quarry-signature",
]);

const deliveryHeadersSchema = headersSchema.prefault({}).superRefine((headers, context) => {
  for (const name of Object.keys(headers))
    if (OWN_HEADERS.has(name.toLowerCase()))
      context.addIssue({
        code: "custom",
        path: [name],
        message: `webhook: the header ${name} is set by the server`,
      });
});

const metadataSchema = z
  .record(z.string(), z.unknown())
  .prefault({})
  .describe("Sent back with every event.");

/**
 * `webhook` as a URL or an object. The parsed form is always the object, with short `events`, all
 * of them by default.
 */
export function buildWebhookSchema<Kind extends JobKindName>(kind: Kind) {
  const events: readonly EventOf<Kind>[] = JOB_KINDS[kind].events;
  const objectSchema = z.strictObject({
    url: webhookUrlSchema,
    headers: deliveryHeadersSchema.describe("Headers sent with every delivery."),
    metadata: metadataSchema,
    secret: z
      .string()
      .min(16)
      .max(256)
      .optional()
      .describe(
        "Signs the deliveries of this job in place of the account's secret; never returned.",
      ),
    events: z
      .array(buildEventSchema(kind, events))
      .max(50)
      .prefault([...events])
      .describe("Events to send; all when missing."),
  });
  return z.union([webhookUrlSchema.transform((url) => objectSchema.parse({ url })), objectSchema]);
}

export const monitorWebhookSchema = z.strictObject({
  url: webhookUrlSchema,
  headers: deliveryHeadersSchema,
  metadata: metadataSchema,
  events: z.array(z.enum(MONITOR_EVENTS)).prefault([...MONITOR_EVENTS]),
});

export type Webhook<E extends string = string> = {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly metadata: Record<string, unknown>;
  readonly events: E[];
  /** The secret as the caller gives it. */
  readonly secret?: string | undefined;
  /** The encrypted secret stored with the job. */
  readonly sealedSecret?: string;
  /** The deployment's webhook, which the caller did not give; missing in jobs of earlier versions. */
  readonly isDefault?: boolean;
};

/** Every event name on the wire. */
export const EVENT_TYPES: readonly EventType[] = [
  ...Object.entries(JOB_KINDS).flatMap(([kind, { events }]) =>
    events.map((event) => `${kind}.${event}` as EventType),
  ),
  ...MONITOR_EVENTS,
];

export type EventType =
  | { [Kind in JobKindName]: `${Kind}.${EventOf<Kind>}` }[JobKindName]
  | (typeof MONITOR_EVENTS)[number];

/** Body of one delivery; `data` is a list except for monitor.check.completed. */
export const webhookEventSchema = z
  .looseObject({
    success: z.boolean(),
    type: z.enum(EVENT_TYPES),
    id: z.string(),
    webhookId: z.string(),
    data: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
    metadata: z.record(z.string(), z.unknown()).optional(),
    error: z.string().optional(),
  })
  .meta({ id: "WebhookEvent", description: "Body of one webhook delivery." });

export type WebhookEvent = z.output<typeof webhookEventSchema>;
