// Opening the database: folder lock, migrations, and recovery after a killed process.
import { spawn, type ChildProcess } from "node:child_process";
import { readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { sql } from "kysely";
import { afterEach, describe, expect, inject, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import { Secret } from "../../src/settings/secret.ts";
import type { Capture } from "../../src/capture.ts";
import { createLogger } from "../../src/logger.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { loadKeyFile, saveKeyFile } from "../../src/store/database/key-file.ts";
import { lockFolder } from "../../src/store/database/lock-file.ts";
import { MIGRATIONS, migrate } from "../../src/store/database/migrate.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryDataFolder, temporaryFolder } from "../databases.ts";

const log = createLogger("silent");
const buildCapture = (index: number): Capture => ({
  engine: "http",
  requestedUrl: "https://example.com/",
  finalUrl: "https://example.com/",
  redirects: [],
  statusCode: 200 + index,
  headers: [],
  contentType: "text/html",
  mimeType: "text/html",
  body: Buffer.from("x"),
  charset: "utf-8",
  fetchedAt: Date.now(),
  proxyUsed: "basic",
  warnings: [],
});
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

/** Takes the lock of a holder that is gone, at once. */
async function expectTakenOver(folder: string): Promise<void> {
  const lock = await lockFolder(folder, 0);
  const held = JSON.parse(await readFile(path.join(folder, "lock"), "utf8")) as object;
  expect(held).toMatchObject({ pid: process.pid });
  await lock.release();
}

const LOCK_CHILD = path.join(import.meta.dirname, "lock-child.ts");

/**
 * Starts lock-child.ts; `line` returns its output line by line, and `kill` ends it without warning.
 */
function startChild(command: "lock" | "write", folder: string) {
  const child = spawn(process.execPath, [LOCK_CHILD, command, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    line: async () => String((await lines.next()).value),
    async kill(): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      child.once("close", () => resolve());
      child.kill("SIGKILL");
      await promise;
    },
    async rest(): Promise<string[]> {
      const all: string[] = [];
      for (let next = await lines.next(); next.done !== true; next = await lines.next())
        all.push(next.value);
      return all;
    },
  };
}

describe("data folder lock", () => {
  it("rejects a second process and names the first one and the folder", async () => {
    const folder = await temporaryFolder();
    const child = startChild("lock", folder);
    expect(await child.line()).toBe("held");
    const refusal = lockFolder(folder);
    await expect(refusal).rejects.toThrow(`process ${child.pid}`);
    await expect(refusal).rejects.toThrow(folder);
  });

  it("keeps the same process from opening the folder twice until release", async () => {
    const folder = await temporaryFolder();
    const lock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
    await (await lockFolder(folder)).release();
    await expect(stat(path.join(folder, "lock"))).rejects.toThrow("ENOENT");
  });

  it("lets exactly one of many take over the lock of a killed process at once", async () => {
    const folder = await temporaryFolder();
    const first = startChild("lock", folder);
    expect(await first.line()).toBe("held");
    await first.kill();
    const rivals = Array.from({ length: 5 }, () => startChild("lock", folder));
    const answers = await Promise.all(rivals.map((rival) => rival.line()));
    expect(answers.filter((answer) => answer === "held")).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith("refused"))).toHaveLength(4);
  });

  it.runIf(process.platform === "linux")(
    "takes over the lock of a killed process before its parent has reaped it",
    async () => {
      const folder = await temporaryFolder();
      // The shell becomes a program that never reaps its children, so a killed one stays a zombie.
      const parent = spawn(
        "/bin/sh",
        ["-c", '"$0" "$@" & exec sleep 60', process.execPath, LOCK_CHILD, "lock", folder],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      children.add(parent);
      const lines = createInterface({ input: parent.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe("held");
      const holder = await readFile(path.join(folder, "lock"), "utf8");
      const { pid } = JSON.parse(holder) as { pid: number };
      process.kill(pid, "SIGKILL");
      await (await lockFolder(folder)).release();
      expect(await readFile(`/proc/${pid}/stat`, "utf8")).toContain(") Z ");
    },
  );

  it.runIf(process.platform === "linux")(
    "does not trust a lock whose process id was reused",
    async () => {
      const folder = await temporaryFolder();
      const lock = await lockFolder(folder);
      const file = path.join(folder, "lock");
      const holder = JSON.parse(await readFile(file, "utf8")) as object;
      await lock.release();
      await writeFile(file, JSON.stringify({ ...holder, token: "before", started: "1" }));
      await expectTakenOver(folder);
    },
  );

  it("respects the lock of another container or machine while it is touched", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    await writeFile(file, JSON.stringify({ token: "t", pid: 1, started: "1", place: "elsewhere" }));
    await expect(lockFolder(folder, 0)).rejects.toThrow("another container or machine");
    const silent = new Date(Date.now() - 60_000);
    await utimes(file, silent, silent);
    await expectTakenOver(folder);
  });

  it("a lock damaged by a crash does not block forever", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "lock");
    await writeFile(file, "");
    const silent = new Date(Date.now() - 60_000);
    await utimes(file, silent, silent);
    await expectTakenOver(folder);
  });
});

