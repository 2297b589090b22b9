// Reads jobs stored by older versions.
import { sql } from "kysely";
import { v7 } from "uuid";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { crawlRequestSchema } from "../../src/contract/jobs/crawl.ts";
import { createLogger } from "../../src/logger.ts";
import { MIGRATIONS, migrate } from "../../src/store/database/migrate.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildFound, buildJob } from "../jobs.ts";

const HOUR = 3_600_000;
const DROP_MONITORS =
  "drop table monitor_notices, monitor_versions, monitor_states, monitor_pages, monitor_checks, monitors";

describeDatabases("older jobs", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(() => store.close());
  afterEach(closeAll);

  /** Statements of a migration that create or index one table. */
  const statementsOf = (number: number, table: string): string[] =>
    (MIGRATIONS.find((migration) => migration.number === number)?.statements ?? []).filter((text) =>
      new RegExp(`(create table ${table} |on ${table} )`).test(text),
    );
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(store.database.kysely);
  };

  /** Reverts the database to the migration before this version's. */
  async function goBack(): Promise<void> {
    await run([
      "alter table scrapes drop column explanation",
      "drop table process_samples",
      "drop table service_samples",
      "drop table page_usage",
      "alter table frontier drop column queued_at",
      "alter table jobs drop column traceparent",
      DROP_MONITORS,
      "drop table extractors",
      "drop index frontier_suspects",
      "drop table console_sessions",
      "drop table job_runs",
      "drop table schedules",
      "drop table agent_turns",
      "alter table agent_steps drop constraint agent_steps_run",
      "drop index jobs_account_kind",
      "alter table job_progress drop column job_kind",
      "create index job_progress_owner on job_progress (owner_id, state, job_id)",
      "alter table jobs alter column options type jsonb using options::text::jsonb",
      ...statementsOf(9, "agent_runs"),
      ...statementsOf(11, "extracts"),
      ...["extracts", "agent_runs"].flatMap((table) => statementsOf(15, table)),
      "alter table agent_steps add constraint agent_steps_run_id_fkey foreign key (run_id) references agent_runs (id)",
      "delete from migrations where number > 20",
    ]);
  }

  it("extractions of an older version become jobs: ended ones with their answers, running ones with their pages", async () => {
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
    const claimed = await store.runs.claim({ kind: "extract", max: 9 }, lease, now);
    expect(claimed.map(({ id }) => id)).toEqual([running]);
    const { jobs } = await store.jobList.list(accountId, { kinds: ["extract"], limit: 9 });
    expect(jobs.map(({ id }) => id)).toEqual([failed, done, running]);
  });

  it("agent runs of an older version become jobs: with journals, partial answers and their place in the thread", async () => {
    await goBack();
    const [running, stopped, cancelled] = [v7(), v7(), v7()];
    const accountId = v7();
    const threadId = v7();
    const now = Date.now();
    const options =
      '{"prompt":"p","schema":{"properties":{"zeta":{},"a":{}}},"keyConcurrency":3,"accountConcurrency":null}';
    const answer = '{"value":{"zeta":1,"a":2},"sources":{},"unfilled":[],"valid":true}';
    const add = (id: string, turn: number, outcome: string | null, events: number) =>
      sql`insert into agent_runs (id, account_id, key_id, thread_id, turn, options, max_credits, created_at, expires_at,
          life_ms, state, outcome, finished_at, error, warning, message, answer, credits_used, tokens_used, events)
        values (${id}::uuid, ${accountId}::uuid, ${v7()}::uuid, ${threadId}::uuid, ${turn}, ${options}::json, 50,
          ${now - HOUR}::bigint, ${now + HOUR}::bigint, ${HOUR}::bigint,
          ${outcome === null ? "processing" : "failed"}, ${outcome}, ${outcome === null ? null : now}::bigint,
          ${outcome === null ? null : '{"code":"INSUFFICIENT_CREDITS","message":"m"}'}::jsonb, 'w', null,
          ${answer}::json, 20, 7, ${events})`.execute(store.database.kysely);
    await add(stopped, 1, "credit_limit_reached", 6);
    await add(cancelled, 2, "cancelled", 5);
    await add(running, 3, null, 4);
    for (const [number, ended] of [1, null].entries())
      await sql`insert into agent_steps (run_id, number, tool, input, began_at, began_event, ended_at, ended_event)
        values (${running}::uuid, ${number}, 'scrape', '{}', 1, ${number}, ${ended}::bigint, ${ended})`.execute(
        store.database.kysely,
      );
    await migrate(store.database.kysely);
    const runs = await store.agentRuns.loadThread(threadId);
    expect(runs).toMatchObject([
      { id: stopped, outcome: "credit_limit_reached", state: "failed", creditsUsed: 0, events: 6 },
      { id: cancelled, outcome: "cancelled", state: "failed", creditsUsed: 20, events: 5 },
      {
        id: running,
        outcome: null,
        state: "processing",
        creditsUsed: 20,
        events: 4,
        tokensUsed: 7,
      },
    ]);
    const [, , run] = runs;
    expect(run?.options).toMatchObject({ maxCredits: 50, limits: { concurrency: 3 }, prompt: "p" });
    const { schema } = (run?.options ?? {}) as { schema: { properties: object } };
    expect(Object.keys(schema.properties)).toEqual(["zeta", "a"]);
    const { value } = (run?.answer ?? {}) as { value: object };
    expect(Object.keys(value)).toEqual(["zeta", "a"]);
    expect(run).toMatchObject({ warning: "w", threadId, turn: 3, accountId });
    expect(await store.jobs.load(running)).toMatchObject({ pending: 1, completed: 1 });
    expect(await store.agentSteps.list(running)).toHaveLength(2);
    const lease = { worker: "w", leaseMs: HOUR };
    const claimed = await store.runs.claim({ kind: "agent", max: 9 }, lease, now);
    expect(claimed.map(({ id }) => id)).toEqual([running]);
    const totals = await store.jobList.countJobs(accountId, ["agent"]);
    expect(totals).toEqual({ running: 1, completed: 0, failed: 1, cancelled: 1 });
  });

  it(
    "a crawl whose sitemap waited in the queue of an older version is finished with the sitemap",
    { timeout: 60_000 },
    async () => {
      const { base } = await openSite((request, response) => {
        if (request.url === "/sitemap.xml")
          response.end(`<urlset><url><loc>${base}/listed</loc></url></urlset>`);
        else if (request.url === "/robots.txt") response.writeHead(404).end();
        else response.end(`<title>t</title><p>${`The page ${request.url}. `.repeat(20)}</p>`);
      });
      const config = await configure({ port: 0, egressAllow: ["127.0.0.1"], workerThreads: 1 });
      const older = await openStore(config, createLogger("silent"));
      const { scrapeOptions: page, ...crawl } = crawlRequestSchema.parse({ url: `${base}/` });
      const job = buildJob({
        url: `${base}/`,
        options: { crawl, page, keyConcurrency: 3, accountConcurrency: null },
        seeding: true,
        createdAt: Date.now() - HOUR,
      });
      await older.jobs.create(job, [
        buildFound(1, { url: `${base}/`, host: new URL(base).host, depth: 0, source: "start" }),
      ]);
      for (const undone of [
        "alter table scrapes drop column explanation",
        "drop table process_samples",
        "drop table service_samples",
        "drop table page_usage",
        "alter table frontier drop column queued_at",
        "alter table jobs drop column traceparent",
        DROP_MONITORS,
        "drop table extractors",
        "delete from migrations where number >= 25",
      ])
        await sql.raw(undone).execute(older.database.kysely);
      await older.close();
      await using app = await createApp(config, { log: createLogger("silent") });
      await app.listen();
      await app.open();
      await expect
        .poll(async () => (await app.metrics.jobsEnded.get()).values, { timeout: 30_000 })
        .toContainEqual({ labels: { kind: "crawl", state: "completed" }, value: 1 });
      await app.close();
      const newer = await openStore(config, createLogger("silent"));
      try {
        expect(await newer.jobs.load(job.id)).toMatchObject({
          state: "completed",
          completed: 2,
          options: { limits: { concurrency: 3 }, accountLimits: { concurrency: null } },
        });
      } finally {
        await newer.close();
      }
    },
  );
});
