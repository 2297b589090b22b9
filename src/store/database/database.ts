// One SQL dialect on two engines: PostgreSQL when DATABASE_URL is set, otherwise the embedded
// database in the data folder. database-errors.ts translates the errors of both.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../../config.ts";
import type { Logger } from "../../logger.ts";
import { LimitError } from "../../errors.ts";
import { getDatabaseFolder, runInDataFolder, makeFolder } from "./data-folder.ts";
import { lockFolder } from "./lock-file.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";
import { hasTemplate, unpackTemplate } from "./template.ts";

export type { Database } from "./schema.ts";

/**
 * Opens the database and migrates it. The embedded one is in `${dataDir}/database` under an
 * exclusive lock of the data folder. The caller closes it. `signal` aborts the creation of a new
 * one and leaves nothing.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
): Promise<Database> {
  const started = performance.now();
  const database = await openUnmigrated(config, log, signal);
  try {
    const { applied } = await migrate(database.kysely);
    log.debug(
      { kind: database.kind, applied, ms: Math.round(performance.now() - started) },
      "database open",
    );
  } catch (error) {
    await database.close();
    throw config.databaseUrl === undefined
      ? error
      : addServerName(error, config.databaseUrl.reveal());
  }
  return database;
}

/** Opens the database like `openDatabase` and leaves its tables as they are. */
export async function openUnmigrated(
  config: Config,
  log: Logger,
  signal?: AbortSignal,
): Promise<Database> {
  return config.databaseUrl === undefined
    ? await openLocked(config, log, signal)
    : await openServer(config.databaseUrl.reveal(), config.databasePool, log);
}

/** Names the server in the error when a database does not answer, never the password. */
function addServerName(error: unknown, url: string): unknown {
  if (!(error instanceof LimitError)) return error;
  const address = URL.parse(url);
  const place =
    address === null || address.hostname === ""
      ? "of DATABASE_URL"
      : `at ${address.hostname}:${address.port || "5432"} (DATABASE_URL)`;
  const { code, message } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return new LimitError(
    "UNAVAILABLE",
    `The database ${place} cannot be reached: ${code ?? message ?? "it does not answer"}.`,
    { cause: error, retryAfterMs: 1_000 },
  );
}

// The engines are loaded on demand: users of one do not pay for the other.

async function openServer(url: string, connections: number, log: Logger): Promise<Database> {
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(url, connections, log);
}

/** Options of Node with which the child needs some 50 MB less. */
const LOW_MEMORY_OPTIONS = ["--max-semi-space-size=1", "--max-old-space-size=100"];

/**
 * Copies the package's new database, or creates one in a child process, under a temporary name, so that a killed start leaves
 * no half-made database. If it fails, opening the folder creates one or reports the error. If it
 * was interrupted, nothing is created.
 */
async function makeEmbedded(folder: string, signal: AbortSignal | undefined): Promise<void> {
  const createInterruptedError = (): LimitError =>
    new LimitError("UNAVAILABLE", "The server stopped before its database was created.");
  const isInterrupted = (): boolean => signal?.aborted === true;
  const partial = `${folder}.new`;
  await rm(partial, { recursive: true, force: true });
  if (isInterrupted()) throw createInterruptedError();
  if (hasTemplate()) {
    unpackTemplate(partial);
    return await rename(partial, folder);
  }
  const setup = fileURLToPath(new URL("./embedded-setup.ts", import.meta.url));
  const child = spawn(process.execPath, [...LOW_MEMORY_OPTIONS, setup, partial], {
    stdio: "ignore",
  });
  const { promise, resolve } = Promise.withResolvers<number | NodeJS.Signals | null>();
  child
    .once("error", () => resolve(null))
    .once("close", (code, endedBy) => resolve(endedBy ?? code));
  const end = (): void => void child.kill();
  signal?.addEventListener("abort", end);
  const outcome = await promise;
  signal?.removeEventListener("abort", end);
  if (outcome === 0) return await rename(partial, folder);
  await rm(partial, { recursive: true, force: true });
  // A terminal sends Ctrl-C to both processes, so the child may end first.
  if (isInterrupted() || outcome === "SIGINT" || outcome === "SIGTERM")
    throw createInterruptedError();
  // This process would need as much memory as the child, and would be killed next.
  if (outcome === "SIGKILL")
    throw new LimitError(
      "UNAVAILABLE",
      "The process that creates the database was killed, probably because memory ran out: the first start takes 650 MB. Give it more memory, or set DATABASE_URL.",
    );
}

async function openLocked(
  config: Config,
  log: Logger,
  signal: AbortSignal | undefined,
): Promise<Database> {
  const folder = path.resolve(config.dataDir);
  const lock = await runInDataFolder(config, async () => {
    await makeFolder(folder);
    return await lockFolder(folder);
  });
  try {
    const place = getDatabaseFolder(config);
    if (!existsSync(place)) await runInDataFolder(config, () => makeEmbedded(place, signal));
    const { openEmbedded } = await import("./pglite.ts");
    const embedded = await openEmbedded(place, log);
    return {
      kysely: embedded.kysely,
      kind: embedded.kind,
      copyTo: (target) => embedded.copyTo(target),
      async close() {
        try {
          await embedded.close();
        } finally {
          await lock.release();
        }
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
