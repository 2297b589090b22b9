// Durable jobs on both databases: run once, retried, cancelled, created in a transaction, taken
// over from a dead worker.
import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import type { Config } from "../../src/config.ts";
import { RequestError, TargetError } from "../../src/errors.ts";
import { createLogger } from "../../src/log.ts";
import { defineJob, type JobDefinition } from "../../src/queue/definition.ts";
import { createQueue, type Queue } from "../../src/queue/queue.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import type { Database } from "../../src/store/database/schema.ts";
import { describeDatabases } from "../databases.ts";

const log = createLogger("silent");

describeDatabases("queue", (configure) => {
  let config: Config;
  let database: Database;
  let queue: Queue;
  beforeAll(async () => {
    config = await configure();
    const url = config.databaseUrl?.reveal();
    // First, because only one process can use the embedded database.
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, "queue-child.ts"), config.dataDir, ...(url ? [url] : [])],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const closed = Promise.withResolvers<void>();
    child.once("close", () => closed.resolve());
    for await (const line of createInterface({ input: child.stdout }))
      if (line === "taken") child.kill("SIGKILL");
    await closed.promise;
    database = await openDatabase(config, log);
    queue = createQueue(database, log);
  });
  afterAll(async () => {
    await queue.close();
    await database.close();
  });

  /** A job whose attempts can be awaited; `fail` is what the first attempts throw. */
  async function buildJob(
    overrides: Partial<JobDefinition<{ text: string }>> & { fail?: Error[] } = {},
  ) {
    const { fail = [], ...rest } = overrides;
    const seen: { text: string; number: number }[] = [];
    const waiting: PromiseWithResolvers<void>[] = [];
    const job = defineJob({
      name: `test.${v7()}`,
      schema: z.object({ text: z.string() }),
      retries: 2,
      retryDelaySeconds: 0,
      expireSeconds: 60,
      concurrency: 1,
      async handle(input: { text: string }, attempt: { number: number }) {
        seen.push({ ...input, number: attempt.number });
        waiting.forEach(({ resolve }) => resolve());
        const error = fail.shift();
        if (error !== undefined) throw error;
      },
      ...rest,
    });
    const until = async (count: number): Promise<void> => {
      while (seen.length < count) {
        const next = Promise.withResolvers<void>();
        waiting.push(next);
        await next.promise;
      }
    };
    return { job, seen, until };
  }

  it("runs a queue job once with its input and no second job with the same id", async () => {
    const { job, seen, until } = await buildJob();
    const other = await buildJob();
    await queue.work([job, other.job]);
    const id = v7();
    expect(await queue.enqueue(job, { text: "a" }, { id })).toBe(id);
    await until(1);
    expect(await queue.enqueue(job, { text: "again" }, { id })).toBeUndefined();
    await queue.enqueue(other.job, { text: "b" });
    await other.until(1);
    expect(seen).toEqual([{ text: "a", number: 1 }]);
  });

  it("retries failed queue jobs except for invalid requests", { timeout: 90_000 }, async () => {
    const broken = await buildJob({ fail: [new TargetError("UNKNOWN_ERROR", "down")] });
    const wrong = await buildJob({ fail: [new RequestError("BAD_REQUEST", "never")] });
    await queue.work([broken.job, wrong.job]);
    const wrongId = await queue.enqueue(wrong.job, { text: "w" });
    await queue.enqueue(broken.job, { text: "b" });
    await broken.until(2);
    expect(broken.seen.map(({ number }) => number)).toEqual([1, 2]);
    const row = await database.run(
      "select state::text, output from quarry_queue.job where id = $1",
      [wrongId],
    );
    expect(row.rows).toMatchObject([
      { state: "failed", output: { code: "BAD_REQUEST", message: "never" } },
    ]);
    expect(wrong.seen).toHaveLength(1);
  });

  it("does not run cancelled queue jobs or those of a rolled-back transaction", async () => {
    const { job, seen, until } = await buildJob();
    const id = await queue.enqueue(job, { text: "cancelled" });
    await queue.cancel(job, id ?? "");
    await expect(
      database.transact(async (run) => {
        await queue.enqueue(job, { text: "rolled back" }, { run });
        throw new RequestError("BAD_REQUEST", "undo");
      }),
    ).rejects.toThrow("undo");
    await database.transact((run) => queue.enqueue(job, { text: "kept" }, { run }));
    await queue.work([job]);
    await until(1);
    expect(seen.map(({ text }) => text)).toEqual(["kept"]);
  });

  it(
    "reassigns the job of a killed worker within about half a minute",
    { timeout: 90_000 },
    async () => {
      const started = Date.now();
      const { job, seen, until } = await buildJob({
        name: "test.sleep",
        schema: z.object({}).transform(() => ({ text: "taken over" })),
        retries: 3,
      });
      await queue.work([job]);
      await until(1);
      expect(seen).toEqual([{ text: "taken over", number: 2 }]);
      expect(Date.now() - started).toBeLessThan(60_000);
    },
  );
});
