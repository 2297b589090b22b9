// The list of an account's jobs of all kinds, and the stream of their changes.
import { z } from "zod";
import { JOB_LIST_KINDS, type JobListKind } from "./kinds.ts";
import { buildDigitsSchema, buildLimitSchema } from "../request/paging.ts";

export const JOB_LIST_STATES = ["running", "completed", "failed", "cancelled"] as const;
export type JobListState = (typeof JOB_LIST_STATES)[number];

const MAX_FILTER_CHARACTERS = 500;
const MAX_MS = 8.64e14;

/** A time: milliseconds since the epoch, or ISO 8601 with a time zone. */
export const buildTimeSchema = (name: string) =>
  z
    .string()
    .transform((text, context) => {
      const digits = buildDigitsSchema(name, 0, MAX_MS, "Invalid time").safeParse(text);
      if (digits.success) return digits.data;
      const isIso = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text);
      const at = isIso ? Date.parse(text) : Number.NaN;
      if (!Number.isNaN(at) && at >= 0) return at;
      context.addIssue({
        code: "custom",
        message: `${name} must be a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970`,
      });
      return z.NEVER;
    })
    .describe("ISO 8601, or milliseconds since 1970.");

const kindsSchema = z
  .string()
  .transform((text, context): JobListKind[] => {
    const kinds = text.split(",").map((kind) => kind.trim());
    const unknown = kinds.find((kind) => !JOB_LIST_KINDS.some((known) => known === kind));
    if (unknown === undefined) return kinds as JobListKind[];
    context.addIssue({
      code: "custom",
      message: `kind must be one or several of ${JOB_LIST_KINDS.join(", ")}, with commas between them`,
    });
    return z.NEVER;
  })
  .describe(`One or several of ${JOB_LIST_KINDS.join(", ")}, with commas between them.`);

/** Query of GET /v2/jobs. */
export const jobListQuerySchema = z.object({
  kind: kindsSchema.optional(),
  state: z.enum(JOB_LIST_STATES).optional(),
  host: z
    .string()
    .min(1)
    .max(MAX_FILTER_CHARACTERS)
    .optional()
    .describe("Host of the job's URL; example.com also finds www.example.com."),
  text: z
    .string()
    .min(1)
    .max(MAX_FILTER_CHARACTERS)
    .optional()
    .describe("Substring of the job's URL or prompt, case-insensitive."),
  key: z
    .string()
    .min(1)
    .max(MAX_FILTER_CHARACTERS)
    .optional()
    .describe("Name or id of the API key that started the job."),
  since: buildTimeSchema("since").optional(),
  until: buildTimeSchema("until").optional(),
  limit: buildLimitSchema(100),
  cursor: z.uuid().optional().describe("The `cursor` of the previous page."),
});

export const listedJobSchema = z
  .looseObject({
    id: z.string(),
    kind: z.enum(JOB_LIST_KINDS),
    state: z.enum(JOB_LIST_STATES),
    path: z.string().describe("Path of the endpoint that returns the job's state and results."),
    url: z.string().nullable().describe("Start URL of the job, or the first of its URLs."),
    prompt: z.string().nullable().describe("The first 300 characters."),
    apiKey: z.looseObject({ id: z.string(), name: z.string().nullable() }),
    total: z
      .int()
      .describe("Pages, or steps of an agent run: queued, in progress, completed and failed."),
    completed: z.int(),
    failed: z.int(),
    creditsUsed: z.number(),
    error: z.string().nullable(),
    code: z.string().nullable().describe("Why the job failed, for programs."),
    createdAt: z.string(),
    completedAt: z.string().nullable(),
    expiresAt: z.string().nullable().describe("Null while the job runs."),
  })
  .meta({ id: "ListedJob", description: "A job with its counters." });

export type ListedJobBody = z.output<typeof listedJobSchema>;

const totalsSchema = z
  .object({ running: z.int(), completed: z.int(), failed: z.int(), cancelled: z.int() })
  .describe("Jobs of these kinds by state, each counted up to 1000.");

export const jobListResponseSchema = z.looseObject({
  success: z.literal(true),
  jobs: z.array(listedJobSchema).describe("Newest first."),
  totals: totalsSchema.optional().describe("On the first page only; each counted up to 1000."),
  cursor: z
    .string()
    .nullable()
    .describe("For the next page; null at the end. A page may be short or empty before the end."),
});

/** The `data` of the events of GET /v2/jobs/events; `type` is also the name of the event. */
export const jobEventSchema = z.discriminatedUnion("type", [
  z
    .looseObject({
      type: z.literal("snapshot"),
      jobs: z.array(listedJobSchema),
      totals: totalsSchema,
    })
    .describe("First event of each connection: running jobs and the newest others."),
  z.looseObject({
    type: z.literal("job"),
    change: z.enum(["created", "progress", "ended"]),
    job: listedJobSchema,
  }),
]);
