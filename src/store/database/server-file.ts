import { randomUUID } from "node:crypto";
import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { inDataFolder, makeFolder } from "./data-folder.ts";

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

/**
 * How long a server may take to say that it is the one of the file. On a busy machine that is seconds, and a server taken for
 * gone still holds the data folder: the command would fail.
 */
const PROBE_MS = 30_000;

/**
 * Writes the file so that only the user of this process can read it (mode 0600). Leaves that of another server that works
 * on the same folder, which is possible with PostgreSQL.
 */
export async function saveServerFile(config: Place, server: ServerFile): Promise<void> {
  if ((await findServer(config)) !== undefined) return;
  const file = serverFilePath(config);
  const partial = `${file}.${randomUUID()}`;
  await inDataFolder(config, async () => {
    await makeFolder(path.dirname(file));
    await writeFile(partial, JSON.stringify(server), { mode: 0o600 });
    await chmod(partial, 0o600);
    await rename(partial, file);
  });
}

/**
 * The server that runs on this data folder, or undefined when none does or the file is not this user's to read. The process
 * id alone proves nothing (it may be another program's by now), so the server is asked, with its own token.
 */
export async function findServer(config: Place): Promise<ServerFile | undefined> {
  const server = await readServerFile(config);
  return server !== undefined && isAlive(server.pid) && (await answers(server))
    ? server
    : undefined;
}

/** Removes the file if it is still that of the server with this token. */
export async function removeServerFile(config: Place, adminToken: string): Promise<void> {
  const server = await readServerFile(config);
  if (server?.adminToken === adminToken) await rm(serverFilePath(config), { force: true });
}

async function readServerFile(config: Place): Promise<ServerFile | undefined> {
  try {
    return JSON.parse(await readFile(serverFilePath(config), "utf8")) as ServerFile;
  } catch {
    return undefined;
  }
}

/** Whoever else listens on that port by now does not know the token. */
async function answers({ url, adminToken }: ServerFile): Promise<boolean> {
  try {
    const response = await fetch(`${url}/admin/keys`, {
      headers: { authorization: `Bearer ${adminToken}` },
      redirect: "error",
      signal: AbortSignal.timeout(PROBE_MS),
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
