import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { InternalError, QuarryError } from "../../errors.ts";

type Place = Pick<Config, "dataDir">;

/** Where data for recognising text in pictures is unpacked. */
export function ocrFolder(config: Place): string {
  return path.resolve(config.dataDir, "ocr");
}

/** Where media files lie while their sound is read. */
export function audioFolder(config: Place): string {
  return path.resolve(config.dataDir, "audio");
}

/** Where the embedded database of a data folder lives. */
export function databaseFolder(config: Place): string {
  return path.resolve(config.dataDir, "database");
}

/** Where the browser that npm brings is unpacked, and what a browser needs on disk. */
export function browserFolder(config: Place): string {
  return path.resolve(config.dataDir, "browser");
}

/** Where compiled block lists lie. */
export function listsFolder(config: Place): string {
  return path.resolve(config.dataDir, "lists");
}

/** Will the next opening make a new embedded database? That takes seconds, which a person should be told. */
export function makesDatabase(config: Pick<Config, "dataDir" | "databaseUrl">): boolean {
  return config.databaseUrl === undefined && !existsSync(databaseFolder(config));
}

/**
 * Makes `folder` and what is missing above it, readable for this user only by default. One step at a time: Node's own
 * recursive mkdir never returns below a folder such as /proc, where making one fails as if the parent were missing.
 */
export async function makeFolder(folder: string, mode = 0o700): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && path.dirname(folder) !== folder) {
      await makeFolder(path.dirname(folder), mode);
      await mkdir(folder, { mode }).catch(ignoreExisting);
      return;
    }
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}

/** Another process may have made it meanwhile. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** Runs `work` on the data folder; what the file system refuses is thrown as a sentence that names folder and setting. */
export async function inDataFolder<T>(config: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof QuarryError || code === undefined || syscall === undefined) throw error;
    const folder = path.resolve(config.dataDir);
    const reason =
      code === "ENOTDIR" || code === "EEXIST"
        ? `The data folder ${folder} is not a folder (${code}).`
        : `The data folder ${folder} cannot be written (${code}).`;
    throw new InternalError(`${reason} Set QUARRY_DATA_DIR to a folder this user may write.`, {
      cause: error,
    });
  }
}
