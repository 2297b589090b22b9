// Selects the server of a command: the one named, or the one running on the data folder, or none.
// Without a server the service is built inside this process. It is loaded only then, so that a
// command to a running server starts fast.
import path from "node:path";
import { QuarryClient, type QuarryClientOptions } from "../../client/client.ts";
import type { Fetch } from "../../client/transport.ts";
import type { Config } from "../config.ts";
import { RequestError } from "../errors.ts";
import { makesDatabase } from "../store/database/data-folder.ts";
import { loadKeyFile } from "../store/database/key-file.ts";
import { findServer } from "../store/database/server-file.ts";

export type ServerChoice = { readonly apiUrl?: string; readonly apiKey?: string };

export type Connection = AsyncDisposable & {
  readonly client: QuarryClient;
  /** The source of the answer, for people. */
  readonly where: string;
};

/** `wrap` may add headers or inspect responses. The caller disposes of the connection. */
export async function connect(
  config: Config,
  choice: ServerChoice,
  wrap: (fetch: Fetch) => Fetch,
): Promise<Connection> {
  const running = choice.apiUrl === undefined ? await findServer(config) : undefined;
  const apiUrl = choice.apiUrl ?? running?.url;
  if (apiUrl !== undefined) {
    const apiKey =
      choice.apiKey ??
      config.apiKey?.reveal() ??
      (running === undefined ? undefined : await loadKeyFile(config));
    const fetch = wrap((url, init) => globalThis.fetch(url, init));
    return {
      client: createClient({ apiUrl, apiKey, fetch }),
      where: apiUrl,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  const { createApp } = await import("../app.ts");
  const { createInsideFetch } = await import("../http/inside-fetch.ts");
  const { createLogger } = await import("../logger.ts");
  const app = await createApp(config, { keeps: false, log: createLogger("fatal") });
  await app.server.ready();
  return {
    client: new QuarryClient({ fetch: wrap(createInsideFetch(app.server)) }),
    where: "this process",
    [Symbol.asyncDispose]: () => app.close(),
  };
}

export type JobConnection = AsyncDisposable & {
  readonly client: QuarryClient;
  /** The service runs in this process. */
  readonly isOwn: boolean;
};

/**
 * Like `connect`, for work that is stored: without a server on the data folder the whole service
 * runs in this process, and other commands find it there.
 */
export async function connectToJobs(config: Config, choice: ServerChoice): Promise<JobConnection> {
  const isThere = choice.apiUrl !== undefined || (await findServer(config)) !== undefined;
  if (isThere) {
    const { client } = await connect(config, choice, (fetch) => fetch);
    return { client, isOwn: false, [Symbol.asyncDispose]: async () => undefined };
  }
  if (makesDatabase(config))
    process.stderr.write("Creating a new database; this takes a few seconds.\n");
  const own: Config = { ...config, host: "127.0.0.1", port: 0, role: "all" };
  const { createApp } = await import("../app.ts");
  const { createLogger } = await import("../logger.ts");
  // Most commands read stored data; a crawl starts its threads with its first large page.
  const app = await createApp(own, { log: createLogger("fatal"), warms: false });
  try {
    const url = await app.listen();
    const first = await app.open();
    if (first !== undefined)
      process.stderr.write(`Created an API key; it is in ${path.join(config.dataDir, "key")}.\n`);
    const apiKey = config.auth
      ? (choice.apiKey ?? config.apiKey?.reveal() ?? (await loadKeyFile(config)))
      : undefined;
    return {
      client: createClient({ apiUrl: url, apiKey }),
      isOwn: true,
      [Symbol.asyncDispose]: () => app.close(),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

function createClient(options: QuarryClientOptions): QuarryClient {
  try {
    return new QuarryClient(options);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // The client's messages name its own parameters; the command line has other names.
    const text = error.message
      .replace(/^apiUrl/, "--api-url")
      .replace(/^apiKey/, "The API key (--api-key, QUARRY_API_KEY or the key file)");
    throw new RequestError("BAD_REQUEST", text, { cause: error });
  }
}
