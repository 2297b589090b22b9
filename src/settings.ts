// Every setting of the service: one table. Read once at start (config.ts), frozen, handed down. `.env.example` and
// docs/reference/configuration.md are generated from it.
import { z } from "zod";

/** A value that must not be printed: shows as *** in logs, JSON and templates. */
export class Secret {
  readonly #value: string;
  constructor(value: string) {
    this.#value = value;
  }
  reveal(): string {
    return this.#value;
  }
  toString(): string {
    return "***";
  }
  toJSON(): string {
    return "***";
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "***";
  }
}

const list = z.string().transform((value) =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);
/** A list whose every entry must pass `fault`, which says what is wrong with it. */
const checkedList = (fault: (entry: string) => string | undefined) =>
  list.superRefine((entries, context) => {
    for (const entry of entries) {
      const message = fault(entry);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    }
  });
const flag = z
  .enum(["true", "false", "1", "0"], {
    error: ({ input }) => `must be true or false, not "${String(input)}"`,
  })
  .transform((value) => value === "true" || value === "1");
const choice = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, {
    error: ({ input }) => `must be one of ${values.join(", ")}, not "${String(input)}"`,
  });
const whole = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\s*\d+\s*$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: ({ input }) => `must be a whole number from ${min} to ${max}, not "${String(input)}"`,
    })
    .transform(Number);
const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

const HTTP_ADDRESS = "must be an http:// or https:// address";

