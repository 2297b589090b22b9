// The operator's API below /admin: accounts, keys, settings, checks. Beyond the API family's
// contract. Times are milliseconds since the epoch.
import { z } from "zod";
import { buildTimeSchema } from "../jobs/job-list.ts";
import { SCOPES } from "./scopes.ts";

const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u, { error: "must not contain control characters" });

const buildLimitSchema = (min: number, text: string) =>
  z.int().min(min).nullable().exactOptional().describe(`${text}; null removes the limit.`);

const limitFields = {
  creditBudget: buildLimitSchema(0, "Credits that may be spent"),
  requestsPerMinute: buildLimitSchema(1, "Requests a minute"),
  concurrency: buildLimitSchema(1, "Pages and requests in progress"),
};

export const keyLimitsSchema = z.strictObject(limitFields);

export const accountLimitsSchema = z.strictObject({
  ...limitFields,
  indexPages: buildLimitSchema(0, "Pages in the search index"),
});

export const newAccountSchema = accountLimitsSchema.extend({ name: nameSchema });

export const accountParamsSchema = z.object({
  account: z.string().min(1).describe("Name or id of an account."),
});

export const keyParamsSchema = z.object({ id: z.string().min(1).describe("Name or id of a key.") });

export const keyListQuerySchema = z.object({
  account: z
    .string()
    .min(1)
    .optional()
    .describe("Name or id of the account; the first one if missing."),
});

export const newKeySchema = keyLimitsSchema.extend({
  name: nameSchema,
  account: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Name or id of its account; the first one if missing."),
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  allowHosts: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe("Hosts that it may fetch, such as example.com and *.example.com; null allows all."),
  expiresAt: z.int().min(0).nullable().default(null),
});

const MAX_GRACE_MS = 30 * 86_400_000;

/** It may be missing. */
export const rotateKeySchema = z
  .strictObject({
    graceMs: z
      .int()
      .min(0)
      .max(MAX_GRACE_MS)
      .optional()
      .describe("Milliseconds for which the former key is still accepted."),
  })
  .prefault({});

export const egressQuerySchema = z.object({
  host: z.string().default("").describe("Host name or address, with an optional port."),
});

const limit = z.int().nullable();
const time = z.int().nullable();
const limitsSchema = z.looseObject({
  creditBudget: limit,
  requestsPerMinute: limit,
  concurrency: limit,
});

export const accountSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  limits: limitsSchema.extend({ indexPages: limit.optional() }),
  createdAt: z.int(),
  disabledAt: time.describe("Since when its keys are rejected; null while it is enabled."),
});

export const keySchema = z.looseObject({
  id: z.string(),
  accountId: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters, which identify the key to people."),
  limits: limitsSchema,
  scopes: z.array(z.enum(SCOPES)),
  allowHosts: z.array(z.string()).nullable(),
  createdAt: z.int(),
  lastUsedAt: time,
  expiresAt: time,
  revokedAt: time,
});

export const newKeyResponseSchema = keySchema.extend({
  key: z.string().describe("The key itself, which is shown only once."),
});

export const settingSchema = z.looseObject({
  variable: z.string(),
  group: z.string(),
  value: z.string().describe("Empty when it is not set; secrets are left out."),
  source: z.enum(["default", "environment", "command line"]),
  doc: z.string(),
});

export const diagnosisSchema = z.looseObject({
  version: z.string(),
  node: z.string(),
  platform: z.string(),
  cpus: z.int(),
  memoryMiB: z.number(),
  findings: z.array(z.string()).describe("The configuration, one short line each."),
  disk: z.array(z.looseObject({ kind: z.string(), bytes: z.number(), files: z.int() })),
  tried: z.array(z.string()).describe("Checks and their results."),
  problems: z.array(z.string()).describe("Empty if all is well."),
});

export const egressExplanationSchema = z.looseObject({
  host: z.string(),
  port: z.int(),
  allowed: z.boolean(),
  reason: z.string(),
  addresses: z.array(
    z.looseObject({
      address: z.string(),
      allowed: z.boolean(),
      addressClass: z.string(),
      reason: z.string(),
    }),
  ),
});

export const loadHistoryQuerySchema = z.object({
  from: buildTimeSchema("from").optional().meta({
    description: "Start: ISO 8601, or milliseconds since 1970. By default 24 hours before the end.",
  }),
  to: buildTimeSchema("to").optional().meta({
    description: "End, exclusive: ISO 8601, or milliseconds since 1970. By default now.",
  }),
});

const sampledAt = z.int().describe("Start of the period.");

export const loadHistorySchema = z.looseObject({
  from: z.int(),
  to: z.int(),
  stepMs: z
    .int()
    .describe(
      "Length of a period: 1 minute if all of them are of the last 24 hours, 5, 15 or 60 minutes in longer ranges.",
    ),
  processes: z
    .array(
      z.looseObject({
        name: z.string().describe("Host name and port."),
        role: z.string(),
        samples: z.array(
          z.looseObject({
            at: sampledAt,
            memoryBytes: z.int().describe("Resident memory of the process, without its browsers."),
            browserPages: z.int().describe("Browser pages in use."),
            browserWaiting: z.int().describe("URLs waiting for a browser page."),
            scrapes: z.int().describe("Scrapes that ended within coveredMs."),
            jobPages: z.int().describe("Pages of crawls and batches that ended within coveredMs."),
            coveredMs: z.int().describe("Time for which scrapes and jobPages were counted."),
          }),
        ),
      }),
    )
    .describe(
      "Ascending by name. Samples are ascending; periods in which a process did not run are left out.",
    ),
  service: z
    .array(
      z.looseObject({
        at: sampledAt,
        databaseBytes: z.int(),
        blobBytes: z
          .int()
          .nullable()
          .describe("Stored bytes of all blobs, measured once an hour; null before."),
        crawlQueueAgeMs: z
          .int()
          .describe("Age of the oldest URL of a crawl that waits to be fetched; 0 without any."),
        batchQueueAgeMs: z.int().describe("The same for batches."),
      }),
    )
    .describe(
      "What all processes share. Gauges are sampled once a minute; a longer period has their highest value.",
    ),
});

export const garbageReportSchema = z.looseObject({
  databaseBytesBefore: z.number(),
  databaseBytes: z.number(),
});

export const snapshotSchema = z.looseObject({
  folder: z.string().describe("Folder of the copy, in the data folder of the server."),
});

export const webhookSecretSchema = z.looseObject({ secret: z.string() });

export const consoleLinkSchema = z.looseObject({
  path: z.string().describe("Path that signs in once."),
  expiresAt: z.string(),
});
