// Replies as the published Python client (firecrawl-py 4) requires them. Its models are strict: a
// missing key, a fraction or an unknown word raises an exception in the caller. Facts only; unknown
// keys are allowed.
import { z } from "zod";

const text = z.string().nullish();
const texts = z.array(z.string()).nullish();
const whole = z.int().nullish();
const record = z.record(z.string(), z.unknown()).nullish();
const stringMap = z.record(z.string(), z.string()).nullish();
const time = z.iso.datetime({ offset: true }).nullish();
/** Metadata texts may be lists, which are joined. */
const joined = z.union([z.string(), z.array(z.unknown())]).nullish();

const SINGLE = (
  "title description url language keywords robots ogTitle ogDescription ogUrl ogImage ogAudio ogDeterminer ogLocale " +
  "ogSiteName ogVideo favicon dcTermsCreated dcDateCreated dcDate dcTermsType dcType dcTermsAudience dcTermsSubject " +
  "dcSubject dcDescription dcTermsKeywords modifiedTime publishedTime articleTag articleSection sourceURL scrapeId " +
  "contentType timezone cachedAt error"
).split(" ");

const metadata = z.looseObject({
  ...Object.fromEntries(SINGLE.map((name) => [name, joined])),
  ogLocaleAlternate: texts,
  statusCode: whole,
  numPages: whole,
  creditsUsed: whole,
  proxyUsed: z.enum(["basic", "stealth"]).nullish(),
  cacheState: z.enum(["hit", "miss"]).nullish(),
  concurrencyLimited: z.boolean().nullish(),
  concurrencyQueueDurationMs: whole,
});

const branding = z.looseObject({
  colorScheme: z.enum(["light", "dark"]).nullish(),
  logo: text,
  fonts: z.array(z.record(z.string(), z.unknown())).nullish(),
  colors: stringMap,
  icons: stringMap,
  animations: stringMap,
  tone: stringMap,
  images: z.record(z.string(), z.string().nullable()).nullish(),
  typography: record,
  spacing: record,
  components: record,
  layout: record,
  personality: record,
});

const blocks = z.looseObject({
  pageNumber: z.int(),
  width: z.number().nullish(),
  height: z.number().nullish(),
  status: z.string(),
  items: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      bbox: z.array(z.number()).nullish(),
      content: z.string(),
      markdownSpan: z.array(z.int()).nullish(),
      readingOrder: z.int(),
      confidence: z.looseObject({ layout: z.number().nullish(), ocr: z.number().nullish() }),
    }),
  ),
});

const document = z.looseObject({
  markdown: text,
  html: text,
  rawHtml: text,
  summary: text,
  metadata: metadata.nullish(),
  links: texts,
  images: texts,
  screenshot: text,
  audio: text,
  actions: record,
  answer: text,
  highlights: text,
  warning: text,
  changeTracking: record,
  branding: branding.nullish(),
  pages: z.array(z.looseObject({ pageNumber: z.int(), markdown: z.string() })).nullish(),
  blocks: z.array(blocks).nullish(),
});

const success = { success: z.literal(true) };
const job = z.looseObject({
  ...success,
  status: z.enum(["scraping", "completed", "failed", "cancelled"]),
  completed: z.int(),
  total: z.int(),
  creditsUsed: z.int(),
  expiresAt: time,
  next: text,
  data: z.array(document),
});
const run = z.enum(["processing", "completed", "failed"]);
const link = z.looseObject({ url: z.string(), title: text, description: text });
const agentEvent = z.looseObject({
  schemaVersion: z.literal(1),
  eventId: z.string(),
  runId: z.string(),
  occurredAt: z.iso.datetime({ offset: true }),
  producerSequence: z.int(),
  agent: z.looseObject({
    id: z.string(),
    role: z.enum(["orchestrator", "subagent", "browser", "system"]),
    name: z.string(),
    parentId: text,
  }),
  durationMs: z.int().optional(),
});
const used = { remainingCredits: whole, planCredits: whole };
const usedOfOld = {
  remaining_credits: z.int(),
  plan_credits: whole,
  billing_period_start: text,
  billing_period_end: text,
};

