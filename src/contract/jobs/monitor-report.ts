// Replies of the monitor routes: the monitor, its checks, and the pages of a check.
import { z } from "zod";
import { NOTICE_EVENTS } from "./monitor-channels.ts";
import { CHECK_STATUSES, PAGE_STATUSES } from "./monitor.ts";

const text = z.string().optional();
const maybeText = z.string().nullable().optional();
const maybeCount = z.number().nullable().optional();

const summarySchema = z.looseObject({
  totalPages: z.int(),
  same: z.int(),
  changed: z.int(),
  new: z.int(),
  removed: z.int(),
  error: z.int(),
});

export const monitorSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    status: z.enum(["active", "paused", "deleted"]),
    schedule: z.looseObject({ cron: z.string(), timezone: z.string(), text }),
    nextRunAt: maybeText,
    lastRunAt: maybeText,
    currentCheckId: maybeText,
    targets: z.array(
      z.looseObject({ id: z.string(), type: z.enum(["scrape", "crawl", "search", "map"]) }),
    ),
    webhook: z.record(z.string(), z.unknown()).nullable().optional(),
    notification: z.record(z.string(), z.unknown()).nullable().optional(),
    emailRecipientSubscriptions: z
      .array(
        z.looseObject({
          email: z.string(),
          status: z.enum(["pending", "confirmed", "unsubscribed"]),
          source: z.enum(["team", "opt_in", "legacy"]),
        }),
      )
      .optional(),
    retentionDays: z.int(),
    estimatedCreditsPerMonth: maybeCount,
    lastCheckSummary: summarySchema.nullable().optional(),
    goal: maybeText,
    judgeEnabled: z.boolean().optional(),
    channels: z.array(z.looseObject({ id: z.string(), type: z.string() })).optional(),
    detection: z.record(z.string(), z.unknown()).optional(),
    when: z.record(z.string(), z.unknown()).nullable().optional(),
    pauseUntil: maybeText,
    feedUrl: z
      .string()
      .optional()
      .describe("Atom feed of its alerts, as RSS with .rss behind it; the address is a secret."),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Monitor" });

export type Monitor = z.output<typeof monitorSchema>;

const checkFields = {
  id: z.string(),
  monitorId: z.string(),
  status: z.enum(CHECK_STATUSES),
  trigger: z.enum(["scheduled", "manual"]),
  scheduledFor: maybeText,
  startedAt: maybeText,
  finishedAt: maybeText,
  estimatedCredits: maybeCount,
  reservedCredits: maybeCount,
  actualCredits: maybeCount,
  billingStatus: z.enum(["not_applicable", "reserved", "confirmed", "released", "failed"]),
  summary: summarySchema,
  targetResults: z.array(z.looseObject({ targetId: z.string(), type: z.string() })).optional(),
  notificationStatus: z.unknown().optional(),
  error: maybeText,
  createdAt: z.string(),
  updatedAt: z.string(),
};

export const monitorCheckSchema = z.looseObject(checkFields);
export type MonitorCheck = z.output<typeof monitorCheckSchema>;

const judgmentSchema = z.looseObject({
  meaningful: z.boolean(),
  confidence: z.enum(["high", "medium", "low"]),
  reason: z.string(),
  meaningfulChanges: z.array(
    z.looseObject({
      type: z.enum(["added", "removed", "changed"]),
      before: z.string().nullable(),
      after: z.string().nullable(),
      reason: z.string(),
    }),
  ),
});

export const monitorPageSchema = z.looseObject({
  id: z.string(),
  targetId: z.string(),
  url: z.string(),
  status: z.enum(PAGE_STATUSES),
  previousScrapeId: maybeText,
  currentScrapeId: maybeText,
  statusCode: z.int().nullable().optional(),
  error: maybeText,
  metadata: z.unknown().optional(),
  diff: z
    .looseObject({
      text,
      json: z.record(z.string(), z.unknown()).optional(),
      picture: z
        .looseObject({
          share: z.number().describe("Part of the pixels that differ, 0 to 1."),
          box: z
            .looseObject({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
            .optional(),
          before: z.string(),
          after: z.string(),
          difference: z.string(),
        })
        .optional()
        .describe("Links to pictures, valid for a day."),
    })
    .nullable()
    .optional(),
  snapshot: z
    .looseObject({ json: z.record(z.string(), z.unknown()).optional() })
    .nullable()
    .optional(),
  event: z
    .enum(NOTICE_EVENTS)
    .nullable()
    .optional()
    .describe("The event that channels were notified of; null when there was none."),
  judgment: judgmentSchema.nullable().optional(),
  createdAt: z.string(),
});
export type MonitorPage = z.output<typeof monitorPageSchema>;

const success = z.literal(true);

export const monitorResponseSchema = z.looseObject({ success, data: monitorSchema });
export const monitorListResponseSchema = z.looseObject({
  success,
  data: z.array(monitorSchema),
  // Other servers of the API family do not send it.
  cursor: z.string().nullish().describe("Continues the list; null on the last page."),
});
export const monitorDeleteResponseSchema = z.looseObject({ success });
export const monitorRunResponseSchema = z.looseObject({
  success,
  id: z.string(),
  data: monitorCheckSchema,
});
export const checkListResponseSchema = z.looseObject({
  success,
  data: z.array(monitorCheckSchema),
});
export const checkResponseSchema = z.looseObject({
  success,
  next: maybeText,
  data: z.looseObject({ ...checkFields, pages: z.array(monitorPageSchema), next: maybeText }),
});

export const monitorEstimateResponseSchema = z.looseObject({
  success,
  data: z.looseObject({
    schedule: z.looseObject({ cron: z.string(), timezone: z.string() }),
    nextRuns: z.array(z.string()),
    estimatedCreditsPerMonth: z.number(),
  }),
});

export const monitorDeliveriesResponseSchema = z.looseObject({
  success,
  data: z.array(
    z.looseObject({
      id: z.string(),
      checkId: maybeText,
      channel: z.string(),
      recipient: text.describe("Of an e-mail; each recipient has their own."),
      event: z.string(),
      state: z.enum(["waiting", "delivered", "failed"]),
      attempts: z.int(),
      createdAt: z.string(),
      nextAttemptAt: text,
      endedAt: text,
      statusCode: z.int().optional(),
      error: text,
    }),
  ),
});

export const monitorDryRunResponseSchema = z.looseObject({
  success,
  data: z.array(
    z.looseObject({
      targetId: z.string(),
      url: z.string(),
      from: z.string(),
      to: z.string(),
      changed: z.boolean(),
      notifies: z.boolean(),
      reason: z.string(),
      diff: text,
    }),
  ),
});

export const monitorTestResponseSchema = z.looseObject({
  success,
  data: z.array(z.looseObject({ channel: z.string(), delivered: z.boolean(), error: maybeText })),
});
