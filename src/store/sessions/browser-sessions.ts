// Live browser sessions and the process each is in. The sessions themselves are in src/interact/.
import { sql, type Kysely, type Selectable } from "kysely";
import { ALIVE_MS } from "./session-life.ts";
import type { Tables } from "../database/schema.ts";

/** ended: on request; expired: by time; lost: its process is gone; failed: its browser is gone. */
export type EndReason = "ended" | "expired" | "lost" | "failed";

export type BrowserSessionRecord = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  /** The scrape whose page it continues; null for a standalone session. */
  readonly scrapeId: string | null;
  /** The process it is in. */
  readonly worker: string;
  readonly streamWebView: boolean;
  readonly createdAt: number;
  readonly lastActivity: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
};

export type SessionOwner = { readonly accountId: string } | { readonly keyId: string };

export type SessionOpening = { readonly kind: "opened" | "taken" | "full" };

export type BrowserSessionStore = {
  /** taken: the scrape already has a session; full: the account has `max` of them. */
  open(
    session: Omit<BrowserSessionRecord, "endedAt" | "endReason">,
    max: number,
  ): Promise<SessionOpening>;
  find(id: string): Promise<BrowserSessionRecord | undefined>;
  /** The newest session of a scrape. */
  findOfScrape(scrapeId: string): Promise<BrowserSessionRecord | undefined>;
  /** Newest first, at most 1000. */
  list(accountId: string): Promise<BrowserSessionRecord[]>;
  /**
   * Confirms that this process still has its sessions; `activity` maps ids to their last use.
   * Returns the ids that another process has ended.
   */
  keepAlive(worker: string, activity: ReadonlyMap<string, number>): Promise<string[]>;
  end(id: string, reason: EndReason): Promise<void>;
  /** Ends all sessions of an account or key; their processes see it at the next `keepAlive`. */
  endOwnedBy(owner: SessionOwner): Promise<void>;
  /**
   * Ends all open sessions of a database with a single process: they were lost with the previous
   * process.
   */
  endForeign(worker: string): Promise<void>;
};

const REMEMBERED_MS = 24 * 60 * 60 * 1000;

const toRecord = (row: Selectable<Tables["browser_sessions"]>): BrowserSessionRecord => ({
  id: row.id,
  accountId: row.account_id,
  keyId: row.key_id,
  scrapeId: row.scrape_id,
  worker: row.worker,
  streamWebView: row.stream_web_view,
  createdAt: row.created_at,
  lastActivity: row.last_activity,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  endReason: row.end_reason,
});

export function createBrowserSessionStore(kysely: Kysely<Tables>): BrowserSessionStore {
  /** Ends sessions of processes that are gone and removes those that ended long ago. */
  async function endOrphans(now: number): Promise<void> {
    await kysely
      .updateTable("browser_sessions")
      .set({ ended_at: sql<number>`alive_until`, end_reason: "lost" })
      .where("ended_at", "is", null)
      .where("alive_until", "<=", now)
      .execute();
    await kysely
      .deleteFrom("browser_sessions")
      .where("ended_at", "<", now - REMEMBERED_MS)
      .execute();
  }

  const all = () => kysely.selectFrom("browser_sessions").selectAll();

  return {
    async open(session, max) {
      const now = Date.now();
      await endOrphans(now);
      const { rows } = await sql<{ id: string }>`
        insert into browser_sessions (id, account_id, key_id, scrape_id, worker, alive_until, stream_web_view, created_at, last_activity, expires_at)
        select ${session.id}::uuid, ${session.accountId}::uuid, ${session.keyId}::uuid, ${session.scrapeId}::uuid, ${session.worker},
          ${now + ALIVE_MS}::bigint, ${session.streamWebView}::boolean, ${session.createdAt}::bigint, ${session.lastActivity}::bigint, ${session.expiresAt}::bigint
        where (select count(*) from browser_sessions where account_id = ${session.accountId}::uuid and ended_at is null) < ${max}::bigint
        on conflict do nothing returning id`.execute(kysely);
      if (rows.length > 0) return { kind: "opened" };
      if (session.scrapeId === null) return { kind: "full" };
      const other = await all()
        .where("scrape_id", "=", session.scrapeId)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return { kind: other === undefined ? "full" : "taken" };
    },
    async find(id) {
      await endOrphans(Date.now());
      const row = await all().where("id", "=", id).executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async findOfScrape(scrapeId) {
      await endOrphans(Date.now());
      const row = await all()
        .where("scrape_id", "=", scrapeId)
        .orderBy("created_at", "desc")
        .executeTakeFirst();
      return row === undefined ? undefined : toRecord(row);
    },
    async list(accountId) {
      await endOrphans(Date.now());
      const rows = await all()
        .where("account_id", "=", accountId)
        .orderBy("created_at", "desc")
        .limit(1_000)
        .execute();
      return rows.map(toRecord);
    },
    async keepAlive(worker, activity) {
      await kysely
        .updateTable("browser_sessions")
        .set({ alive_until: Date.now() + ALIVE_MS })
        .where("worker", "=", worker)
        .where("ended_at", "is", null)
        .execute();
      for (const [id, at] of activity)
        await kysely
          .updateTable("browser_sessions")
          .set({ last_activity: at })
          .where("id", "=", id)
          .execute();
      if (activity.size === 0) return [];
      const ended = await kysely
        .selectFrom("browser_sessions")
        .select("id")
        .where("id", "in", [...activity.keys()])
        .where("end_reason", "=", "ended")
        .execute();
      return ended.map(({ id }) => id);
    },
    async endOwnedBy(owner) {
      await kysely
        .updateTable("browser_sessions")
        .set({ ended_at: Date.now(), end_reason: "ended" })
        .where(
          "accountId" in owner ? "account_id" : "key_id",
          "=",
          "accountId" in owner ? owner.accountId : owner.keyId,
        )
        .where("ended_at", "is", null)
        .execute();
    },
    async end(id, reason) {
      await kysely
        .updateTable("browser_sessions")
        .set({ ended_at: Date.now(), end_reason: reason })
        .where("id", "=", id)
        .where("ended_at", "is", null)
        .execute();
    },
    async endForeign(worker) {
      await kysely
        .updateTable("browser_sessions")
        .set({ ended_at: Date.now(), end_reason: "lost" })
        .where("worker", "<>", worker)
        .where("ended_at", "is", null)
        .execute();
      await kysely.updateTable("browser_profiles").set({ writer: null, writer_until: 0 }).execute();
    },
  };
}
