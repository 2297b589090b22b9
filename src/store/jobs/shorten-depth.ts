// A URL that waits to be fetched and is found again on a shorter way: it and what it leads to are as deep as that says.
import { sql, type Transaction } from "kysely";
import type { FoundUrl } from "./frontier.ts";
import { givenRows } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

/** What was found although it is known, by identity, with the least depth. */
export class NearerUrls {
  readonly #depths = new Map<bigint, number>();

  /** Takes in a URL that is known; only those count that may be fetched and whose depth matters. */
  add({ identity, depth, depthCounts, refused }: FoundUrl): void {
    if (depthCounts !== true || refused !== undefined) return;
    this.#depths.set(identity, Math.min(depth, this.#depths.get(identity) ?? depth));
  }

  /** Before anything else of the job is changed: a row may be touched once in a statement. */
  async write(transaction: Transaction<Tables>, jobId: string): Promise<void> {
    if (this.#depths.size === 0) return;
    const rows = [...this.#depths].map(([identity, depth]) => ({
      identity: String(identity),
      depth,
    }));
    await sql`update frontier set depth = given.depth
      from ${givenRows(rows, { identity: "bigint", depth: "integer" })}
      where frontier.job_id = ${jobId}::uuid and frontier.identity = given.identity
        and frontier.state in ('ready', 'held') and frontier.depth > given.depth`.execute(
      transaction,
    );
  }
}
