// Commands on a server's whole data: backup, restore, move, export, clean-up, migrations.
import { readFile, rm } from "node:fs/promises";
import type { Config } from "../../config.ts";
import { RequestError } from "../../errors.ts";
import type { GcReport } from "../../http/admin/admin-data.ts";
import { createLogger } from "../../logger.ts";
import { exportAccount as writeExport } from "../../store/backup/export-account.ts";
import { restoreBackup, writeBackup, type BackupReport } from "../../store/backup/backup.ts";
import { moveStore } from "../../store/backup/move.ts";
import { openBlobs } from "../../store/blobs/open-blobs.ts";
import type { BlobStore } from "../../store/blobs/blobs.ts";
import { openUnmigrated } from "../../store/database/database.ts";
import { migrate, MIGRATIONS, readAppliedNumber } from "../../store/database/migrate.ts";
import type { Database } from "../../store/database/schema.ts";
import { findServer } from "../../store/database/server-file.ts";
import { askAdmin } from "./ask-admin.ts";
import { describeMove } from "./describe-move.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { formatPlural } from "../jobs/progress.ts";
import { withSpinner } from "../terminal/spinner.ts";

type Options = { readonly json?: boolean };
export type SecretOptions = Options & { readonly passphraseFile?: string };
export type MoveOptions = Options & { readonly to: string; readonly blobs?: string };
export type ExportOptions = Options & { readonly account: string };
export type MigrateOptions = Options & { readonly check?: boolean };

type Source = { readonly database: Database; readonly blobs: BlobStore };

const askServer = (server: { url: string; adminToken: string }) =>
  askAdmin((url, init) => fetch(url, init), server.url, server.adminToken);

/**
 * Opens the data for reading. A server that runs on the embedded database makes a consistent copy of it first, and works on
 * meanwhile. PostgreSQL is read in one snapshot.
 */
async function withSource<T>(config: Config, work: (source: Source) => Promise<T>): Promise<T> {
  const log = createLogger("warn");
  const server = config.databaseUrl === undefined ? await findServer(config) : undefined;
  const blobs = await openBlobs(config);
  let copy: string | undefined;
  try {
    if (server !== undefined) {
      const ask = askServer(server);
      copy = ((await ask("POST", "/admin/snapshot")) as { folder: string }).folder;
    }
    const database =
      copy === undefined
        ? await openUnmigrated(config, log)
        : await (await import("../../store/database/pglite.ts")).openEmbedded(copy, log);
    try {
      return await work({ database, blobs });
    } finally {
      await database.close();
    }
  } finally {
    await blobs.close();
    if (copy !== undefined) await rm(copy, { recursive: true, force: true });
  }
}

async function readPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const text = (await readFile(file, "utf8")).replace(/\r?\n$/, "");
  if (text.length < 8)
    throw new RequestError("BAD_REQUEST", `${file}: the passphrase needs 8 characters or more.`);
  return text;
}

function print(report: object, json: boolean | undefined, lines: readonly string[]): void {
  if (json === true) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else process.stdout.write(`${lines.join("\n")}\n`);
}

const describeBackup = ({ rows, tables, blobs }: BackupReport): string =>
  `${formatPlural(rows, "row")} of ${formatPlural(Object.keys(tables).length, "table")}, ${formatPlural(blobs, "blob")}`;

/** `quarry backup FILE` */
export async function backup(config: Config, file: string, options: SecretOptions): Promise<void> {
  const passphrase = await readPassphrase(options.passphraseFile);
  const report = await withSpinner(process.stderr, "Writing the backup", async () =>
    withSource(
      config,
      async (source) => await writeBackup(file, { ...source, config, passphrase }),
    ),
  );
  print({ file, ...report }, options.json, [
    `${file}: ${describeBackup(report)}.`,
    ...(report.hasSecrets
      ? []
      : [
          "The key of saved profiles and webhook secrets is not in it: keep QUARRY_SECRET, or the file secret of the data folder, or use --passphrase-file.",
        ]),
  ]);
}

/** `quarry restore FILE` */
export async function restore(config: Config, file: string, options: SecretOptions): Promise<void> {
  const passphrase = await readPassphrase(options.passphraseFile);
  await refuseRunning(config, "restore");
  const blobs = await openBlobs(config);
  const database = await openUnmigrated(config, createLogger("warn"));
  try {
    const report = await withSpinner(
      process.stderr,
      "Restoring the backup",
      async () => await restoreBackup(file, { config, database, blobs, passphrase }),
    );
    print({ file, ...report }, options.json, [
      `Restored ${describeBackup(report)}; the counts equal those of the backup.`,
    ]);
  } finally {
    await database.close();
    await blobs.close();
  }
}

