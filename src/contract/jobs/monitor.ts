// Requests of the monitor routes: pages, crawls and searches checked on a schedule.
import { z } from "zod";
import { callerFields } from "../request/caller.ts";
import { crawlOptionsSchema } from "./crawl.ts";
import { changedChannelsSchema, channelsSchema } from "./monitor-channels.ts";
import { conditionsSchema, detectionSchema, pageScopeSchema } from "./monitor-rules.ts";
import { checkIdSchema, jobIdSchema, nameSchema } from "../request/identifier.ts";
import { buildDigitsSchema, buildLimitSchema, skipSchema } from "../request/paging.ts";
import { scheduleSchema } from "./schedule.ts";
import { buildScrapeOptionsSchema } from "../page/scrape.ts";
import { urlSchema } from "../request/url.ts";
import { monitorWebhookSchema } from "./webhook.ts";

const MAX_TARGETS = 50;
const targetId = nameSchema.optional();
const monitorScrapeOptionsSchema = buildScrapeOptionsSchema({
  formats: [{ type: "markdown" }],
  maxAgeMs: 0,
});

const scrapeTargetSchema = z.strictObject({
  id: targetId,
  type: z.literal("scrape"),
  urls: z.array(urlSchema).min(1).max(1_000),
  scrapeOptions: monitorScrapeOptionsSchema.prefault({}),
  scope: pageScopeSchema.optional(),
});
const crawlTargetSchema = z.strictObject({
  id: targetId,
  type: z.literal("crawl"),
  url: urlSchema,
  crawlOptions: crawlOptionsSchema.optional(),
  scrapeOptions: monitorScrapeOptionsSchema.optional(),
  scope: pageScopeSchema.optional(),
});
const mapTargetSchema = z.strictObject({
  id: targetId,
  type: z.literal("map"),
  url: urlSchema,
  search: z.string().max(500).optional(),
  limit: z.int().min(1).max(10_000).default(1_000),
});
const domainsSchema = z.array(z.string().max(253)).max(50);
const searchTargetSchema = z
  .strictObject({
    id: targetId,
    type: z.literal("search"),
    queries: z.array(z.string().min(1).max(256)).min(1).max(12),
    searchWindow: z.enum(["5m", "15m", "1h", "6h", "24h", "7d"]).default("24h"),
    maxResults: z.int().min(1).max(50).default(10),
    includeDomains: domainsSchema.optional(),
    excludeDomains: domainsSchema.optional(),
  })
  .refine(
    (target) => !(target.includeDomains?.length && target.excludeDomains?.length),
    "includeDomains and excludeDomains cannot both be specified",
  );

const monitorTargetSchema = z.discriminatedUnion("type", [
  scrapeTargetSchema,
  crawlTargetSchema,
  searchTargetSchema,
  mapTargetSchema,
]);
export type MonitorTarget = z.output<typeof monitorTargetSchema>;

const notificationSchema = z.strictObject({
  email: z
    .strictObject({
      enabled: z.boolean().default(true),
      recipients: z.array(z.email().max(320)).max(50).optional(),
      includeDiffs: z.boolean().default(false),
    })
    .optional(),
});

export const MAX_MONITOR_NAME_CHARACTERS = 256;
const nameTextSchema = z
  .string()
  .min(1)
  .max(MAX_MONITOR_NAME_CHARACTERS)
  .describe(`1 to ${MAX_MONITOR_NAME_CHARACTERS} characters.`);
const goalSchema = z.string().max(2_000).describe("Changes that matter, in plain language.");
const retentionSchema = z.int().min(1).max(365).describe("Days results are kept, 1 to 365.");
const targetsSchema = z
  .array(monitorTargetSchema)
  .min(1)
  .max(MAX_TARGETS)
  .superRefine((targets, context) => {
    const ids = targets.map(({ id }) => id);
    for (const [index, id] of ids.entries())
      if (id !== undefined && ids.indexOf(id) < index)
        context.addIssue({
          code: "custom",
          path: [index, "id"],
          message: `targets[${index}].id: ${id} is used twice`,
        });
  });
const pauseSchema = z.iso
  .datetime({ offset: true })
  .describe("No scheduled check before this time.");

