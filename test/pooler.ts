// PgBouncer in transaction mode in front of a test database, where the program is installed. It
// refuses to run as root, so root starts it as the owner of the database's folder.
import { spawn, spawnSync } from "node:child_process";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";

/** True if the program is installed. */
export const hasPooler: boolean =
  spawnSync("pgbouncer", ["--version"], { stdio: "ignore" }).status === 0;

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

export type Pooler = AsyncDisposable & { readonly url: string };

/** Starts it with at most `connections` to the database of `databaseUrl`, a Unix socket. */
export async function startPooler(databaseUrl: string, connections: number): Promise<Pooler> {
  const { searchParams, pathname } = new URL(databaseUrl.replace("@/", "@localhost/"));
  const database = pathname.slice(1);
  const socket = searchParams.get("host") ?? "";
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-pooler-"));
  const port = await findFreePort();
  const file = path.join(folder, "pgbouncer.ini");
  const users = path.join(folder, "users.txt");
  await writeFile(users, '"quarry" ""\n');
  await writeFile(
    file,
    [
      "[databases]",
      `${database} = host=${socket} user=quarry`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      `unix_socket_dir =`,
      "auth_type = trust",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      `default_pool_size = ${connections}`,
      "max_client_conn = 200",
    ].join("\n"),
  );
  const owner = await stat(socket);
  const identity = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};
  if (process.getuid?.() === 0)
    for (const owned of [folder, file, users]) await chown(owned, owner.uid, owner.gid);
  const child = spawn("pgbouncer", [file], { ...identity, stdio: ["ignore", "ignore", "pipe"] });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes("process up")) resolve();
  });
  child.on("error", reject);
  child.on("close", () => reject(new Error(`pgbouncer ended: ${output}`)));
  await promise;
  return {
    url: `postgresql://quarry@127.0.0.1:${port}/${database}`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((done) => void child.once("close", done));
      child.kill("SIGTERM");
      // The second signal does not wait for clients.
      child.kill("SIGINT");
      child.kill("SIGQUIT");
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
