// The settings as values: the table of settings.ts, read once at start, frozen, passed down.
// Nothing else reads the environment. Precedence: arguments > environment > default.
import path from "node:path";
import { Secret } from "./settings/secret.ts";
import { SEARCH_PROVIDERS } from "./settings/search-settings.ts";
import { SETTINGS } from "./settings/settings.ts";

type SettingName = keyof typeof SETTINGS;
type Value<N extends SettingName> = Extract<
  ReturnType<(typeof SETTINGS)[N]["read"]>,
  { readonly value: unknown }
>["value"];
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

/** Thrown with all invalid settings in one message, so that a start fails once. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type ConfigArguments = { readonly [N in SettingName]?: string | undefined };

/**
 * Reads all settings. `args` (from the command line, as text) win over `environment`; an empty text
 * counts as not set. Throws ConfigError listing every invalid value by variable.
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
    const reading = setting.read(text);
    const value = "value" in reading ? reading.value : undefined;
    // Without a value, a list is empty and everything else undefined.
    if (text === "") config[name] = Array.isArray(value) ? value : undefined;
    else if ("value" in reading) config[name] = value;
    else faults.push(`${setting.variable}: ${reading.faults.join("; ")}`);
  }
  faults.push(...findSettingConflicts(config as Partial<Config>));
  if (faults.length > 0) throw new ConfigError(`Invalid settings:\n  ${faults.join("\n  ")}`);
  return Object.freeze(config) as Config;
}

export type SettingView = {
  readonly variable: string;
  readonly group: string;
  /** Empty when it is not set; secrets and passwords in addresses are left out. */
  readonly value: string;
  readonly source: "default" | "environment" | "command line";
  readonly doc: string;
};

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A value as people may see it: secrets say only that they are there. */
function showValue(value: unknown): string {
  if (value === undefined) return "";
  if (value instanceof Secret) return "(secret)";
  if (Array.isArray(value)) return value.map(showValue).join(",");
  return String(value as string | number | boolean).replaceAll(/(:\/\/)[^@/]*@/g, "$1…@");
}

/** Every setting of `config`, and where its value comes from. */
export function describeSettings(
  config: Config,
  environment: NodeJS.ProcessEnv = process.env,
): SettingView[] {
  return Object.entries(SETTINGS).map(([name, setting]) => {
    const { variable, group, doc, fallback } = setting;
    const value = config[name as SettingName];
    const readValue = (text: string): unknown => {
      const reading = setting.read(text);
      return text === "" || !("value" in reading) ? undefined : reading.value;
    };
    const given = environment[variable] ?? "";
    const isOfEnvironment =
      given !== "" && (value instanceof Secret || isSame(readValue(given), value));
    const isDefault =
      given === "" && (isSame(readValue(fallback), value) || showValue(value) === "");
    const source = isOfEnvironment ? "environment" : isDefault ? "default" : "command line";
    return { variable, group, value: showValue(value), source, doc };
  });
}

/** Variables that look like settings but are unknown, such as misspelled ones. */
export function findUnknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  return Object.keys(environment).filter((name) => name.startsWith("QUARRY_") && !known.has(name));
}

/** The folders of the PATH, as the system writes them. */
export const readSearchPath = (environment: NodeJS.ProcessEnv = process.env): string =>
  environment["PATH"] ?? "";

/** Where programs of this user store settings: XDG_CONFIG_HOME and APPDATA. */
export const readFolderSettings = (
  environment: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string | undefined>> => ({
  XDG_CONFIG_HOME: environment["XDG_CONFIG_HOME"],
  APPDATA: environment["APPDATA"],
});

/** The system's cache folder of this user; undefined for a user without a home. */
export function readCacheFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const given = environment["XDG_CACHE_HOME"] ?? "";
  // XDG Base Directory Specification: relative paths are ignored.
  if (path.isAbsolute(given)) return given;
  if (platform === "win32") return environment["LOCALAPPDATA"];
  const home = environment["HOME"] ?? "";
  if (!path.isAbsolute(home)) return undefined;
  return path.join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
}

/** True if a build server runs the command. All common ones set CI. */
export const isUnattended = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  !["", "0", "false"].includes(environment["CI"] ?? "");

/** True if npm runs the command (npx, npm start); then the program may not be on the PATH. */
export const isRunByNpm = (environment: NodeJS.ProcessEnv = process.env): boolean =>
  (environment["npm_command"] ?? environment["npm_lifecycle_event"] ?? "") !== "";

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/** Valid settings that conflict with each other, with their variables. */
export function findSettingConflicts({
  auth,
  host,
  role,
  databaseUrl,
  databaseReplica,
  searchProvider,
  searchUrl,
  searchApiKey,
}: Partial<Config>): string[] {
  const faults: string[] = [];
  if (auth === false && host !== undefined && !LOOPBACK.has(host))
    faults.push(
      `QUARRY_HOST: a server without API keys listens on loopback only, not on ${host}. Set it to 127.0.0.1 or leave QUARRY_AUTH on.`,
    );
  if (role !== undefined && role !== "all" && databaseUrl === undefined)
    faults.push(
      `QUARRY_ROLE: ${role} is one of several processes that share PostgreSQL: set DATABASE_URL, or use the role all.`,
    );
  if (databaseReplica !== undefined && databaseUrl === undefined)
    faults.push("QUARRY_DATABASE_REPLICA: a replica needs its primary: set DATABASE_URL.");
  const needed = searchProvider && SEARCH_PROVIDERS[searchProvider].needs;
  if (needed === "searchUrl" && searchUrl === undefined)
    faults.push(
      `QUARRY_SEARCH_PROVIDER: ${searchProvider} needs its address: set QUARRY_SEARCH_URL.`,
    );
  if (needed === "searchApiKey" && searchApiKey === undefined)
    faults.push(
      `QUARRY_SEARCH_PROVIDER: ${searchProvider} needs a key: set QUARRY_SEARCH_API_KEY.`,
    );
  return faults;
}

/** Settings for tests: nothing from the environment, overridden by typed values. */
export function createTestConfig(overrides: Partial<Config> = {}): Config {
  return Object.freeze({ ...loadConfig({}, {}), logLevel: "silent", ...overrides }) as Config;
}
