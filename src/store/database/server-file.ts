import { randomUUID } from "node:crypto";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { runInDataFolder, makeFolder } from "./data-folder.ts";

/**
 * Address and proof of the running server: lets the command line on the same machine find and
 * manage it.
 */
export type ServerFile = {
  readonly pid: number;
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Created at each start; only the /admin routes accept it. */
  readonly adminToken: string;
};

type Place = Pick<Config, "dataDir">;

const getServerFilePath = (config: Place): string => path.resolve(config.dataDir, "server.json");

/**
 * Timeout, milliseconds, for a server to identify itself. A busy machine needs seconds; with less
 * time the command would mistake a running server for a stopped one.
 */
const PROBE_TIMEOUT_MS = 30_000;

/**
 * Writes the file readable only for this user (mode 0600). Keeps that of another server on the same
 * folder, which is possible with PostgreSQL.
 */
export async function saveServerFile(config: Place, server: ServerFile): Promise<void> {
  if ((await findServer(config)) !== undefined) return;
  const file = getServerFilePath(config);
  const partial = `${file}.${randomUUID()}`;
  await runInDataFolder(config, async () => {
    await makeFolder(path.dirname(file));
    await writeFile(partial, JSON.stringify(server), { mode: 0o600 });
    await chmod(partial, 0o600);
    await rename(partial, file);
  });
}

/**
 * Returns the server that runs on this data folder; undefined when there is none or the file is not
 * readable. The process id may be reused, so the server is asked with its own token.
 */
export async function findServer(config: Place): Promise<ServerFile | undefined> {
  const server = await readServerFile(config);
  return server !== undefined && isAlive(server.pid) && (await isAnswering(server))
    ? server
    : undefined;
}

/** Removes the file if it belongs to the server with this token. */
export async function removeServerFile(config: Place, adminToken: string): Promise<void> {
  const server = await readServerFile(config);
  if (server?.adminToken === adminToken) await rm(getServerFilePath(config), { force: true });
}

async function readServerFile(config: Place): Promise<ServerFile | undefined> {
  try {
    return JSON.parse(await readFile(getServerFilePath(config), "utf8")) as ServerFile;
  } catch {
    return undefined;
  }
}

/** Another program on that port does not know the token. */
async function isAnswering({ url, adminToken }: ServerFile): Promise<boolean> {
  try {
    const response = await fetch(`${url}/admin/keys`, {
      headers: { authorization: `Bearer ${adminToken}` },
      redirect: "error",
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    const body = (await response.json()) as { success?: unknown; data?: unknown };
    return response.ok && body.success === true && Array.isArray(body.data);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