/** Body of POST /v2/monitor. */
export const monitorRequestSchema = z
  .strictObject({
    name: nameTextSchema,
    schedule: scheduleSchema,
    targets: targetsSchema,
    webhook: monitorWebhookSchema.nullish(),
    notification: notificationSchema.nullish(),
    retentionDays: retentionSchema.default(30),
    goal: goalSchema.nullish(),
    judgeEnabled: z.boolean().optional().describe("Default: true when a goal is given."),
    channels: channelsSchema.prefault([]),
    detection: detectionSchema.prefault({}),
    when: conditionsSchema.nullish(),
    pauseUntil: pauseSchema.nullish(),
    ...callerFields,
  })
  .superRefine((fields, context) => {
    const hasSearch = fields.targets.some((target) => target.type === "search");
    if (hasSearch && !fields.goal && fields.judgeEnabled !== false)
      context.addIssue({
        code: "custom",
        path: ["goal"],
        message: "goal: a search target needs a goal unless judgeEnabled is false",
      });
  })
  .transform((fields) => ({
    ...fields,
    judgeEnabled: fields.judgeEnabled ?? Boolean(fields.goal),
  }));

export type MonitorRequest = z.input<typeof monitorRequestSchema>;
export type MonitorOptions = z.output<typeof monitorRequestSchema>;

/** Body of PATCH /v2/monitor/{id}: at least one field; null removes a setting. */
export const monitorUpdateRequestSchema = z
  .strictObject({
    name: nameTextSchema.optional(),
    status: z.enum(["active", "paused"]).optional(),
    schedule: scheduleSchema.optional(),
    targets: targetsSchema.optional(),
    webhook: monitorWebhookSchema.nullish(),
    notification: notificationSchema.nullish(),
    retentionDays: retentionSchema.optional(),
    goal: goalSchema.nullish(),
    judgeEnabled: z.boolean().optional(),
    channels: changedChannelsSchema.optional(),
    detection: detectionSchema.optional(),
    when: conditionsSchema.nullish(),
    pauseUntil: pauseSchema.nullish(),
    ...callerFields,
  })
  .refine(({ origin: _origin, integration: _integration, ...fields }) => {
    return Object.values(fields).some((value) => value !== undefined);
  }, "At least one field to update is needed");

export type MonitorUpdate = z.output<typeof monitorUpdateRequestSchema>;

export const PAGE_STATUSES = ["same", "new", "changed", "removed", "error"] as const;
export const CHECK_STATUSES = [
  "queued",
  "running",
  "completed",
  "failed",
  "partial",
  "skipped_overlap",
  "skipped_no_credits",
] as const;

const pagingSchema = z.object({
  limit: buildLimitSchema(100),
  offset: buildDigitsSchema("offset", 0, 1_000_000_000, "Invalid pagination").optional(),
});
export const monitorListQuerySchema = pagingSchema.extend({
  cursor: jobIdSchema.optional().meta({
    description: "The `cursor` of the previous page; `offset` counts from there.",
  }),
});
export const deliveryListQuerySchema = pagingSchema;
export const checkListQuerySchema = pagingSchema.extend({
  status: z.enum(CHECK_STATUSES).optional(),
});
export const checkQuerySchema = z.object({
  limit: buildLimitSchema(1_000),
  skip: skipSchema,
  status: z.enum(PAGE_STATUSES).optional(),
});
export const checkParamsSchema = z.object({ id: jobIdSchema, checkId: checkIdSchema });

/** Body of POST /v2/monitor/{id}/feedback: turns a changed line into a filter. */
export const monitorFeedbackSchema = z.strictObject({
  line: z.string().min(1).max(2_000).describe("A line of a diff, with or without its sign."),
  verdict: z
    .enum(["ignore", "matters"])
    .describe("ignore: lines like this never count; matters: they always do."),
  ...callerFields,
});
export type MonitorFeedback = z.output<typeof monitorFeedbackSchema>;

/** Body of POST /v2/monitor/{id}/dry-run: rules to try in place of the stored ones. */
export const monitorDryRunSchema = z
  .strictObject({
    detection: detectionSchema.optional(),
    when: conditionsSchema.nullish(),
    ...callerFields,
  })
  .nullish();
export type MonitorDryRun = z.output<typeof monitorDryRunSchema>;

/** Body of POST /v2/monitor/{id}/test: one channel, or all. */
export const monitorTestSchema = z
  .strictObject({ channel: z.string().max(100).optional(), ...callerFields })
  .nullish();
export type MonitorTest = z.output<typeof monitorTestSchema>;