async function refuseRunning(config: Config, command: string): Promise<void> {
  const server = config.databaseUrl === undefined ? await findServer(config) : undefined;
  if (server !== undefined)
    throw new RequestError(
      "CONFLICT",
      `Process ${server.pid} runs on this data folder: stop it before ${command}.`,
    );
}

/** `quarry move --to URL` */
export async function move(config: Config, options: MoveOptions): Promise<void> {
  if (config.databaseUrl !== undefined)
    throw new RequestError(
      "BAD_REQUEST",
      "DATABASE_URL is set: quarry move copies the embedded database of the data folder. Unset it.",
    );
  if (!/^postgres(?:ql)?:\/\//.test(options.to))
    throw new RequestError(
      "BAD_REQUEST",
      "--to must be a URL such as postgresql://user@host/database.",
    );
  await refuseRunning(config, "move");
  const log = createLogger("warn");
  const { openPostgres } = await import("../../store/database/postgres.ts");
  const target = openPostgres(options.to, 2, log);
  const blobs =
    options.blobs === undefined ? undefined : await openBlobs({ ...config, blobs: options.blobs });
  try {
    const counts = await withSpinner(process.stderr, "Copying", async () =>
      withSource(
        config,
        async (from) => await moveStore({ from, to: { database: target, blobs } }),
      ),
    );
    const rows = Object.values(counts.tables).reduce((total, count) => total + count, 0);
    const report = { rows, ...counts };
    print(report, options.json, describeMove(report, { movesBlobs: blobs !== undefined }));
  } finally {
    await target.close();
    await blobs?.close();
  }
}

/** `quarry export FILE --account ACCOUNT` */
export async function exportAccount(
  config: Config,
  file: string,
  { account, json }: ExportOptions,
): Promise<void> {
  const report = await withSpinner(process.stderr, "Exporting the account", async () =>
    withSource(config, async (source) => await writeExport(file, account, source)),
  );
  print({ file, ...report }, json, [
    `${file}: ${formatPlural(report.rows, "row")} of ${formatPlural(Object.keys(report.tables).length, "table")}, ${formatPlural(report.blobs, "file")}, without secrets.`,
  ]);
}

/** `quarry gc` */
export async function collectGarbage(config: Config, { json }: Options): Promise<void> {
  const server = await findServer(config);
  const report = await withSpinner(process.stderr, "Cleaning up", async () => {
    if (server !== undefined) return (await askServer(server)("POST", "/admin/gc")) as GcReport;
    const { openStore } = await import("../../store/store.ts");
    const store = await openStore(config, createLogger("warn"));
    try {
      return await store.collectGarbage();
    } finally {
      await store.close();
    }
  });
  const freed = Math.max(0, report.databaseBytesBefore - report.databaseBytes);
  print(report, json, [
    `Removed ${formatPlural(report.jobs, "job")}, ${formatPlural(report.scrapes, "scrape")}, ${formatPlural(report.captures, "cached page")} and ${formatPlural(report.blobs, "blob")}.`,
    `Database: ${Math.ceil(report.databaseBytes / 1e6)} MB, ${Math.ceil(freed / 1e6)} MB freed.`,
  ]);
}

/** `quarry migrate` */
export async function migrateDatabase(config: Config, options: MigrateOptions): Promise<void> {
  const report = await withSource(config, async ({ database }) => {
    const number = await readAppliedNumber(database.kysely);
    const newest = MIGRATIONS.at(-1)?.number ?? 0;
    const pending = MIGRATIONS.filter((each) => each.number > number).map((each) => ({
      number: each.number,
      name: each.name,
    }));
    const isNewer = number > newest;
    const { applied } =
      options.check === true || isNewer ? { applied: [] } : await migrate(database.kysely);
    return { number, newest, isNewer, pending, applied };
  });
  const { number, newest, isNewer, pending, applied } = report;
  if (isNewer || (options.check === true && pending.length > 0)) process.exitCode = EXIT.failed;
  print(report, options.json, [
    isNewer
      ? `The database is at migration ${number}, this program knows ${newest}: run the newer version, or restore a backup from before the upgrade.`
      : pending.length === 0
        ? `The database is at migration ${number}, the newest.`
        : `The database is at migration ${number}. ${applied.length > 0 ? "Applied" : "Pending"}: ${pending.map((each) => `${each.number} ${each.name}`).join(", ")}.`,
  ]);
}
