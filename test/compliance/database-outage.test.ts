// PostgreSQL stops and restarts while processes use it.
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { QuarryClient } from "../../client/client.ts";
import { createApp, type App } from "../../src/app.ts";
import { createTestConfig, type Config } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { Secret } from "../../src/settings/secret.ts";
import type { Database } from "../../src/store/database/schema.ts";
import { openPostgres } from "../../src/store/database/postgres.ts";
import { openStore } from "../../src/store/store.ts";
import { testBrowserExecutable } from "../browser/launch.ts";
import { CALLER, countTo, openCounting } from "../counting-kind.ts";
import { runText, temporaryFolder } from "../databases.ts";
import { startPostgres, type PostgresServer } from "../postgres.ts";
import { startSite } from "../site/site.ts";

const log = createLogger("silent");

/** Resolves when no session of `pid` is left. */
async function untilGone(database: Database, pid: number) {
  await expect
    .poll(() => runText(database, `select 1 from pg_stat_activity where pid = ${pid}`))
    .toEqual([]);
}

describe.skipIf(inject("postgresMissing") !== "")("PostgreSQL outage", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 120_000);
  afterAll(() => postgres.stop());

  it("a connection that breaks inside a transaction fails only that transaction", async () => {
    const url = await postgres.createDatabase();
    const database = openPostgres(url, 1, log);
    const other = openPostgres(url, 1, log);
    try {
      const work = database.kysely.transaction().execute(async (kysely) => {
        const [{ pid }] = (await runText({ kysely }, "select pg_backend_pid() as pid")) as [
          { pid: number },
        ];
        await runText(other, `select pg_terminate_backend(${pid})`);
        await untilGone(other, pid);
        // The client notices it in a later turn of the event loop, while idle.
        await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
        await runText({ kysely }, "select 1");
      });
      await expect(work).rejects.toMatchObject({ code: "UNAVAILABLE" });
      // The pool has one connection: the broken one was replaced.
      expect(await runText(database, "select 2 as answer")).toEqual([{ answer: 2 }]);
    } finally {
      await other.close();
      await database.close();
    }
  });

  it("workers that start during an outage run jobs afterwards", { timeout: 120_000 }, async () => {
    const databaseUrl = new Secret(await postgres.createDatabase());
    const store = await openStore(
      createTestConfig({ dataDir: await temporaryFolder(), databaseUrl }),
      log,
    );
    const service = openCounting(store);
    try {
      await postgres.crash();
      await service.start();
      await expect(service.jobs.start("count", countTo(2), CALLER)).rejects.toMatchObject({
        code: "UNAVAILABLE",
      });
      await postgres.start();
      const { id } = await service.jobs.start("count", countTo(2), CALLER);
      await expect
        .poll(async () => (await service.jobs.find("count", id, CALLER.identity)).state, {
          timeout: 30_000,
        })
        .toBe("completed");
    } finally {
      await service.close();
      await store.close();
    }
  });

  it(
    "extractions and agent runs wait with a warning while writes fail and complete afterwards",
    { timeout: 600_000 },
    async () => {
      await using site = await startSite();
      const url = await postgres.createDatabase();
      const database = openPostgres(url, 1, log);
      const app = await createApp(
        createTestConfig({
          port: 0,
          dataDir: await temporaryFolder(),
          databaseUrl: new Secret(url),
          egressAllow: ["127.0.0.1"],
          apiKey: new Secret("key-of-the-test"),
          workerThreads: 1,
          browser: await testBrowserExecutable(),
        }),
      );
      try {
        const apiUrl = await app.listen();
        await app.open();
        const client = new QuarryClient({ apiUrl, apiKey: "key-of-the-test" });
        const ask = async (path: string, body?: object): Promise<Record<string, unknown>> => {
          const response = await fetch(`${apiUrl}${path}`, {
            method: body === undefined ? "GET" : "POST",
            headers: {
              authorization: "Bearer key-of-the-test",
              "content-type": "application/json",
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          return (await response.json()) as Record<string, unknown>;
        };
        // Like a full disk: rows are readable, and the waiting jobs are known.
        await runText(
          database,
          `create function disk_full() returns trigger language plpgsql as $$
          begin raise exception 'could not extend file' using errcode = '53100'; end $$`,
        );
        for (const [table, change] of [
          ["job_runs", "update of progress, result"],
          ["agent_steps", "insert"],
        ])
          await runText(
            database,
            `create trigger full_disk before ${change} on ${table}
            for each row execute function disk_full()`,
          );
        const urls = [`${site.url}/article`];
        const { id: extractId } = await ask("/v2/extract", { urls, prompt: "title" });
        const run = await client.agents.start("title of the article", {
          urls,
          strictConstrainToURLs: true,
        });
        const paths = [`/v2/extract/${String(extractId)}`, `/v2/agent/${run.id}`];
        for (const path of paths)
          await expect
            .poll(async () => (await ask(path))["warning"], { timeout: 120_000 })
            .toMatch(
              /The job waits because the database has failed since 20\d\d-[^;]+; it continues/,
            );
        for (const path of paths) expect((await ask(path))["status"]).toBe("processing");
        for (const table of ["job_runs", "agent_steps"])
          await runText(database, `drop trigger full_disk on ${table}`);
        for (const path of paths) {
          await expect
            .poll(async () => (await ask(path))["status"], { timeout: 240_000 })
            .not.toBe("processing");
          const ended = await ask(path);
          // Without a model the agent's question ends as one that needs a model.
          const isAgent = path.startsWith("/v2/agent");
          expect(ended["status"], JSON.stringify(ended)).toBe(isAgent ? "failed" : "completed");
          if (isAgent) expect(ended["stopReason"]).toBe("needs_model");
          expect(String(ended["warning"])).not.toContain("waits");
        }
      } finally {
        await app.close();
        await database.close();
      }
    },
  );

  it(
    "workers survive crashes of PostgreSQL and finish the crawl with each page once",
    { timeout: 600_000 },
    async () => {
      await using site = await startSite();
      const folder = await temporaryFolder();
      const databaseUrl = new Secret(await postgres.createDatabase());
      const apps: App[] = [];
      const start = async (role: Config["role"]): Promise<string> => {
        const app = await createApp(
          createTestConfig({
            role,
            port: 0,
            dataDir: path.join(folder, `${role}-${apps.length}`),
            blobs: `file:${path.join(folder, "blobs")}`,
            databaseUrl,
            egressAllow: ["127.0.0.1"],
            apiKey: new Secret("key-of-the-test"),
            workerThreads: 1,
            browser: await testBrowserExecutable(),
          }),
        );
        apps.push(app);
        const url = await app.listen();
        await app.open();
        return url;
      };
      try {
        const client = new QuarryClient({ apiUrl: await start("api"), apiKey: "key-of-the-test" });
        const workers = [await start("worker"), await start("worker")];
        const job = await client.startCrawl(`${site.url}/list`, {
          crawlEntireDomain: true,
          limit: 60,
          maxConcurrency: 2,
        });
        for (const least of [1, 10, 25]) {
          await expect
            .poll(async () => (await job.status().catch(() => ({ completed: 0 }))).completed, {
              timeout: 120_000,
            })
            .toBeGreaterThanOrEqual(least);
          await postgres.crash();
          for (const url of workers)
            expect((await fetch(`${url}/v0/health/liveness`)).status).toBe(200);
          await postgres.start();
        }
        const status = await job.wait();
        expect(status).toMatchObject({ status: "completed", completed: 60, total: 60 });
        const urls: (string | undefined)[] = [];
        for await (const { metadata } of job.documents()) urls.push(metadata.url);
        expect(urls).toHaveLength(60);
        expect(new Set(urls).size).toBe(60);
      } finally {
        for (const app of apps) await app.close();
      }
    },
  );
});
