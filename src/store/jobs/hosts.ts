// Politeness over all processes. A process gets a share of a host's slots and uses it for some
// seconds, so the database is queried per host and second, not per page. With the embedded database
// there is one process, and everything stays in memory.
import { sql, type Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

export type HostShare = {
  /**
   * Pages of the host this worker may have in flight until `until`; 0 when others have all slots.
   */
  readonly slots: number;
  readonly until: number;
  /**
   * No worker fetches from the host before this time, milliseconds since the epoch; 0 when it is
   * free.
   */
  readonly backOffUntil: number;
  /** The discovered minimum delay between two fetches of the host; 0 when there is none. */
  readonly delayMs: number;
};

export type HostStore = {
  /** Sets the worker's share of the host: at most `want`, and at most `cap` over all workers. */
  share(ask: {
    readonly host: string;
    readonly worker: string;
    readonly want: number;
    readonly cap: number;
    readonly leaseMs: number;
    readonly now?: number;
  }): Promise<HostShare>;
  /** Reserves `count` start times `delayMs` apart. Returns the first. */
  takeTurns(ask: {
    readonly host: string;
    readonly count: number;
    readonly delayMs: number;
    readonly now?: number;
  }): Promise<number>;
  /**
   * Records that the host asked for a pause: the later time wins. `delayMs` replaces the known
   * delay.
   */
  backOff(
    host: string,
    rest: { readonly until?: number; readonly delayMs?: number },
  ): Promise<void>;
  /** When the requested pause ends or ended; 0 when none is known. */
  getBackOffUntil(host: string): Promise<number>;
  /** Releases all shares of a worker. */
  release(worker: string): Promise<void>;
};

/** Time after which an unused host is forgotten. */
const FORGET_MS = 60 * 60 * 1000;

type HostTimes = { nextAt: number; backOffUntil: number; delayMs: number; seenAt: number };
type Share = { slots: number; until: number };

/** Creates the host store of a single process. */
export function createLocalHosts(): HostStore {
  const hosts = new Map<string, HostTimes>();
  const shares = new Map<string, Map<string, Share>>();

  function find(host: string, now: number): HostTimes {
    const found = hosts.get(host) ?? { nextAt: 0, backOffUntil: 0, delayMs: 0, seenAt: now };
    found.seenAt = now;
    // Moved to the end, so that the least recently used come first.
    hosts.delete(host);
    hosts.set(host, found);
    for (const [name, { seenAt }] of hosts) {
      if (now - seenAt < FORGET_MS) break;
      hosts.delete(name);
      shares.delete(name);
    }
    return found;
  }

  return {
    async share({ host, worker, want, cap, leaseMs, now = Date.now() }) {
      const { backOffUntil, delayMs } = find(host, now);
      const workers = shares.get(host) ?? new Map<string, Share>();
      shares.set(host, workers);
      let taken = 0;
      for (const [name, share] of workers)
        if (name !== worker && share.until > now) taken += share.slots;
      const slots = Math.max(0, Math.min(want, cap - taken));
      const until = now + leaseMs;
      workers.set(worker, { slots, until });
      return { slots, until, backOffUntil, delayMs };
    },
    async takeTurns({ host, count, delayMs, now = Date.now() }) {
      const known = find(host, now);
      const first = Math.max(now, known.nextAt);
      known.nextAt = first + count * delayMs;
      return first;
    },
    async backOff(host, { until = 0, delayMs }) {
      const known = find(host, Date.now());
      known.backOffUntil = Math.max(known.backOffUntil, until);
      if (delayMs !== undefined) known.delayMs = delayMs;
    },
    async getBackOffUntil(host) {
      return hosts.get(host)?.backOffUntil ?? 0;
    },
    async release(worker) {
      for (const workers of shares.values()) workers.delete(worker);
    },
  };
}

/**
 * Creates the host store for several processes on one database. The row of the host locks its
 * shares.
 */
export function createHostStore(kysely: Kysely<Tables>): HostStore {
  /** Creates the row or marks it used; either way it is locked until the transaction ends. */
  const lock = async (database: Kysely<Tables>, host: string, now: number) => {
    const found = await sql<{ backOffUntil: number; delayMs: number }>`
      insert into hosts (host, seen_at) values (${host}, ${now}::bigint)
      on conflict (host) do update set seen_at = excluded.seen_at
      returning back_off_until as "backOffUntil", delay_ms as "delayMs"`.execute(database);
    return found.rows[0] ?? { backOffUntil: 0, delayMs: 0 };
  };
  return {
    async share({ host, worker, want, cap, leaseMs, now = Date.now() }) {
      return kysely.transaction().execute(async (transaction) => {
        const known = await lock(transaction, host, now);
        const until = now + leaseMs;
        const given = await sql<{ slots: number }>`
          insert into host_shares (host, worker, slots, until)
          select ${host}, ${worker}, greatest(0, least(${want}::bigint, ${cap}::bigint - coalesce(sum(slots), 0))), ${until}::bigint
          from host_shares where host = ${host} and worker <> ${worker} and until > ${now}::bigint
          on conflict (host, worker) do update set slots = excluded.slots, until = excluded.until
          returning slots`.execute(transaction);
        return { slots: given.rows[0]?.slots ?? 0, until, ...known };
      });
    },
    async takeTurns({ host, count, delayMs, now = Date.now() }) {
      const span = Math.round(count * delayMs);
      const found = await sql<{ nextAt: number }>`
        insert into hosts (host, seen_at, next_at) values (${host}, ${now}::bigint, ${now + span}::bigint)
        on conflict (host) do update
          set next_at = greatest(hosts.next_at, ${now}::bigint) + ${span}::bigint, seen_at = excluded.seen_at
        returning next_at as "nextAt"`.execute(kysely);
      return (found.rows[0]?.nextAt ?? now + span) - span;
    },
    async backOff(host, { until = 0, delayMs }) {
      const now = Date.now();
      await sql`
        insert into hosts (host, seen_at, back_off_until, delay_ms)
        values (${host}, ${now}::bigint, ${Math.round(until)}::bigint, ${Math.round(delayMs ?? 0)}::integer)
        on conflict (host) do update set seen_at = excluded.seen_at,
          back_off_until = greatest(hosts.back_off_until, excluded.back_off_until),
          delay_ms = ${delayMs === undefined ? sql`hosts.delay_ms` : sql`excluded.delay_ms`}`.execute(
        kysely,
      );
    },
    async getBackOffUntil(host) {
      const found = await kysely
        .selectFrom("hosts")
        .select("back_off_until")
        .where("host", "=", host)
        .executeTakeFirst();
      return found?.back_off_until ?? 0;
    },
    async release(worker) {
      await kysely.deleteFrom("host_shares").where("worker", "=", worker).execute();
    },
  };
}

/** Forgets hosts unused for long. Returns their number. */
export async function forgetHosts(kysely: Kysely<Tables>, now: number): Promise<number> {
  await kysely
    .deleteFrom("host_shares")
    .where("until", "<", now - FORGET_MS)
    .execute();
  const removed = await kysely
    .deleteFrom("hosts")
    .where("seen_at", "<", now - FORGET_MS)
    .where("next_at", "<", now)
    .where("back_off_until", "<", now)
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
