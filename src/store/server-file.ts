import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";

/** How the command line on the same machine finds the running server, and proves that it may manage it. */
export type ServerFile = {
  readonly pid: number;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Made anew at each start; accepted by the /admin routes only. */
  readonly adminToken: string;
};

type Place = Pick<Config, "dataDir">;

const serverFilePath = (config: Place): string => path.resolve(config.dataDir, "server.json");

/** Writes the file so that only the user of this process can read it (mode 0600). */
export async function saveServerFile(config: Place, server: ServerFile): Promise<void> {
  const file = serverFilePath(config);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${randomUUID()}`;
  await writeFile(partial, JSON.stringify(server), { mode: 0o600 });
  await chmod(partial, 0o600);
  await rename(partial, file);
}

/** The server that runs on this data folder, or undefined when none does or the file is not this user's to read. */
export async function loadServerFile(config: Place): Promise<ServerFile | undefined> {
  try {
    const server = JSON.parse(await readFile(serverFilePath(config), "utf8")) as ServerFile;
    return isAlive(server.pid) ? server : undefined;
  } catch {
    return undefined;
  }
}

/** Removes the file if it is still that of `pid`. */
export async function removeServerFile(config: Place, pid: number): Promise<void> {
  const server = await loadServerFile(config);
  if (server?.pid === pid) await rm(serverFilePath(config), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