/** What can be said of an entry of the allow-list by its looks; src/egress/policy.ts reads it. */
function allowFault(entry: string): string | undefined {
  const fault = `"${entry}" is not a host, host:port, *.domain, address or CIDR`;
  const match = /^(\[[^[\]]+\]|[^/:]+|[^/[\]]*:[^/[\]]*:[^/[\]]*)(?:\/(\d{1,3}))?(?::(\d+))?$/.exec(
    entry,
  );
  const host = match?.[1] ?? "";
  if (match === null || /[\s@?#\\]|^$/.test(host) || host.slice(1).includes("*")) return fault;
  if (host.startsWith("*") && !host.startsWith("*.")) return fault;
  if (Number(match[2] ?? 0) > (host.includes(":") ? 128 : 32)) return fault;
  return Number(match[3] ?? 0) > 65_535 ? `the port of "${entry}" is above 65535` : undefined;
}

/** Does not repeat the entry, which may hold a password. */
function proxyFault(entry: string): string | undefined {
  const url = URL.parse(entry.includes("://") ? entry : `http://${entry}`);
  return url !== null && /^(https?|socks5?h?):$/.test(url.protocol) && url.hostname !== ""
    ? undefined
    : "a proxy must be http://, https://, socks5:// or socks5h://HOST:PORT";
}

const isWebhookUrl = (text: string): boolean =>
  /^https?:$/.test(URL.parse(text.replaceAll("{jobId}", "id"))?.protocol ?? "");

type Row = {
  readonly variable: string;
  readonly schema: z.ZodType;
  readonly fallback: string;
  readonly doc: string;
  readonly group: string;
};
const row = <S extends z.ZodType>(
  group: string,
  variable: string,
  schema: S,
  fallback: string,
  doc: string,
) => ({ group, variable, schema, fallback, doc });

/** "" as fallback means: not set, the value is undefined (or an empty list for lists). */
export const SETTINGS = {
  host: row("server", "QUARRY_HOST", z.string().min(1), "127.0.0.1", "Address the API listens on."),
  port: row(
    "server",
    "QUARRY_PORT",
    whole(0, 65_535),
    "3002",
    "Port the API listens on; 0 picks a free one.",
  ),
  publicUrl: row(
    "server",
    "QUARRY_PUBLIC_URL",
    z.url({ protocol: /^https?$/, error: HTTP_ADDRESS }),
    "",
    "Base of the absolute URLs the server hands out. When not set: scheme and host the caller used, or what X-Forwarded-Proto, -Host and -Prefix say, which is believed for these URLs whoever sends it: only the caller itself sees them.",
  ),
  trustProxy: row(
    "server",
    "QUARRY_TRUST_PROXY",
    flag,
    "false",
    "Take the caller's address and scheme from X-Forwarded-For and -Proto: set it behind a reverse proxy only. The URLs the server hands out do not depend on it, see QUARRY_PUBLIC_URL.",
  ),
  role: row(
    "server",
    "QUARRY_ROLE",
    choice(["all", "api", "worker"]),
    "all",
    "Which part of the service this process runs: api answers requests, worker does the work of jobs, all does both. api and worker need DATABASE_URL.",
  ),
  auth: row(
    "server",
    "QUARRY_AUTH",
    flag,
    "true",
    "Ask for an API key. false binds loopback only and checks Host and Origin.",
  ),
  apiKey: row(
    "server",
    "QUARRY_API_KEY",
    secret,
    "",
    "A key to accept from the start, beside those in the database.",
  ),
  logLevel: row(
    "server",
    "QUARRY_LOG_LEVEL",
    choice(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    "info",
    "Least severe log level that is written.",
  ),
  shutdownMs: row(
    "server",
    "QUARRY_SHUTDOWN_MS",
    whole(0, 600_000),
    "10000",
    "Milliseconds that running requests get to finish at shutdown.",
  ),
  dataDir: row(
    "store",
    "QUARRY_DATA_DIR",
    z.string().min(1),
    "./.quarry",
    "Folder for the database, blobs, lock and key file.",
  ),
  databaseUrl: row(
    "store",
    "DATABASE_URL",
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
      .transform((value) => new Secret(value)),
    "",
    "PostgreSQL 15 or later instead of the embedded database.",
  ),
  databasePool: row(
    "store",
    "QUARRY_DATABASE_POOL",
    whole(1, 200),
    "10",
    "Connections to PostgreSQL per process.",
  ),
  blobs: row(
    "store",
    "QUARRY_BLOBS",
    z.string().regex(/^(file|s3):/, "must start with file: or s3:"),
    "",
    "Where bodies are kept: file:FOLDER, or s3://BUCKET/PREFIX?region=…&endpoint=… (credentials from the AWS variables). Default: blobs in the data folder.",
  ),
  s3AccessKeyId: row(
    "store",
    "AWS_ACCESS_KEY_ID",
    secret,
    "",
    "Access key of the S3-compatible store.",
  ),
  s3SecretAccessKey: row(
    "store",
    "AWS_SECRET_ACCESS_KEY",
    secret,
    "",
    "Secret key of the S3-compatible store.",
  ),
  fileAnswers: row(
    "store",
    "QUARRY_FILE_ANSWERS",
    choice(["url", "data"]),
    "url",
    "How screenshots and PDFs of pages are given: url is a signed link to this server that lives 24 hours, data a data: URL within the answer.",
  ),
  cacheMaxBytes: row(
    "store",
    "QUARRY_CACHE_MAX_BYTES",
    whole(0, 2 ** 50),
    String(10 * 1024 ** 3),
    "Bytes of cached page bodies kept before the oldest go.",
  ),
  resultLifeHours: row(
    "store",
    "QUARRY_RESULT_LIFE_HOURS",
    whole(1, 8_760),
    "24",
    "Hours a scrape result can be read by its id.",
  ),
  egressAllow: row(
    "egress",
    "QUARRY_EGRESS_ALLOW",
    checkedList(allowFault),
    "",
    "Comma-separated hosts, host:port or CIDRs that may be reached although they are private.",
  ),
  egressMetadata: row(
    "egress",
    "QUARRY_EGRESS_ALLOW_METADATA",
    flag,
    "false",
    "Let the allow-list also open cloud metadata addresses.",
  ),
  proxyBasic: row(
    "egress",
    "QUARRY_PROXY_BASIC",
    checkedList(proxyFault),
    "",
    "Upstream proxy URLs for basic requests, comma-separated; a #country=DE tag limits one to a country.",
  ),
  proxyEnhanced: row(
    "egress",
    "QUARRY_PROXY_ENHANCED",
    checkedList(proxyFault),
    "",
    "Upstream proxy URLs for enhanced requests.",
  ),
  userAgent: row(
    "egress",
    "QUARRY_USER_AGENT",
    z.string().min(1).max(500),
    "ServiceAgent/0.1 (+https://github.com/quarry-scrape/quarry)",
    "Outbound User-Agent; its first word is the robots token.",
  ),
  forceTlsVerification: row(
    "egress",
    "QUARRY_FORCE_TLS_VERIFICATION",
    flag,
    "false",
    "Verify certificates whatever the request says.",
  ),
  maxBodyBytes: row(
    "limits",
    "QUARRY_MAX_BODY_BYTES",
    whole(1_024, 2 ** 31),
    String(100 * 1024 * 1024),
    "Bytes of one response after decoding; more is an error.",
  ),
  maxRedirects: row(
    "limits",
    "QUARRY_MAX_REDIRECTS",
    whole(0, 50),
    "10",
    "Redirects followed in one fetch.",
  ),
  maxConcurrency: row(
    "limits",
    "QUARRY_MAX_CONCURRENCY",
    whole(1, 10_000),
    "100",
    "Scrapes in work at once in this process; further ones wait.",
  ),
  crawlConcurrency: row(
    "limits",
    "QUARRY_CRAWL_CONCURRENCY",
    whole(0, 10_000),
    "0",
    "Pages of crawls and batches in work at once in this process; 0 takes 16 per CPU the container may use.",
  ),
  workerThreads: row(
    "limits",
    "QUARRY_WORKER_THREADS",
    whole(0, 256),
    "0",
    "Threads that parse and convert pages; 0 takes one per CPU the container may use.",
  ),
  secret: row(
    "store",
    "QUARRY_SECRET",
    secret,
    "",
    "Seals saved browser profiles; several processes on one database need the same. By default a file `secret` in the data folder.",
  ),
  workerMemoryMiB: row(
    "limits",
    "QUARRY_WORKER_MEMORY_MIB",
    whole(64, 65_536),
    "2048",
    "Heap one of these threads may use; a page that needs more is an error.",
  ),
  documentMemoryMiB: row(
    "limits",
    "QUARRY_DOCUMENT_MEMORY_MIB",
    whole(256, 65_536),
    "1024",
    "Memory a process may use that parses a PDF or an office file; a file that needs more is an error.",
  ),
  ocrLanguages: row(
    "limits",
    "QUARRY_OCR_LANGUAGES",
    checkedList((entry) =>
      /^[A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?$/.test(entry)
        ? undefined
        : `"${entry}" is not a language such as en or zh-TW`,
    ),
    "en",
    "Languages tried when text in pictures is recognised, comma-separated; each but English needs its package @tesseract.js-data/….",
  ),
  model: row(
    "model",
    "QUARRY_MODEL",
    z.string().regex(/^[^/]+\/.+/, "must be provider/model"),
    "",
    "Language model for the formats that need understanding, as provider/model; not used by this version.",
  ),
  modelBaseUrl: row(
    "model",
    "QUARRY_MODEL_BASE_URL",
    z.url({ protocol: /^https?$/, error: HTTP_ADDRESS }),
    "",
    "Address of an OpenAI-compatible server; not used by this version.",
  ),
  modelApiKey: row(
    "model",
    "QUARRY_MODEL_API_KEY",
    secret,
    "",
    "Key for the model provider; not used by this version.",
  ),
  webhookUrl: row(
    "webhooks",
    "QUARRY_WEBHOOK_URL",
    z.string().refine(isWebhookUrl, `${HTTP_ADDRESS}; {jobId} in it stands for the job's id`),
    "",
    "Where the events of jobs go that name no webhook of their own; {jobId} in it stands for the job's id.",
  ),
  webhookSecret: row(
    "webhooks",
    "QUARRY_WEBHOOK_SECRET",
    secret,
    "",
    "Signs every delivery: HMAC-SHA256 of the body, in X-Firecrawl-Signature and X-Quarry-Signature.",
  ),
  browserCdp: row(
    "browser",
    "QUARRY_BROWSER_CDP",
    flag,
    "false",
    "Hand out addresses by which a session's page can be driven over the DevTools protocol, with the commands that stay in the page.",
  ),
  browser: row(
    "browser",
    "QUARRY_BROWSER",
    z.string().min(1),
    "",
    "Path of the Chromium to use, or none for a server without one. When not set: a chromium-headless-shell of the system, else the one that npm brought, else a full Chromium or Chrome.",
  ),
  browserSandbox: row(
    "browser",
    "QUARRY_BROWSER_SANDBOX",
    choice(["auto", "always"]),
    "auto",
    "auto runs Chromium without its own sandbox where the system does not allow one (as root, or without user namespaces); always does not start it there.",
  ),
  browserPages: row(
    "browser",
    "QUARRY_BROWSER_PAGES",
    whole(0, 1_000),
    "0",
    "Pages a browser works on at once in this process; further ones wait. 0 takes two per CPU, and one per 250 MiB of memory at most.",
  ),
} as const satisfies Record<string, Row>;
