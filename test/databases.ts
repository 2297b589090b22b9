import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { CompiledQuery } from "kysely";
import { describe, inject } from "vitest";
import { createTestConfig, type Config } from "../src/config.ts";
import { Secret } from "../src/settings/secret.ts";
import type { Database } from "../src/store/database/schema.ts";
import { fillDataFolder } from "./data-folder.ts";

const folders: string[] = [];

/** Removes the folders that the tests of a file created; test/folders-setup.ts calls it after each file. */
export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

/** A data folder that is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-store-"));
  folders.push(folder);
  return folder;
}

/** The same with a new embedded database. */
export async function temporaryDataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  fillDataFolder(folder);
  return folder;
}

/** Runs a suite on the embedded database and on PostgreSQL; `configure` builds the settings. */
export function describeDatabases(
  suite: string,
  tests: (configure: (overrides?: Partial<Config>) => Promise<Config>) => void,
): void {
  describe(`${suite} on PGlite`, () => {
    tests(async (overrides = {}) =>
      createTestConfig({ dataDir: await temporaryDataFolder(), ...overrides }),
    );
  });
  const urls = inject("postgresUrls");
  const url = urls[suite];
  // A suite that was renamed would be skipped in silence.
  if (url === undefined && Object.keys(urls).length > 0)
    throw new Error(`"${suite}" has no database: add it to SUITES in test/postgres-setup.ts.`);
  describe.skipIf(url === undefined)(`${suite} on PostgreSQL`, () => {
    tests(async (overrides = {}) =>
      createTestConfig({
        dataDir: await temporaryFolder(),
        databaseUrl: new Secret(url ?? ""),
        ...overrides,
      }),
    );
  });
}

/** Runs raw text on the database; returns the rows. */
export async function runText(
  { kysely }: Pick<Database, "kysely">,
  text: string,
  values: readonly unknown[] = [],
): Promise<unknown[]> {
  return (await kysely.executeQuery(CompiledQuery.raw(text, [...values]))).rows;
}
