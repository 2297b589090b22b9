// The service for tests over HTTP: built in this process with its own data folder, or any server
// that implements the contract when BASE_URL (and API_KEY) name one. The caller closes it.
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { inject } from "vitest";
import { QuarryClient } from "../client/client.ts";
import { createApp, type App, type AppOptions } from "../src/app.ts";
import { createTestConfig, type Config } from "../src/config.ts";
import type { Document } from "../src/contract/page/document.ts";
import { createFormatPool, type FormatPool } from "../src/formats/threads/pool.ts";
import { createLogger } from "../src/logger.ts";
import { testBrowserExecutable } from "./browser/launch.ts";
import { createDataFolder } from "./data-folder.ts";
import type { Site } from "./site/site.ts";

const remoteUrl = inject("remoteUrl");

/** True when the server is in another process; tests of internals are skipped then. */
export const isRemote = remoteUrl !== "";

export type Body = {
  readonly success?: boolean;
  readonly error?: string;
  readonly code?: string;
  readonly details?: readonly {
    readonly code: string;
    readonly path: readonly (string | number)[];
    readonly message: string;
    readonly keys?: readonly string[];
  }[];
  readonly data?: Document;
} & Readonly<Record<string, unknown>>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The decoded JSON; an empty object for other bodies. */
  readonly body: Body;
};

export type Ask = {
  readonly method?: string;
  /** An object is sent as JSON, text unchanged. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the service's key; null sends none. */
  readonly key?: string | null;
  readonly signal?: AbortSignal;
};

