// One SQL dialect on two engines: PostgreSQL when DATABASE_URL is set, otherwise the embedded database in the data
// folder. What either engine throws is translated in database-errors.ts and nowhere else.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Config } from "../config.ts";
import type { Logger } from "../log.ts";
import { lockFolder } from "./lock-file.ts";
import { migrate } from "./migrate.ts";
import type { Database } from "./schema.ts";

export type { Database } from "./schema.ts";

/**
 * Opens the database and brings it to the newest migration. The embedded one lives in `${dataDir}/database` under an
 * exclusive lock of the data folder. Whoever opens it closes it.
 */
export async function openDatabase(config: Config, log: Logger): Promise<Database> {
  const started = performance.now();
  const database =
    config.databaseUrl === undefined
      ? await openLocked(config.dataDir)
      : await openServer(config.databaseUrl.reveal(), config.databasePool, log);
  try {
    const { applied } = await migrate(database.kysely);
    log.debug(
      { kind: database.kind, applied, ms: Math.round(performance.now() - started) },
      "database open",
    );
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

// The engines are loaded on demand: a user of one never pays for the other.

async function openServer(url: string, connections: number, log: Logger): Promise<Database> {
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(url, connections, log);
}

/**
 * Makes a new database in a process of its own, under another name until it is whole: a start that is killed midway leaves
 * nothing that looks like a database. If it fails, opening the folder here makes one, or says what is wrong.
 */
async function makeEmbedded(folder: string): Promise<void> {
  const partial = `${folder}.new`;
  await rm(partial, { recursive: true, force: true });
  const setup = fileURLToPath(new URL("./embedded-setup.ts", import.meta.url));
  const child = spawn(process.execPath, [setup, partial], { stdio: "ignore" });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("error", () => resolve(null)).once("close", resolve);
  if ((await promise) === 0) await rename(partial, folder);
}

async function openLocked(dataDir: string): Promise<Database> {
  const folder = path.resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(folder);
  try {
    const place = path.join(folder, "database");
    if (!existsSync(place)) await makeEmbedded(place);
    const { openEmbedded } = await import("./pglite.ts");
    const embedded = await openEmbedded(place);
    return {
      kysely: embedded.kysely,
      kind: embedded.kind,
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