/** By response. Keys are those of the wire: the client converts them before validation. */
export const PYTHON_MODELS = {
  scrape: z.looseObject({ ...success, data: document }),
  started: z.looseObject({ ...success, id: z.string(), url: z.string(), invalidURLs: texts }),
  job,
  cancelled: z.looseObject({ status: z.literal("cancelled") }),
  ended: z.looseObject({ status: z.enum(["completed", "failed", "cancelled"]) }),
  errors: z.looseObject({
    errors: z.array(
      z.looseObject({
        id: z.string(),
        timestamp: time,
        url: z.string(),
        code: text,
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()),
  }),
  active: z.looseObject({
    ...success,
    crawls: z.array(
      z.looseObject({ id: z.string(), teamId: z.string(), url: z.string(), options: record }),
    ),
  }),
  preview: z.looseObject({
    ...success,
    data: z.looseObject({
      includePaths: texts,
      excludePaths: texts,
      maxDiscoveryDepth: whole,
      limit: whole,
      delay: whole,
      maxConcurrency: whole,
    }),
  }),
  map: z.looseObject({ ...success, links: z.array(link) }),
  search: z.looseObject({ ...success, data: z.looseObject({ web: z.array(link) }) }),
  extract: z.looseObject({
    ...success,
    status: z.enum(["processing", "completed", "failed", "cancelled"]).nullish(),
    sources: record,
    warnings: texts,
    replacement: text,
    expiresAt: time,
    creditsUsed: whole,
    tokensUsed: whole,
  }),
  agent: z.looseObject({
    ...success,
    status: run.nullish(),
    model: text,
    effort: z.enum(["low", "medium", "high"]).nullish(),
    expiresAt: time,
    creditsUsed: whole,
    threadId: text,
    threadTurn: whole,
    mode: z.enum(["extract", "chat"]).nullish(),
  }),
  agents: z.looseObject({
    agents: z.array(
      z.looseObject({
        id: z.string(),
        createdAt: z.string(),
        targetHint: z.string(),
        origin: z.string(),
        settings: z.looseObject({ hidden: z.boolean(), starred: z.boolean(), label: text }),
        status: run.nullish(),
      }),
    ),
  }),
  trace: z.looseObject({ events: z.array(agentEvent), creditsUsed: whole }),
  browser: z.looseObject({ ...success, id: z.string(), cdpUrl: text, expiresAt: text }),
  browsers: z.looseObject({
    ...success,
    sessions: z.array(
      z.looseObject({
        id: z.string(),
        status: z.string(),
        cdpUrl: z.string(),
        liveViewUrl: z.string(),
        streamWebView: z.boolean(),
        createdAt: z.string(),
        lastActivity: z.string(),
      }),
    ),
  }),
  executed: z.looseObject({
    success: z.boolean(),
    stdout: text,
    result: text,
    stderr: text,
    exitCode: whole,
    killed: z.boolean().nullish(),
  }),
  destroyed: z.looseObject({ ...success, sessionDurationMs: whole, creditsBilled: whole }),
  concurrency: z.looseObject({ concurrency: z.int(), maxConcurrency: z.int() }),
  credits: z.looseObject({ data: z.looseObject({ ...used, remainingCredits: z.int() }) }),
  history: z.looseObject({
    ...success,
    periods: z.array(z.looseObject({ startDate: text, endDate: text, creditsUsed: z.int() })),
  }),
  queue: z.looseObject({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: time,
  }),
  v1Document: z.looseObject({
    ...success,
    data: z.looseObject({
      markdown: text,
      html: text,
      rawHtml: text,
      links: texts,
      screenshot: text,
      actions: z
        .looseObject({ screenshots: z.array(z.string()), pdfs: z.array(z.string()) })
        .nullish(),
      changeTracking: z
        .looseObject({ changeStatus: z.string(), visibility: z.string(), diff: record })
        .nullish(),
    }),
  }),
  v1Job: job.extend({ expiresAt: z.iso.datetime({ offset: true }) }),
  v1Map: z.looseObject({ ...success, links: z.array(z.string()) }),
  v1Search: z.looseObject({
    ...success,
    data: z.array(document.extend({ url: text, title: text, description: text })),
  }),
  v1Credits: z.looseObject({ ...success, data: z.looseObject(usedOfOld) }),
} as const;