export type Service = {
  readonly url: string;
  readonly key: string;
  readonly client: QuarryClient;
  readonly ask: (path: string, ask?: Ask) => Promise<Answer>;
  /** POST /v2/scrape with this body. */
  readonly scrape: (body: object, ask?: Ask) => Promise<Answer>;
  /** The document of a scrape that must succeed. */
  readonly page: (body: object) => Promise<Document>;
  /** Calls /admin with the process's token. */
  readonly admin: (method: string, path: string, body?: object) => Promise<Answer>;
  /** Creates a key with these limits in the caller's account. */
  readonly createKey: (limits?: Readonly<Record<string, number>>) => Promise<NewKey>;
  /** The app itself; throws when the server is remote. */
  readonly app: App;
  readonly dataDir: string;
  /** Everything logged so far, one JSON object per line. */
  readonly log: () => string;
  /** Stops the server and keeps the data folder, which `close` also removes. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type NewKey = { readonly id: string; readonly key: string };

/** The site's servers as entries of QUARRY_EGRESS_ALLOW. */
export function siteHosts(site: Site): string[] {
  return [site.url, site.secureUrl, site.expiredUrl].map((url) => new URL(url).host);
}

/**
 * Starts the service with the fixture site on its allow-list. `overrides` require an in-process
 * service. `warms` starts its conversion threads, for tests whose first page has a short timeout;
 * most tests serve small pages, which need no thread.
 */
export async function startService(
  site: Site | undefined,
  overrides: Partial<Config> = {},
  { warms = false }: Pick<AppOptions, "warms"> = {},
): Promise<Service> {
  if (isRemote && Object.keys(overrides).length === 0) {
    return describeService(remoteUrl, process.env["API_KEY"] ?? "", {});
  }
  const temporary = overrides.dataDir === undefined ? await createDataFolder() : undefined;
  const lines: string[] = [];
  const log = createLogger("trace", { write: (line) => void lines.push(line) });
  const config = createTestConfig({
    host: "127.0.0.1",
    port: 0,
    dataDir: temporary ?? overrides.dataDir ?? "",
    egressAllow: site === undefined ? [] : siteHosts(site),
    workerThreads: 1,
    shutdownMs: 2_000,
    // Unpacked once for all tests, not in each data folder.
    browser: await testBrowserExecutable(),
    ...overrides,
  });
  const threads = shareThreads(config, overrides);
  const app = await createApp(config, { log, warms, ...(threads !== undefined && { threads }) });
  try {
    const url = await app.listen();
    const first = await app.open();
    if (warms) await app.warm();
    const key = first?.key ?? config.apiKey?.reveal() ?? "";
    return describeService(url, key, { app, temporary, dataDir: config.dataDir, lines });
  } catch (error) {
    await app.close();
    throw error;
  }
}

let sharedThreads: FormatPool | undefined;

/**
 * The conversion threads of this process, which end with it: their code is loaded and compiled once
 * for all services. Undefined for a service with its own number of threads or memory limit.
 */
function shareThreads(config: Config, overrides: Partial<Config>): FormatPool | undefined {
  if (overrides.workerThreads !== undefined || overrides.workerMemoryMiB !== undefined)
    return undefined;
  return (sharedThreads ??= createFormatPool({
    threads: config.workerThreads,
    memoryMiB: config.workerMemoryMiB,
  }));
}

let shared: Promise<Service> | undefined;

/**
 * The service of this process, with default settings and all ports of 127.0.0.1 and localhost
 * allowed, started once for all files that take it. The caller gets an account of its own, so it
 * sees no jobs, cached pages and credits of others. It ends with the process; `close` does nothing.
 */
export async function shareService(): Promise<Service> {
  if (isRemote) return startService(undefined);
  shared ??= startService(undefined, { egressAllow: ["127.0.0.1", "localhost"] }, { warms: true });
  const { url, app, dataDir } = await shared;
  const inside: Inside = { app, dataDir, account: `test ${randomUUID()}` };
  const operator = describeService(url, app.adminToken, inside);
  await operator.admin("POST", "/admin/accounts", { name: inside.account });
  return describeService(url, (await operator.createKey()).key, inside);
}

type Inside = {
  readonly app?: App;
  /** The name of the caller's account in a service that others use as well. */
  readonly account?: string;
  /** Removed at close; undefined for a given folder. */
  readonly temporary?: string | undefined;
  readonly dataDir?: string;
  readonly lines?: readonly string[];
};

function describeService(url: string, key: string, inside: Inside): Service {
  const ask: Service["ask"] = (target, options = {}) => send(`${url}${target}`, key, options);
  const scrape: Service["scrape"] = (body, options) =>
    ask("/v2/scrape", { ...options, method: "POST", body });
  const app = (): App => {
    if (inside.app === undefined) throw new Error("This server is not in the test's process.");
    return inside.app;
  };
  const admin: Service["admin"] = (method, target, body) =>
    ask(target, { method, key: app().adminToken, ...(body === undefined ? {} : { body }) });
  const stop = async (): Promise<void> => {
    if (inside.account === undefined) await inside.app?.close();
  };
  return {
    url,
    key,
    client: new QuarryClient({ apiUrl: url, apiKey: key, retries: 0 }),
    ask,
    scrape,
    page: async (body) => {
      const { status, text, body: answer } = await scrape(body);
      if (status !== 200 || answer.data === undefined)
        throw new Error(`The scrape failed with ${status}: ${text}`);
      return answer.data;
    },
    admin,
    createKey: async (limits = {}) => {
      const { body, text } = await admin("POST", "/admin/keys", {
        name: `test ${randomUUID()}`,
        ...(inside.account === undefined ? {} : { account: inside.account }),
        ...limits,
      });
      const made = body.data as NewKey | undefined;
      if (made === undefined) throw new Error(`No key was made: ${text}`);
      return { id: made.id, key: made.key };
    },
    get app() {
      return app();
    },
    dataDir: inside.dataDir ?? "",
    log: () => {
      if (inside.account !== undefined)
        throw new Error("A shared service logs for other files too.");
      return (inside.lines ?? []).join("");
    },
    stop,
    close: async () => {
      await stop();
      if (inside.temporary !== undefined)
        await rm(inside.temporary, { recursive: true, force: true });
    },
  };
}

async function send(address: string, serviceKey: string, ask: Ask): Promise<Answer> {
  const { body } = ask;
  const key = ask.key === undefined ? serviceKey : ask.key;
  const response = await fetch(address, {
    method: ask.method ?? "GET",
    redirect: "manual",
    headers: {
      ...(key === null || key === "" ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...ask.headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: decode(text) };
}

function decode(text: string): Body {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? (value as Body) : {};
  } catch {
    return {};
  }
}
