import { sql, type Kysely } from "kysely";
import { InternalError } from "../../errors.ts";
import { statements as accountsScrapesCaptures } from "../migrations/0001-accounts-scrapes-captures.ts";
import { statements as jobs } from "../migrations/0002-jobs.ts";
import { statements as pageTitles } from "../migrations/0003-page-titles.ts";
import { statements as endedJobs } from "../migrations/0004-ended-jobs.ts";
import { statements as keptFiles } from "../migrations/0005-kept-files.ts";
import { statements as browserSessions } from "../migrations/0006-browser-sessions.ts";
import { statements as deliveryOrder } from "../migrations/0007-delivery-order.ts";
import { statements as uploads } from "../migrations/0008-uploads.ts";
import { statements as agentRuns } from "../migrations/0009-agent-runs.ts";
import { statements as changeSnapshots } from "../migrations/0010-change-snapshots.ts";
import { statements as search } from "../migrations/0011-search.ts";
import { statements as hostsOfFrontier } from "../migrations/0012-hosts-of-frontier.ts";
import { statements as siteTallies } from "../migrations/0013-site-tallies.ts";
import { statements as interactEvents } from "../migrations/0014-interact-events.ts";
import { statements as jobList } from "../migrations/0015-job-list.ts";
import { statements as accountsAndScopes } from "../migrations/0016-accounts-and-scopes.ts";
import { statements as webhookSecrets } from "../migrations/0017-webhook-secrets.ts";
import { statements as frontierVerdict } from "../migrations/0018-frontier-verdict.ts";
import { statements as rateWindows } from "../migrations/0019-rate-windows.ts";
import { statements as concurrencyShares } from "../migrations/0020-concurrency-shares.ts";
import { statements as jobRuns } from "../migrations/0021-job-runs.ts";
import { statements as suspectPages } from "../migrations/0022-suspect-pages.ts";
import { statements as consoleSessions } from "../migrations/0023-console-sessions.ts";
import { statements as agentJobs } from "../migrations/0024-agent-jobs.ts";
import { statements as crawlRuns } from "../migrations/0025-crawl-runs.ts";
import { statements as extractors } from "../migrations/0026-extractors.ts";
import { statements as monitors } from "../migrations/0027-monitors.ts";
import { statements as traces } from "../migrations/0028-traces.ts";
import { statements as queueAge } from "../migrations/0029-queue-age.ts";
import { statements as noticeGroups } from "../migrations/0030-notice-groups.ts";
import { statements as pageUsage } from "../migrations/0031-page-usage.ts";
import { statements as scrapeExplanations } from "../migrations/0032-scrape-explanations.ts";
import { statements as monitorRecoveries } from "../migrations/0033-monitor-recoveries.ts";
import { statements as loadSamples } from "../migrations/0034-load-samples.ts";
import { statements as pageEngines } from "../migrations/0035-page-engines.ts";
import type { Tables } from "./schema.ts";

type Migration = {
  readonly number: number;
  readonly name: string;
  readonly statements: readonly string[];
};

/** In order, numbered without gaps. Never edit a released migration: add the next one. */
export const MIGRATIONS: readonly Migration[] = [
  { number: 1, name: "accounts-scrapes-captures", statements: accountsScrapesCaptures },
  { number: 2, name: "jobs", statements: jobs },
  { number: 3, name: "page-titles", statements: pageTitles },
  { number: 4, name: "ended-jobs", statements: endedJobs },
  { number: 5, name: "kept-files", statements: keptFiles },
  { number: 6, name: "browser-sessions", statements: browserSessions },
  { number: 7, name: "delivery-order", statements: deliveryOrder },
  { number: 8, name: "uploads", statements: uploads },
  { number: 9, name: "agent-runs", statements: agentRuns },
  { number: 10, name: "change-snapshots", statements: changeSnapshots },
  { number: 11, name: "search", statements: search },
  { number: 12, name: "hosts-of-frontier", statements: hostsOfFrontier },
  { number: 13, name: "site-tallies", statements: siteTallies },
  { number: 14, name: "interact-events", statements: interactEvents },
  { number: 15, name: "job-list", statements: jobList },
  { number: 16, name: "accounts-and-scopes", statements: accountsAndScopes },
  { number: 17, name: "webhook-secrets", statements: webhookSecrets },
  { number: 18, name: "frontier-verdict", statements: frontierVerdict },
  { number: 19, name: "rate-windows", statements: rateWindows },
  { number: 20, name: "concurrency-shares", statements: concurrencyShares },
  { number: 21, name: "job-runs", statements: jobRuns },
  { number: 22, name: "suspect-pages", statements: suspectPages },
  { number: 23, name: "console-sessions", statements: consoleSessions },
  { number: 24, name: "agent-jobs", statements: agentJobs },
  { number: 25, name: "crawl-runs", statements: crawlRuns },
  { number: 26, name: "extractors", statements: extractors },
  { number: 27, name: "monitors", statements: monitors },
  { number: 28, name: "traces", statements: traces },
  { number: 29, name: "queue-age", statements: queueAge },
  { number: 30, name: "notice-groups", statements: noticeGroups },
  { number: 31, name: "page-usage", statements: pageUsage },
  { number: 32, name: "scrape-explanations", statements: scrapeExplanations },
  { number: 33, name: "monitor-recoveries", statements: monitorRecoveries },
  { number: 34, name: "load-samples", statements: loadSamples },
  { number: 35, name: "page-engines", statements: pageEngines },
];

/**
 * The advisory lock of migrations: "quarry" as a number, shared by every process on the database.
 */
const LOCK = 0x71_75_61_72;

/** Returns the number of the newest applied migration; 0 for a new database. */
export async function readAppliedNumber(kysely: Kysely<Tables>): Promise<number> {
  const exists = await sql<{
    found: boolean;
  }>`select to_regclass('migrations') is not null as found`.execute(kysely);
  if (exists.rows[0]?.found !== true) return 0;
  const newest = await kysely
    .selectFrom("migrations")
    .select((select) => select.fn.max("number").as("number"))
    .executeTakeFirst();
  return newest?.number ?? 0;
}

/**
 * Migrates the database, up to migration `upTo`. Safe to run twice and concurrently: it is one transaction under a
 * transaction-scoped advisory lock. Throws InternalError when the database is newer than this
 * program.
 */
export async function migrate(
  kysely: Kysely<Tables>,
  upTo: number = Infinity,
): Promise<{ applied: number[] }> {
  const newest = MIGRATIONS.at(-1)?.number ?? 0;
  const before = await readAppliedNumber(kysely);
  if (before > newest)
    throw new InternalError(
      `The database is at migration ${before}, this program knows ${newest}: it was used by a newer version.`,
    );
  if (before >= Math.min(newest, upTo)) return { applied: [] };
  return kysely.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    await sql`create table if not exists migrations (
      number integer primary key, name text not null, applied_at bigint not null)`.execute(
      transaction,
    );
    const done = await readAppliedNumber(transaction);
    const applied: number[] = [];
    for (const migration of MIGRATIONS.filter(({ number }) => number > done && number <= upTo)) {
      for (const statement of migration.statements) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto("migrations")
        .values({ number: migration.number, name: migration.name, applied_at: Date.now() })
        .execute();
      applied.push(migration.number);
    }
    return { applied };
  });
}
