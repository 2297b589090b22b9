// What an older version stored of its jobs is read by this one.
import { sql } from "kysely";
import { v7 } from "uuid";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLogger } from "../../src/log.ts";
import { MIGRATIONS, migrate } from "../../src/store/database/migrate.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const HOUR = 3_600_000;

describeDatabases("older jobs", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());

  /** Statements of a migration that make or index one table. */
  const statementsOf = (number: number, table: string): string[] =>
    (MIGRATIONS.find((migration) => migration.number === number)?.statements ?? []).filter((text) =>
      new RegExp(`(create table ${table} |on ${table} )`).test(text),
    );
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(store.database.kysely);
  };

  /** Takes the database back to the migration before this version's. */
  async function goBack(): Promise<void> {
    await run([
      "drop table job_runs",
      "drop table schedules",
      ...statementsOf(11, "extracts"),
      ...statementsOf(15, "extracts"),
      "delete from migrations where number > 20",
    ]);
  }

  it("extractions become jobs: ended ones with their answers, running ones with the pages they had read", async () => {
    await goBack();
    const [running, done, failed] = [v7(), v7(), v7()];
    const accountId = v7();
    const now = Date.now();
    const webhook = { url: "http://a.example/", headers: {}, metadata: {}, events: ["completed"] };
    const options = { urls: ["http://a.example/1"], prompt: "the price", webhook };
    const pages = [
      { url: "http://a.example/1", data: { price: null } },
      { url: "http://a.example/2" },
    ];
    const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;
    const add = (id: string, state: string, more: Record<string, unknown>) =>
      sql`insert into extracts (id, account_id, key_id, options, state, pages, data, sources, error, warning,
          credits_used, created_at, completed_at, expires_at)
        values (${id}::uuid, ${accountId}::uuid, ${v7()}::uuid, ${json(options)}, ${state}, ${json(pages)},
          ${json(more["data"] ?? null)}, ${json(more["sources"] ?? null)}, ${json(more["error"] ?? null)},
          ${(more["warning"] as string | undefined) ?? null}, 5, ${now - HOUR}::bigint,
          ${state === "processing" ? null : now}::bigint, ${now + HOUR}::bigint)`.execute(
        store.database.kysely,
      );
    await add(running, "processing", {});
    await add(done, "completed", {
      data: { price: null },
      sources: { price: ["http://a.example/1"] },
    });
    await add(failed, "failed", { error: { code: "NOT_FOUND", message: "no page" }, warning: "w" });
    expect((await migrate(store.database.kysely)).applied[0]).toBe(21);
    expect(await store.jobs.load(running)).toMatchObject({
      kind: "extract",
      accountId,
      state: "scraping",
      pending: 1,
      completed: 1,
      creditsUsed: 5,
      webhook,
      work: { progress: pages, attempts: 0 },
    });
    expect(await store.jobs.load(done)).toMatchObject({
      state: "completed",
      settled: true,
      warnings: [],
      expiresAt: now + HOUR,
      work: { result: { data: { price: null }, sources: { price: ["http://a.example/1"] } } },
    });
    expect(await store.jobs.load(failed)).toMatchObject({
      state: "failed",
      warnings: ["w"],
      error: { message: "no page" },
      work: { result: null },
    });
    const lease = { worker: "w", leaseMs: HOUR };
    const claimed = await store.runs.claim({ kind: "extract", most: 9 }, lease, now);
    expect(claimed.map(({ id }) => id)).toEqual([running]);
    const { jobs } = await store.jobList.list(accountId, { kinds: ["extract"], limit: 9 });
    expect(jobs.map(({ id }) => id)).toEqual([failed, done, running]);
  });
});
