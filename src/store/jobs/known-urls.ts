// Caches which URLs a job has seen. Most links lead to known pages, and a seen URL stays seen, so
// only the rest is queried.
import { sql, type Transaction } from "kysely";
import { splitChunks } from "../database/chunks.ts";
import { buildGivenKeys } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

/** The frontier's record of an identity: the fate it got without a fetch, or null. */
export type KnownUrl = { readonly fate: string | null };

/** Maximum cached identities over all jobs; beyond it the oldest job is dropped. */
const MAX_REMEMBERED = 500_000;
/**
 * A URL refused for its depth may be found again nearer to the start, and one out of scope after
 * the start URL's target is known: both are looked up every time.
 */
const CHANGEABLE: ReadonlySet<string> = new Set(["depth", "scope"]);

/** True if a URL found again may be fetched although it was refused before. */
export const isChangeable = ({ fate }: KnownUrl): boolean => fate !== null && CHANGEABLE.has(fate);

/** Identities per query. */
const MAX_ASKED = 4_000;

export class KnownUrls {
  readonly #jobs = new Map<string, Set<bigint>>();
  #count = 0;

  /** Returns the record of each identity; identities not in the map are new. */
  async find(
    transaction: Transaction<Tables>,
    jobId: string,
    identities: Iterable<bigint>,
  ): Promise<Map<bigint, KnownUrl>> {
    const remembered = this.#jobs.get(jobId);
    const known = new Map<bigint, KnownUrl>();
    const asked = new Set<bigint>();
    for (const identity of identities)
      if (remembered?.has(identity) === true) known.set(identity, { fate: null });
      else asked.add(identity);
    for (const some of splitChunks([...asked], MAX_ASKED)) {
      const found = await sql<{ identity: string; fate: string | null }>`
        select identity::text as identity, case when attempt = 0 then fate end as fate
        from ${buildGivenKeys(some)} join frontier on identity = given.key
        where job_id = ${jobId}::uuid`.execute(transaction);
      for (const { identity, fate } of found.rows) known.set(BigInt(identity), { fate });
    }
    return known;
  }

  /** Call only after the commit that wrote them. */
  remember(jobId: string, known: ReadonlyMap<bigint, KnownUrl>): void {
    const remembered = this.#jobs.get(jobId) ?? new Set();
    this.#jobs.set(jobId, remembered);
    const before = remembered.size;
    for (const [identity, earlier] of known) if (!isChangeable(earlier)) remembered.add(identity);
    this.#count += remembered.size - before;
    while (this.#count > MAX_REMEMBERED) this.forget(this.#jobs.keys().next().value ?? jobId);
  }

  forget(jobId: string): void {
    this.#count -= this.#jobs.get(jobId)?.size ?? 0;
    this.#jobs.delete(jobId);
  }
}
