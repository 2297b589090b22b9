import { sql, type Kysely, type Transaction } from "kysely";
import type { ErrorRecord } from "../../errors.ts";
import type { Finish, FinishedPage } from "./finish.ts";
import type { AddReport, Claim, FoundUrl, FrontierStore, LeasedPage } from "./frontier.ts";
import { admit, openDraft, writeDraft, type Admission } from "./job-change.ts";
import type { KnownUrls } from "./known-urls.ts";
import { DepthUpdates } from "./depth-updates.ts";
import type { Database, Tables } from "../database/schema.ts";
import {
  selectSuspects,
  countPlacesLeft,
  MAX_SUSPECT_TRIES,
  SUSPECT_AFTER,
  takePages,
  type Job,
  type TakeOptions,
} from "./take-pages.ts";

/** URLs added per transaction. */
const ADDED_PER_BATCH = 500;
export const MAX_ATTEMPTS = SUSPECT_AFTER + MAX_SUSPECT_TRIES;
/** Jobs examined per claim. */
const CANDIDATES = 50;

type Parts = {
  readonly database: Database;
  readonly known: KnownUrls;
  /** Fails pages that were claimed too often. */
  readonly finish: Finish;
};

/**
 * Jobs with something to claim, least recently served first. The jobs are sorted before their
 * URLs are looked up (`offset 0` keeps the planner from doing it the other way round), so a claim
 * looks at few of many jobs. The order of the subqueries makes the planner use their index: it may
 * answer `exists` by reading all URLs of all jobs.
 */
async function findCandidates(kysely: Kysely<Tables>, claim: Claim, now: number) {
  const only =
    claim.jobs === undefined
      ? sql``
      : sql`and job_id::text in (select json_array_elements_text(${JSON.stringify(claim.jobs)}::json))`;
  const except =
    claim.except === undefined || claim.except.length === 0
      ? sql``
      : sql`and job_id::text not in (select json_array_elements_text(${JSON.stringify(claim.except)}::json))`;
  const found = await sql<{ id: string; max: number }>`
    select job_id as id, (select max_concurrency from jobs where jobs.id = progress.job_id) as max
    from (select job_id, claimed_at from job_progress
      where state = 'scraping' and pending > 0 ${only} ${except} order by claimed_at, job_id offset 0) as progress
    where coalesce(
      (select true from frontier where frontier.job_id = progress.job_id and frontier.state = 'ready'
        ${selectSuspects(claim)} order by depth, sequence limit 1),
      (select true from frontier where frontier.job_id = progress.job_id and frontier.state = 'leased'
        and leased_until <= ${now}::bigint ${selectSuspects(claim)} limit 1), false)
    order by claimed_at, job_id limit ${sql.lit(CANDIDATES)}`.execute(kysely);
  return found.rows;
}

/** Locks a running job. Returns false when it no longer runs. */
async function lockRunning(transaction: Transaction<Tables>, jobId: string): Promise<boolean> {
  const found = await sql`
    select 1 from job_progress where job_id = ${jobId}::uuid and state = 'scraping' for update`.execute(
    transaction,
  );
  return found.rows.length === 1;
}

function buildGivenUpPage(page: LeasedPage): FinishedPage {
  const message =
    `The page was given up: ${MAX_ATTEMPTS} workers started it and none finished it, ` +
    `the last ${MAX_SUSPECT_TRIES} of them while working on nothing else.`;
  const error: ErrorRecord = { code: "UNKNOWN_ERROR", message };
  return { page, outcome: { type: "failed", error, credits: 0 }, links: [] };
}

