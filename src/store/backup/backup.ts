// Backup: all rows and blobs in one file, with the key that opens the encrypted ones. Independent of the engine: a backup of
// the embedded database can be restored into PostgreSQL.
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { InternalError, RequestError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import { packBlob, unpackBytes } from "../blobs/blobs.ts";
import { makeFolder } from "../database/data-folder.ts";
import { migrate, readAppliedNumber } from "../database/migrate.ts";
import type { Database } from "../database/schema.ts";
import { countRows, hasRows, listTables, readRows, withSnapshot, writeRows } from "./table-rows.ts";
import { createTar, openTar, type TarReader, type TarWriter } from "./tar.ts";

const MANIFEST = "manifest.json";
const COUNTS = "counts.json";
const SECRETS = "secrets.sealed";
const TABLES = "tables/";
const BLOBS = "blobs/";
/** The data folder's files that only the passphrase opens: the key of encrypted rows, and the operator's API key. */
const SECRET_FILES = ["secret", "key"];

type Manifest = {
  readonly format: 1;
  readonly version: string;
  readonly migration: number;
  readonly createdAt: string;
  readonly tables: readonly string[];
};

/** Rows of each table, and blobs. */
export type Counts = {
  readonly tables: Readonly<Record<string, number>>;
  readonly blobs: number;
};

export type BackupReport = Counts & {
  readonly rows: number;
  readonly migration: number;
  /** True if the key of encrypted rows is in the backup. */
  readonly hasSecrets: boolean;
};

type Parts = {
  readonly config: Config;
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Encrypts the secrets; without it they are left out. */
  readonly passphrase: string | undefined;
};

const toJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
const parse = <T>(bytes: Buffer): T => JSON.parse(bytes.toString("utf8")) as T;
const sum = (counts: Counts["tables"]): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

/** Writes a backup to a new file. A failed one is removed. */
export async function writeBackup(file: string, parts: Parts): Promise<BackupReport> {
  const tar = await createTar(file);
  try {
    const migration = await readAppliedNumber(parts.database.kysely);
    const tables = await writeTables(tar, parts.database, migration);
    const blobs = await writeBlobs(tar, parts.blobs);
    const hasSecrets = await writeSecrets(tar, parts);
    await tar.add(COUNTS, toJson({ tables, blobs } satisfies Counts));
    await tar.finish();
    await tar.close();
    return { tables, blobs, rows: sum(tables), migration, hasSecrets };
  } catch (error) {
    await tar.close().catch(() => undefined);
    await rm(file, { force: true });
    throw error;
  }
}

async function writeTables(
  tar: TarWriter,
  { kysely }: Database,
  migration: number,
): Promise<Record<string, number>> {
  return await withSnapshot(kysely, async (transaction) => {
    const names = await listTables(transaction);
    const createdAt = new Date().toISOString();
    const manifest = { format: 1, version: VERSION, migration, createdAt, tables: names } as const;
    await tar.add(MANIFEST, toJson(manifest satisfies Manifest));
    const counts: Record<string, number> = {};
    for (const name of names) {
      let part = 0;
      counts[name] = 0;
      for await (const rows of readRows(transaction, name)) {
        counts[name] += rows.length;
        const packed = await packBlob(Buffer.from(rows.join("\n")));
        await tar.add(`${TABLES}${name}/${String(++part).padStart(8, "0")}.ndjson.zst`, packed);
      }
    }
    return counts;
  });
}

/** Blobs are read after the rows: those that rows refer to are there, unless they expired meanwhile. */
async function writeBlobs(tar: TarWriter, blobs: BlobStore): Promise<number> {
  let count = 0;
  for await (const { ref } of blobs.list()) {
    const bytes = await blobs.get(ref, { keepDamaged: true });
    if (bytes === undefined) continue;
    await tar.add(`${BLOBS}${ref}.zst`, await packBlob(bytes));
    count++;
  }
  return count;
}

async function writeSecrets(tar: TarWriter, { config, passphrase }: Parts): Promise<boolean> {
  if (passphrase === undefined) return false;
  const files: Record<string, string> = {};
  for (const name of SECRET_FILES) {
    const text = await readFile(path.resolve(config.dataDir, name), "utf8").catch(() => undefined);
    if (text !== undefined) files[name] = text;
  }
  await tar.add(SECRETS, seal(toJson(files), passphrase));
  return true;
}

/**
 * Restores a backup into an empty database and returns what is there now. Throws BAD_REQUEST if the database has rows, the
 * passphrase is wrong, or the file is damaged; InternalError if a count differs from the backup's.
 */
export async function restoreBackup(
  file: string,
  { config, database, blobs, passphrase }: Parts,
): Promise<BackupReport> {
  const tar = await openTar(file);
  try {
    const manifest = parse<Manifest>(await tar.read(MANIFEST));
    const counts = parse<Counts>(await tar.read(COUNTS));
    const hasSecrets = passphrase !== undefined && tar.names.includes(SECRETS);
    const secrets = hasSecrets ? open(await tar.read(SECRETS), passphrase) : undefined;
    await migrate(database.kysely, manifest.migration);
    if (await hasRows(database.kysely))
      throw new RequestError(
        "BAD_REQUEST",
        "The database is not empty. Restore into a new data folder (--data-dir) or a new PostgreSQL database.",
      );
    // Blobs first: a row never refers to one that is missing.
    const restored = await restoreBlobs(tar, blobs);
    const tables = await restoreTables(tar, database, manifest.tables);
    checkRowCounts(counts.tables, tables);
    if (restored < counts.blobs)
      throw new InternalError(`The copy has ${restored} blobs, the original ${counts.blobs}.`);
    await migrate(database.kysely);
    if (secrets !== undefined) await restoreSecrets(config, secrets);
    return {
      tables,
      blobs: restored,
      rows: sum(tables),
      migration: manifest.migration,
      hasSecrets,
    };
  } finally {
    await tar.close();
  }
}

async function restoreTables(
  tar: TarReader,
  { kysely }: Database,
  names: readonly string[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  // One transaction: a failed restore leaves an empty database.
  await kysely.transaction().execute(async (transaction) => {
    for (const name of names) {
      for (const part of tar.names.filter((each) => each.startsWith(`${TABLES}${name}/`))) {
        const text = Buffer.from(await unpackBytes(await tar.read(part))).toString("utf8");
        await writeRows(transaction, name, text.split("\n"));
      }
      counts[name] = await countRows(transaction, name);
    }
  });
  return counts;
}

async function restoreBlobs(tar: TarReader, blobs: BlobStore): Promise<number> {
  let count = 0;
  for (const name of tar.names.filter((each) => each.startsWith(BLOBS))) {
    const bytes = await unpackBytes(await tar.read(name));
    const ref = await blobs.put(bytes);
    if (name !== `${BLOBS}${ref}.zst`)
      throw new RequestError("BAD_REQUEST", `The backup is damaged: ${name} has another content.`);
    count++;
  }
  return count;
}

/** Throws InternalError that names the first table with another number of rows. */
export function checkRowCounts(expected: Counts["tables"], found: Counts["tables"]): void {
  for (const [name, count] of Object.entries(expected))
    if (found[name] !== count)
      throw new InternalError(
        `The copy has ${found[name] ?? 0} rows in ${name}, the original ${count}.`,
      );
}

async function restoreSecrets(config: Config, files: Record<string, string>): Promise<void> {
  const folder = path.resolve(config.dataDir);
  await makeFolder(folder);
  for (const name of SECRET_FILES) {
    const text = files[name];
    if (text !== undefined) await writeFile(path.join(folder, name), text, { mode: 0o600 });
  }
}

const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (passphrase: string, salt: Uint8Array): Buffer =>
  scryptSync(passphrase.normalize("NFKC"), salt, 32, { N: 2 ** 16, r: 8, p: 1, maxmem: 2 ** 27 });

function seal(bytes: Uint8Array, passphrase: string): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(passphrase, salt), nonce);
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), sealed]);
}

function open(sealed: Buffer, passphrase: string): Record<string, string> {
  const nonceAt = SALT_BYTES;
  const tagAt = nonceAt + NONCE_BYTES;
  const key = deriveKey(passphrase, sealed.subarray(0, nonceAt));
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(nonceAt, tagAt));
  decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES));
  try {
    const bytes = decipher.update(sealed.subarray(tagAt + TAG_BYTES));
    return parse(Buffer.concat([bytes, decipher.final()]));
  } catch (cause) {
    throw new RequestError("BAD_REQUEST", "The passphrase does not open this backup.", { cause });
  }
}
