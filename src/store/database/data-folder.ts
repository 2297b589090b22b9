import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { InternalError, QuarryError } from "../../errors.ts";
import { hasTemplate } from "./template.ts";

type Place = Pick<Config, "dataDir">;

/** Folder for unpacked text recognition data. */
export function getOcrFolder(config: Place): string {
  return path.resolve(config.dataDir, "ocr");
}

/** Folder for media files while their audio is read. */
export function getAudioFolder(config: Place): string {
  return path.resolve(config.dataDir, "audio");
}

/** Folder of the embedded database in a data folder. */
export function getDatabaseFolder(config: Place): string {
  return path.resolve(config.dataDir, "database");
}

/** Folder for the npm browser and the browser's files. */
export function getBrowserFolder(config: Place): string {
  return path.resolve(config.dataDir, "browser");
}

/** File of the console's files as they are sent: without types, compressed. */
export function getConsoleAssetsFile(config: Place): string {
  return path.resolve(config.dataDir, "console-assets.json");
}

/** Folder of compiled block lists. */
export function getListsFolder(config: Place): string {
  return path.resolve(config.dataDir, "lists");
}

/**
 * True if the next open creates an embedded database without a template. That takes seconds, so
 * users are told.
 */
export function makesDatabase(config: Pick<Config, "dataDir" | "databaseUrl">): boolean {
  return (
    config.databaseUrl === undefined && !hasTemplate() && !existsSync(getDatabaseFolder(config))
  );
}

/**
 * Creates `folder` and its missing parents, readable for this user only by default. One level at a
 * time: Node's recursive mkdir never returns below a folder such as /proc, where creation fails as
 * if the parent were missing.
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

/** Another process may have created it meanwhile. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/**
 * Runs `work` on the data folder. File system errors are rethrown with the folder and the setting
 * in the message.
 */
export async function runInDataFolder<T>(config: Place, work: () => Promise<T>): Promise<T> {
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