describe("the embedded database", () => {
  it(
    "loses no acknowledged commit when the process is killed and opens again",
    { timeout: 60_000 },
    async () => {
      const folder = await temporaryDataFolder();
      let next = 0;
      for (const rows of [120, 260]) {
        const child = startChild("write", folder);
        while (Number(await child.line()) < rows);
        await child.kill();
        const acknowledged = Number((await child.rest()).at(-1) ?? rows);
        const store = await openStore(createTestConfig({ dataDir: folder }), log);
        for (next = 0; next <= acknowledged; next += 1)
          if ((await store.settings.load(`row-${next}`)) === undefined) break;
        await store.close();
        expect(next).toBe(acknowledged + 1);
      }
    },
  );

  it("finds captures of earlier runs, also while the key index is loading", async () => {
    const config = createTestConfig({ dataDir: await temporaryDataFolder() });
    const before = await openStore(config, log);
    for (let index = 0; index < 30; index += 1)
      await before.captures.save(`key-${index}`, buildCapture(index));
    await before.close();
    const store = await openStore(config, log);
    for (const round of ["reading", "read"]) {
      for (let index = 0; index < 30; index += 1)
        expect((await store.captures.load(`key-${index}`, {}))?.statusCode, round).toBe(
          200 + index,
        );
      expect(await store.captures.load("key-30", {})).toBeUndefined();
    }
    await store.captures.save("key-30", buildCapture(30));
    expect(await store.captures.load("key-30", {})).toMatchObject({ statusCode: 230 });
    await store.close();
  });

  it("does not load the embedded engine with PostgreSQL", async () => {
    const source = await readFile(path.resolve("src/store/database/database.ts"), "utf8");
    expect(source).not.toMatch(/^import .*(pglite|postgres)\.ts/m);
  });
});

describe("migrations", () => {
  const url = inject("postgresUrls")["migrations"];

  it.skipIf(url === undefined)(
    "migrations run once when several processes start together",
    async () => {
      const config = createTestConfig({ databaseUrl: new Secret(url ?? "") });
      const databases = await Promise.all([1, 2, 3, 4].map(() => openDatabase(config, log)));
      const [first] = databases;
      if (first === undefined) throw new Error("no database");
      const rows = await first.kysely
        .selectFrom("migrations")
        .select("number")
        .orderBy("number")
        .execute();
      expect(rows.map(({ number }) => number)).toEqual(MIGRATIONS.map(({ number }) => number));
      expect(await migrate(first.kysely)).toEqual({ applied: [] });
      await sql`insert into migrations values (9999, 'from the future', 0)`.execute(first.kysely);
      await expect(openDatabase(config, log)).rejects.toThrow("newer version");
      for (const database of databases) await database.close();
    },
  );

  it("migrations of an unreachable server report that it is unreachable", async () => {
    const config = createTestConfig({ databaseUrl: new Secret("postgresql://127.0.0.1:1/none") });
    await expect(openDatabase(config, log)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
    });
  });

  it("migrations are numbered without gaps", () => {
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });
});

describe("the key file", () => {
  it("the key file is readable by its owner only, and a missing one means no key", async () => {
    const config = { dataDir: path.join(await temporaryFolder(), "new") };
    expect(await loadKeyFile(config)).toBeUndefined();
    await saveKeyFile(config, "qy-secret");
    expect(await loadKeyFile(config)).toBe("qy-secret");
    expect((await stat(path.join(config.dataDir, "key"))).mode & 0o777).toBe(0o600);
    await rm(config.dataDir, { recursive: true });
  });
});
