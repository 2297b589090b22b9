// Every setting of the service: one table, read once at start, frozen, handed down. Nothing else reads the environment.
// Precedence: arguments > environment > default. `.env.example` and docs/reference/configuration.md are generated from it.
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
const flag = z
  .enum(["true", "false", "1", "0"])
  .transform((value) => value === "true" || value === "1");
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const secret = z
  .string()
  .min(1)
  .transform((value) => new Secret(value));

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
    z.url({ protocol: /^https?$/ }),
    "",
    "Base of the absolute URLs the server hands out; without it they are built from X-Forwarded-* and Host.",
  ),
  trustProxy: row(
    "server",
    "QUARRY_TRUST_PROXY",
    flag,
    "false",
    "Believe X-Forwarded-For, -Proto and -Host: set it behind a reverse proxy.",
  ),
  role: row(
    "server",
    "QUARRY_ROLE",
    z.enum(["all", "api", "worker"]),
    "all",
    "Which part of the service this process runs.",
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
    z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
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
    secret,
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
    list,
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
    list,
    "",
    "Upstream proxy URLs for basic requests, comma-separated; a #country=DE tag limits one to a country.",
  ),
  proxyEnhanced: row(
    "egress",
    "QUARRY_PROXY_ENHANCED",
    list,
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
  workerThreads: row(
    "limits",
    "QUARRY_WORKER_THREADS",
    whole(0, 256),
    "0",
    "Threads that parse and convert pages; 0 takes one per CPU the container may use.",
  ),
  workerMemoryMiB: row(
    "limits",
    "QUARRY_WORKER_MEMORY_MIB",
    whole(64, 65_536),
    "2048",
    "Heap one of these threads may use; a page that needs more is an error.",
  ),
  model: row(
    "model",
    "QUARRY_MODEL",
    z.string().regex(/^[^/]+\/.+/, "must be provider/model"),
    "",
    "Language model for the formats that need understanding, as provider/model.",
  ),
  modelBaseUrl: row(
    "model",
    "QUARRY_MODEL_BASE_URL",
    z.url(),
    "",
    "Address of an OpenAI-compatible server.",
  ),
  modelApiKey: row("model", "QUARRY_MODEL_API_KEY", secret, "", "Key for the model provider."),
  browser: row("browser", "QUARRY_BROWSER", z.string().min(1), "", "Path of a Chromium to use."),
} as const satisfies Record<string, Row>;

type SettingName = keyof typeof SETTINGS;
type Value<N extends SettingName> = z.output<(typeof SETTINGS)[N]["schema"]>;
type OptionalName = {
  [N in SettingName]: (typeof SETTINGS)[N]["fallback"] extends ""
    ? Value<N> extends string[]
      ? never
      : N
    : never;
}[SettingName];

export type Config = { readonly [N in Exclude<SettingName, OptionalName>]: Value<N> } & {
  readonly [N in OptionalName]: Value<N> | undefined;
};

/** Thrown with every fault in one message, so that a start fails once. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type ConfigArguments = { readonly [N in SettingName]?: string | undefined };

/**
 * Reads all settings. `args` (from the command line, as text) win over `environment`; an empty text counts as not set.
 * Throws ConfigError listing every bad value by its variable.
 */
export function loadConfig(
  args: ConfigArguments = {},
  environment: NodeJS.ProcessEnv = process.env,
): Config {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const given = args[name as SettingName] ?? environment[setting.variable];
    const text = given === undefined || given === "" ? setting.fallback : given;
    if (text === "") {
      config[name] = setting.schema === list ? [] : undefined;
      continue;
    }
    const parsed = (setting.schema as z.ZodType).safeParse(text);
    if (parsed.success) config[name] = parsed.data;
    else
      faults.push(
        `${setting.variable}: ${parsed.error.issues.map((issue) => issue.message).join("; ")}`,
      );
  }
  if (faults.length > 0)
    throw new ConfigError(`The settings are not usable:\n  ${faults.join("\n  ")}`);
  return Object.freeze(config) as Config;
}

/** Settings for tests: nothing from the environment, overridden by typed values. */
export function testConfig(overrides: Partial<Config> = {}): Config {
  return Object.freeze({ ...loadConfig({}, {}), logLevel: "silent", ...overrides }) as Config;
}