export function createFrontierStore({ database, known, finish }: Parts): FrontierStore {
  const { kysely } = database;

  async function addSome(jobId: string, found: readonly FoundUrl[], now: number) {
    const counts: Record<Admission, number> = {
      accepted: 0,
      held: 0,
      refused: 0,
      revived: 0,
      known: 0,
    };
    const seen = await kysely.transaction().execute(async (transaction) => {
      const draft = await openDraft(transaction, jobId, now);
      if (draft?.progress.state !== "scraping") return undefined;
      const earlier = await known.find(
        transaction,
        jobId,
        // Batch URLs are never deduplicated, so they are always new.
        found.flatMap(({ identity, source }) => (source === "batch" ? [] : [identity])),
      );
      const nearer = new DepthUpdates();
      for (const url of found) {
        const admission = admit(draft, url, earlier.get(url.identity));
        counts[admission] += 1;
        if (admission === "known") nearer.add(url);
        else if (url.source !== "batch")
          earlier.set(url.identity, { fate: url.refused?.fate ?? null });
      }
      await nearer.write(transaction, jobId);
      await writeDraft(transaction, draft);
      return earlier;
    });
    if (seen !== undefined) known.remember(jobId, seen);
    return { ...counts, added: seen !== undefined };
  }

  /**
   * The embedded database has one connection: there a single statement replaces the lock at a
   * quarter of the cost.
   */
  async function takeFrom(job: Job, take: TakeOptions, now: number) {
    if (database.kind === "pglite") return takePages(kysely, job, take, now);
    return kysely
      .transaction()
      .execute(async (transaction) =>
        (await lockRunning(transaction, job.id)) ? takePages(transaction, job, take, now) : [],
      );
  }

  return {
    async add(jobId, found) {
      const report: { -readonly [Name in keyof AddReport]: AddReport[Name] } = {
        added: true,
        accepted: 0,
        held: 0,
        refused: 0,
        known: 0,
      };
      for (let start = 0; report.added && start < found.length; start += ADDED_PER_BATCH) {
        const some = await addSome(jobId, found.slice(start, start + ADDED_PER_BATCH), Date.now());
        report.added = some.added;
        report.accepted += some.accepted + some.revived;
        report.held += some.held;
        report.refused += some.refused;
        report.known += some.known;
      }
      return report;
    },
    async claim(claim) {
      const now = claim.now ?? Date.now();
      const { worker, leaseMs, suspects, suspectTries } = claim;
      const pages: LeasedPage[] = [];
      let hosts = claim.hosts ?? {};
      for (const job of await findCandidates(kysely, claim, now)) {
        const max = claim.max - pages.length;
        if (max <= 0) break;
        const taken = await takeFrom(
          job,
          { worker, leaseMs, suspects, suspectTries, max, hosts },
          now,
        );
        hosts = countPlacesLeft(hosts, taken);
        const spent = taken.filter(({ attempt }) => attempt > MAX_ATTEMPTS);
        if (spent.length > 0) await finish(job.id, claim.worker, spent.map(buildGivenUpPage), now);
        pages.push(...taken.filter(({ attempt }) => attempt <= MAX_ATTEMPTS));
      }
      return pages;
    },
    async renew(worker, pages, leaseMs, now = Date.now()) {
      const renewed = await sql`update frontier set leased_until = ${now + leaseMs}::bigint
        from json_to_recordset(${toLeaseRows(pages)}::json) as given (job_id uuid, identity bigint, attempt integer)
        where frontier.job_id = given.job_id and frontier.identity = given.identity and state = 'leased'
          and worker = ${worker} and frontier.attempt = given.attempt`.execute(kysely);
      return Number(renewed.numAffectedRows ?? 0);
    },
    async release(worker, pages) {
      await sql`update frontier set state = 'ready', worker = null, leased_until = null, attempt = frontier.attempt - 1
        from json_to_recordset(${toLeaseRows(pages)}::json) as given (job_id uuid, identity bigint, attempt integer)
        where frontier.job_id = given.job_id and frontier.identity = given.identity and state = 'leased'
          and worker = ${worker} and frontier.attempt = given.attempt`.execute(kysely);
    },
    async releaseAll() {
      await kysely
        .updateTable("frontier")
        .set({ state: "ready", worker: null, leased_until: null })
        .where("state", "=", "leased")
        .execute();
    },
    async wasServed(jobId, host, since) {
      const found = await sql<{ served: boolean }>`
        select exists (select 1 from frontier where job_id = ${jobId}::uuid and host = ${host}
          and fate in ('fetched', 'duplicate') and ended_at > ${since}::bigint) as served`.execute(
        kysely,
      );
      return found.rows[0]?.served === true;
    },
    async startOutcome(jobId, identity) {
      const found = await sql<{ is_open: boolean; final_url: string | null }>`
        select frontier.state <> 'done' and progress.state = 'scraping' as is_open,
          case when frontier.fate = 'fetched' then (select final_url from results
            where job_id = ${jobId}::uuid and requested_url = frontier.url order by sequence limit 1) end as final_url
        from frontier join job_progress as progress using (job_id)
        where job_id = ${jobId}::uuid and identity = ${String(identity)}::bigint`.execute(kysely);
      const [row] = found.rows;
      return { isOpen: row?.is_open ?? false, finalUrl: row?.final_url ?? undefined };
    },
    async findNextExpiry() {
      const found = await sql<{ at: number | null }>`
        select min(leased_until) as at from frontier join job_progress as progress using (job_id)
        where frontier.state = 'leased' and progress.state = 'scraping'`.execute(kysely);
      return found.rows[0]?.at ?? undefined;
    },
  };
}

const toLeaseRows = (pages: readonly LeasedPage[]): string =>
  JSON.stringify(
    pages.map(({ jobId, identity, attempt }) => ({
      job_id: jobId,
      identity: String(identity),
      attempt,
    })),
  );
